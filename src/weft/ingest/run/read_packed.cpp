// Reads compressed files: zips, as exports are downloaded, and single files that a tool compressed
// when it was done with them. Either is one source, and archived as it is.
#include "weft/ingest/run/read_sources.hpp"
#include "weft/ingest/run/source_ingest.hpp"
#include "weft/ingest/run/source_rules.hpp"
#include "weft/ingest/source/packed_file.hpp"

namespace weft::ingest {
namespace {

constexpr std::string_view kZip = "zip";  // the format of a source that is one

// It is never resumed, so the bytes are archived without the units that were woven from them.
void archive_file(RunContext& run, SourceFile& file, SourceProgress& progress) {
  if (progress.conversations.empty()) return;
  std::string buffer;
  file.seek(0);
  while (true) {
    const Result<std::string_view> chunk = file.read(buffer, kChunkBytes);
    if (!chunk || chunk->empty()) break;
    progress.archive(*chunk);
  }
  progress.source.archived = progress.unarchived.size();
  set_file_position(run.seal, file, progress.source, SourceEnd::yes);
  add_update(run, progress, "", SourceEnd::yes);
  run.report.count_files(1, file.state().size);
  run.report.advance(file.state().size);
}

// Reads all of a stream that begins with `first`. False if the run was stopped.
bool read_stream(RunContext& run, PackedFile& packed, std::string_view first, SourceIngest& source,
                 const std::string& shown) {
  std::string buffer;
  while (!first.empty()) {
    if (run.is_stopped()) return false;
    source.push(first);
    source.commit_if_full(nullptr);
    const Result<std::string_view> next = packed.read(buffer, kChunkBytes);
    if (!next) run.report.skip(shown, 0, next.error().message);
    first = next.value_or(std::string_view());
  }
  source.finish(nullptr);
  return true;
}

// Reads a member of a zip. `progress` is the zip's, whose update comes when all members are read.
void read_member(RunContext& run, const ListedFile& file, const std::string& member,
                 PackedFile& zip, SourceProgress& progress) {
  const std::string shown = file.shown() + "!" + member;
  std::string buffer;
  Result<std::string_view> chunk = zip.read(buffer, kChunkBytes);
  if (!chunk) return run.report.skip(shown, 0, chunk.error().message);
  if (chunk->empty()) return;
  const std::string_view head = formats::head_of(*chunk);
  const Result<const formats::Adapter*> adapter = choose_adapter(run.options, file, head);
  if (!adapter) {
    const auto reason = ignore_reason(run.options, member);
    return run.report.skip(shown, 0, reason.value_or(adapter.error().message));
  }
  if (const auto reason = ignore_reason(run.options, **adapter, member)) {
    return run.report.skip(shown, 0, *reason);
  }
  const formats::SourceInfo info{.name = std::filesystem::path(member).filename().string(),
                                 .model = run.options.model};
  SourceIngest source(
      run,
      std::make_unique<SourceReader>(**adapter, info, head, run.identities, run.queue.known_web()),
      progress, shown);
  read_stream(run, zip, *chunk, source, shown);
  progress.keeps_nothing = source.progress().keeps_nothing;
  progress.conversations = source.progress().conversations;  // the earlier members' among them
}

}  // namespace

void read_zip(RunContext& run, const OpenedFile& opened) {
  const std::string shown = opened.listed.shown();
  Result<PackedFile> zip = PackedFile::open(opened.file);
  if (!zip) return run.report.skip(shown, 0, zip.error().message);
  SourceProgress progress =
      begin_source(run.seal, opened.listed.number, opened.known,
                   {.format = std::string(kZip), .path = opened.path, .project = {}});
  while (true) {
    if (run.is_stopped()) return;
    const Result<std::optional<std::string>> member = zip->next();
    if (!member) {
      run.report.skip(shown, 0, member.error().message);
      break;
    }
    if (!*member) break;
    read_member(run, opened.listed, **member, *zip, progress);
  }
  if (run.report.is_stopped()) return;
  archive_file(run, opened.file, progress);
}

void read_packed(RunContext& run, const OpenedFile& opened) {
  const std::string shown = opened.listed.shown();
  Result<PackedFile> packed = PackedFile::open(opened.file);
  if (!packed) return run.report.skip(shown, 0, packed.error().message);
  if (const auto member = packed->next(); !member) {
    return run.report.skip(shown, 0, member.error().message);
  }
  std::string buffer;
  const Result<std::string_view> first = packed->read(buffer, kChunkBytes);
  if (!first) return run.report.skip(shown, 0, first.error().message);
  const std::string_view head = formats::head_of(*first);
  const Result<const formats::Adapter*> chosen = choose_adapter(run.options, opened.listed, head);
  if (!chosen) return run.report.skip(shown, 0, chosen.error().message);
  const formats::Adapter& adapter = **chosen;
  const std::string unpacked = unpacked_name(opened.path);
  if (const auto reason = ignore_reason(run.options, adapter, unpacked)) {
    return run.report.skip(shown, 0, *reason);
  }
  SourceDescription about{.format = std::string(adapter.name), .path = opened.path, .project = {}};
  if (adapter.project != nullptr) about.project = adapter.project(unpacked, head);
  if (!is_selected(run, opened.listed, about)) return;
  SourceIngest source(
      run,
      open_reader(run, adapter, source_info(run.options, unpacked, about.project, adapter), head),
      begin_source(run.seal, opened.listed.number, opened.known, about), shown);
  if (!read_stream(run, *packed, *first, source, shown)) return;
  SourceProgress progress = source.take_progress();
  archive_file(run, opened.file, progress);
}

}  // namespace weft::ingest
