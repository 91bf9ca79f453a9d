#include "weft/cli/ingest/ingest_command.hpp"

#include <chrono>

#include "weft/cli/ingest/ingest_report.hpp"
#include "weft/cli/ingest/source_options.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/progress.hpp"
#include "weft/ingest/fill_tables.hpp"
#include "weft/ingest/report_json.hpp"
#include "weft/query/questions.hpp"

namespace weft::cli {

Answer ingest_and_report(const Context& context, const Opened& opened, ingest::Options options,
                         const Work& work, const WhenEmpty& when_empty, bool verbose) {
  const auto began = std::chrono::steady_clock::now();
  const auto elapsed_ms = [&] {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 began)
        .count();
  };
  ProgressLine line(context.err());
  options.progress = [&](const ingest::Progress& progress) {
    line.show(shown(progress, elapsed_ms()));
  };
  Result<ingest::Report> report = work(*opened.store, *opened.keyring, options);
  line.clear();
  if (!report) {
    return refuse(std::move(report).error(),
                  "what was committed is kept; run the same command again to resume");
  }
  const query::Library library = opened.library();
  Result<json::object> answer = ingest::to_json(
      *opened.store, *report, elapsed_ms(),
      [&](const store::ConversationRow& row) { return describe(library, row).at("title"); });
  if (!answer) return refuse(std::move(answer).error());
  if (context.json()) {
    context.print_json(*answer);
  } else {
    context.print(to_summary(*answer, when_empty.says, context.style(), verbose));
  }
  const Exit exit = report->conversations.empty() ? when_empty.exit : Exit::done;
  // An upgrade of the store left these tables behind. The report is printed already, and an
  // interrupted fill is continued by the next one.
  const Status filled =
      ingest::fill_tables(*opened.store, *opened.keyring, [&](const store::FillProgress& now) {
        line.show("filling tables: " + count(now.done) + " of " + count(now.all, "conversation"));
      });
  line.clear();
  if (!filled) return refuse(Error(filled.error()), "what was ingested is kept");
  return exit;
}

}  // namespace weft::cli
