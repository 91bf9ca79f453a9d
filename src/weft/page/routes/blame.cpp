// GET /api/thoughts/CID/blame: the file that a call changed as it is today, and who wrote its
// lines.
#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/mcp/answers/blame_schema.hpp"
#include "weft/page/route.hpp"
#include "weft/page/shapes.hpp"

namespace weft::page {
namespace {

constexpr std::size_t kMostBytes = 4u << 20;   // of a file
constexpr std::size_t kMostLineBytes = 2'000;  // of a line; longer ones are cut

// Lines from `from`, and the runs that they are of.
json::object page_of(const ShownFile& file, std::size_t from, std::size_t limit) {
  json::object answer = file.about;
  const std::size_t first = std::min(std::max<std::size_t>(from, 1), file.lines.size() + 1);
  const std::size_t end = std::min(first + limit, file.lines.size() + 1);
  json::array text;
  json::object lengths;
  for (std::size_t n = first; n < end; ++n) {
    const std::string_view line = file.lines[n - 1];
    text.emplace_back(cut_utf8(line, kMostLineBytes));
    if (line.size() > kMostLineBytes) lengths[std::to_string(n)] = count_code_points(line);
  }
  json::array runs;
  for (const json::value& run : file.runs) {
    const json::object& lines = run.as_object();
    if (lines.at("last").to_number<std::size_t>() < first) continue;
    if (lines.at("first").to_number<std::size_t>() >= end) break;
    runs.push_back(run);
  }
  answer["state"] = file.state;
  answer["from"] = first;
  answer["text"] = std::move(text);
  if (!lengths.empty()) answer["lengths"] = std::move(lengths);
  answer["runs"] = std::move(runs);
  return answer;
}

Result<json::object> blame(const Asking& asking) {
  if (asking.context.file_texts == FileTexts::withheld) {
    return fail(ErrorCode::denied,
                "this server can be used from other machines, so it shows no texts of files; ask "
                "one that listens on loopback alone, without --host, or run weft blame there");
  }
  WEFT_TRY_VALUE(const auto cid, asking.thought());
  WEFT_TRY_VALUE(const auto file,
                 query::find_edited_file(asking.library, cid,
                                         {.number = mcp::whole_in(asking.arguments, "file"),
                                          .most_bytes = kMostBytes,
                                          .control = {.stop = asking.stop}}));
  const auto state = mcp::find_text_in(asking.arguments, "state");
  WEFT_TRY_VALUE(const auto shown, asking.files.read(asking.library, file, state, asking.stop));
  json::object answer = page_of(*shown, mcp::whole_in(asking.arguments, "from"),
                                mcp::whole_in(asking.arguments, "limit"));
  answer["conversation_cid"] = file.conversation.str();
  if (!state) answer["sessions"] = shown->sessions;
  return answer;
}

}  // namespace

const Route& blame_route() {
  static const std::string schema = object_shape(
      "BlamedLines",
      std::string(mcp::kBlameShape) +
          R"("conversation_cid": {"type": "string", "description": "of the call"},
  "state": {"type": "string", "description": "names the state of the file that this is a page of"},
  "from": {"type": "integer", "description": "the number of the first line here"},
  "text": {"type": "array", "items": {"type": "string"}, "description": "the lines here"},
  "lengths": {"type": "object", "additionalProperties": {"type": "integer"},
    "description": "full lengths of lines that were cut, by their number"},
  "runs": )" +
          array_of(
              object_shape("BlameRun", std::string(mcp::kBlameRunShape), R"("first", "last")")) +
          R"(, "sessions": )" +
          array_of(object_shape(
              "BlameSession",
              R"("conversation_cid": {"type": "string"}, "title": {"type": ["string", "null"]},
  "lines": {"type": "integer"})",
              R"("conversation_cid", "title", "lines")")),
      R"("path", "rev", "lines", "answered", "weak", "silent", "conversation_cid", "state", "from",
  "text", "runs")");
  static const Route route = {
      .path = "/api/thoughts/{cid}/blame",
      .parameters = {{.name = "file", .kind = mcp::Parameter::Kind::whole, .preset = 0},
                     {.name = "from", .kind = mcp::Parameter::Kind::whole, .preset = 1, .least = 1},
                     {.name = "limit",
                      .kind = mcp::Parameter::Kind::whole,
                      .preset = 400,
                      .least = 1,
                      .most = 2'000},
                     {.name = "state", .longest = 100}},
      .output_schema = schema,
      .pace = Route::Pace::slow,
      .answer = blame,
  };
  return route;
}

}  // namespace weft::page
