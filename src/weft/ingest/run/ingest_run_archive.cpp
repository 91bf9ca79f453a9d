// Sources that are gone: what the archive has of them is woven again.
#include "weft/ingest/run/ingest_run.hpp"
#include "weft/ingest/sources.hpp"
#include "weft/weave/weave_version.hpp"

namespace weft::ingest {
namespace {

// The rows of a database and the files of a tree are archived as the lines that they were read as.
bool is_archived_as_lines(const formats::Adapter& adapter, const std::string& path) {
  const bool is_tree = adapter.tree != nullptr && !adapter.tree->folder(path).empty();
  return is_tree || file_of(path) != path;
}

}  // namespace

void IngestRun::take_archived(std::size_t number) {
  const std::string shown = files_[number].path.string();
  // As it is now: somebody else may have been at it since it was listed.
  const auto found = store_.find_source(files_[number].archived->key);
  if (!found) return skip(shown, 0, found.error().message);
  if (!*found) return;
  const store::Source& known = **found;
  const Result<About> about = open_about(keyring_, known);
  if (!about) return skip(shown, 0, about.error().message);
  if (!is_wanted(files_[number], *about)) return;
  if (known.archived == 0) return skip(shown, 0, "is gone, and nothing of it is archived");
  const formats::Adapter* adapter = formats::find_adapter(about->format);
  const std::string file = file_of(about->path);
  std::unique_ptr<SourceReader> source_reader;
  SourceProgress taking{.file = number, .source = known, .about = *about};
  const auto begin_with = [&](std::string_view bytes) {
    if (adapter == nullptr || is_zip(bytes) || is_packed(bytes)) return false;
    formats::SourceInfo info = info_of(file, about->project, *adapter);
    if (file != about->path) info.name = about->path.substr(file.size() + 1);
    const std::string_view head =
        is_archived_as_lines(*adapter, about->path) ? "" : formats::head_of(bytes);
    source_reader = std::make_unique<SourceReader>(*adapter, info, head, identities_, known_web_);
    if (!options_.selection.subagents) source_reader->leave_out_subagents();
    taking.source.adapter_version = adapter->version;
    taking.source.weave_version = weave::kWeaveVersion;
    return true;
  };
  // It has one update, at the end: until then it is as it was.
  const auto take = [&](std::string_view bytes) -> Status {
    if (!source_reader && !begin_with(bytes)) {
      return fail(ErrorCode::invalid_input,
                  "is gone, and was packed: weft restore gives it back, for weft ingest");
    }
    if (stops()) return fail(ErrorCode::unavailable, "stopped");
    source_reader->push(bytes);
    send_on(*source_reader, taking, nullptr);
    report_progress(bytes.size());
    return {};
  };
  const Status taken =
      restore(store_, keyring_, {about->path, about->format, known}, Version::newest, take);
  if (report_.stopped) return;
  if (!taken) skip(shown, 0, taken.error().message);
  if (!source_reader || !taken) return;
  source_reader->end();
  finish(
      *source_reader, taking, [&](SourceProgress& at) { at.source.lines = source_reader->lines(); },
      shown);
  if (first_round_ && !source_reader->weaver().conversations().empty()) {
    ++report_.files;
    report_.bytes += known.archived;
  }
}

}  // namespace weft::ingest
