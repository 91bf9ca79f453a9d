// Reads sources whose file is gone: weaves again what the archive has of them.
#include "weft/ingest/run/read_sources.hpp"
#include "weft/ingest/run/source_ingest.hpp"
#include "weft/ingest/run/source_rules.hpp"
#include "weft/ingest/source/packed_file.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/weave/weave_version.hpp"

namespace weft::ingest {
namespace {

// A source whose archive begins with `bytes`. Its row changes only when it is finished: until then
// it stays as it was.
SourceIngest open_archived(RunContext& run, const ListedFile& listed, const store::Source& known,
                           const SourceDescription& about, const formats::Adapter& adapter,
                           std::string_view bytes) {
  const formats::SourceInfo info = archived_info(run.options, about, adapter);
  const std::string_view head =
      is_archived_as_lines(adapter, about.path) ? "" : formats::head_of(bytes);
  SourceProgress progress{.file = listed.number, .source = known};
  progress.source.adapter_version = adapter.version;
  progress.source.weave_version = weave::kWeaveVersion;
  return {run, open_reader(run, adapter, info, head), std::move(progress), listed.shown()};
}

}  // namespace

void read_archived(RunContext& run, const ListedFile& file) {
  const std::string shown = file.shown();
  // The current row: another process may have changed it since the file was listed.
  const auto found = run.store.sources().find(file.archived->key);
  if (!found) return run.report.skip(shown, 0, found.error().message);
  if (!*found) return;
  const store::Source& known = **found;
  const Result<SourceDescription> about = open_description(run.keyring, known);
  if (!about) return run.report.skip(shown, 0, about.error().message);
  if (!is_selected(run, file, *about)) return;
  if (known.archived == 0) {
    return run.report.skip(shown, 0, "is gone, and nothing of it is archived");
  }
  const formats::Adapter* adapter = formats::find_adapter(about->format);
  std::optional<SourceIngest> source;
  const auto read = [&](std::string_view bytes) -> Status {
    if (!source && (adapter == nullptr || is_zip(bytes) || is_packed(bytes))) {
      return fail(ErrorCode::invalid_input,
                  "is gone, and was packed: weft restore gives it back, for weft ingest");
    }
    if (!source) source.emplace(open_archived(run, file, known, *about, *adapter, bytes));
    if (run.is_stopped()) return fail(ErrorCode::unavailable, "stopped");
    source->push(bytes);
    source->commit_if_full(nullptr);
    run.report.advance(bytes.size());
    return {};
  };
  const Status restored =
      restore(run.store, run.keyring, {about->path, about->format, known}, Version::newest, read);
  if (run.report.is_stopped()) return;
  if (!restored) run.report.skip(shown, 0, restored.error().message);
  if (!source || !restored) return;
  source->finish([&](store::Source& row, SourceEnd) { row.lines = source->reader().lines(); });
  if (source->has_conversations()) run.report.count_files(1, known.archived);
}

}  // namespace weft::ingest
