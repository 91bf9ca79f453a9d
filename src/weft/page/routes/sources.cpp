// GET /api/sources: the folders and files that conversations come from.
#include "weft/ingest/sources.hpp"
#include "weft/base/try.hpp"
#include "weft/page/route.hpp"

namespace weft::page {
namespace {

Result<json::object> sources(const Asking& asking) {
  const PageContext& context = asking.context;
  const bool lists_files = find_bool(asking.arguments, "files").value_or(false);
  if (context.keyring == nullptr) {
    if (lists_files) return fail(ErrorCode::denied, "the names of files are sealed: no keyring");
    return ingest::to_json(ingest::list_folders(context.folders));
  }
  if (lists_files) {
    WEFT_TRY_VALUE(const auto files, ingest::list_source_files(context.store, *context.keyring));
    return ingest::to_json(files);
  }
  WEFT_TRY_VALUE(const auto folders,
                 ingest::list_sources(context.store, *context.keyring, context.folders));
  return ingest::to_json(folders);
}

}  // namespace

const Route& sources_route() {
  static const Route route = {
      .path = "/api/sources",
      .parameters = {{.name = "files", .kind = mcp::Parameter::Kind::flag}},
      .output_schema = R"({"title": "Sources", "type": "object", "properties": {
  "sources": {"type": "array", "items": {"title": "SourceFolder", "type": "object", "properties": {
    "format": {"type": "string"}, "path": {"type": "string"}, "files": {"type": "integer"},
    "bytes": {"type": "integer"}, "ingested": {"type": "integer"}, "gone": {"type": "integer"},
    "archived_bytes": {"type": "integer"}, "conversations": {"type": "integer"},
    "last_ingest": {"type": ["integer", "null"]}},
    "required": ["format", "path", "files", "bytes", "ingested", "gone", "archived_bytes", "conversations", "last_ingest"]}},
  "files": {"type": "array", "items": {"title": "SourceFile", "type": "object", "properties": {
    "format": {"type": "string"}, "path": {"type": "string"}, "project": {"type": "string"},
    "archived_bytes": {"type": "integer"}, "gone": {"type": "boolean"},
    "conversations": {"type": "integer"}, "last_ingest": {"type": "integer"}},
    "required": ["format", "path", "project", "archived_bytes", "gone", "conversations", "last_ingest"]}}}})",
      .pace = Route::Pace::slow,
      .answer = sources,
  };
  return route;
}

}  // namespace weft::page
