// Reads a file: not at all if nothing changed, from where it was left if it grew, else whole.
#include <algorithm>
#include <memory>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/ingest/run/read_sources.hpp"
#include "weft/ingest/run/source_ingest.hpp"
#include "weft/ingest/run/source_rules.hpp"

namespace weft::ingest {
namespace {

// Hashed at either end of a file to recognise the one that was read.
constexpr std::size_t kFingerprintBytes = 4u << 10;
// A last segment shorter than this is replaced by a longer one instead of followed by another.
constexpr std::uint64_t kShortSegment = 64u << 10;
// Most files never change once they are ingested, and the state of a small one takes a twentieth of
// its size. So a file up to this size has none at first; when it grows, its beginning is read again
// (decision 32).
constexpr std::uint64_t kStatelessBytes = 512u << 10;

// The fingerprint of the first `size` bytes; empty if they cannot be read.
std::optional<std::string> fingerprint_of(const SourceSeal& seal, const SourceFile& file,
                                          std::uint64_t size) {
  const std::uint64_t bytes = std::min<std::uint64_t>(kFingerprintBytes, size);
  const Result<std::string> first = file.read_at(0, bytes);
  const Result<std::string> last = file.read_at(size - bytes, bytes);
  if (!first || !last) return std::nullopt;
  return seal.fingerprint(*first, *last);
}

// Whether the file only grew since it was read, and its format can be resumed.
bool may_resume(const SourceSeal& seal, const SourceFile& file, const store::Source& known,
                const formats::Adapter* adapter) {
  const FileState& state = file.state();
  const bool has_grown = state.size > known.archived || known.modified_ns == 0;
  const bool is_stateless =
      known.state.empty() && (known.archived == 0 || known.archived > kStatelessBytes);
  return adapter != nullptr && !is_stateless && has_grown && state.size >= known.archived &&
         state.inode == known.inode && known.adapter_version == adapter->version &&
         fingerprint_of(seal, file, known.archived) == known.fingerprint;
}

// A reader that stands where the last run left the file: resumed from its state or, where none was
// kept, by reading the file up to there again, which adds nothing to the web. Null if the file has
// to be read whole. Fails if the web cannot be read.
Result<std::unique_ptr<SourceReader>> reader_at_end(RunContext& run, const OpenedFile& opened,
                                                    const formats::Adapter& adapter,
                                                    const SourceDescription& about) {
  const store::Source& known = *opened.known;
  const formats::SourceInfo info = source_info(run.options, about.path, about.project, adapter);
  if (!known.state.empty()) {
    const Result<std::string> state = run.seal.open_state(known.key, known.state);
    if (!state) return nullptr;
    auto reader = open_reader(run, adapter, info, "");
    if (!reader->is_resumable()) return nullptr;
    WEFT_TRY_VALUE(const bool is_resumed, reader->resume(*state, known.lines));
    return is_resumed ? std::move(reader) : nullptr;
  }
  const Result<std::string> bytes = opened.file.read_at(0, known.offset);
  if (!bytes || bytes->size() != known.offset) return nullptr;
  auto reader = open_reader(run, adapter, info, formats::head_of(*bytes));
  if (!reader->is_resumable()) return nullptr;
  reader->push(*bytes);
  reader->weaver().take_report();  // it was given when the file was ingested
  return reader;
}

// Continues the archive behind its last segment, or with that segment if it is short.
Status continue_archive(const RunContext& run, const store::Source& known,
                        SourceProgress& progress) {
  const Result<std::optional<store::Segment>> last =
      run.store.sources().last_segment(known.key, known.generation);
  if (!last) return fail(last.error());
  if (!*last) return {};
  progress.next_seq = (*last)->seq + 1;
  if ((*last)->size >= kShortSegment) return {};
  WEFT_TRY_VALUE(auto bytes,
                 open_segment(run.store, run.keyring, known.key, known.generation, **last));
  progress.next_seq = (*last)->seq;
  progress.source.archived -= bytes.size();
  progress.unarchived.append(bytes);
  return {};
}

// From where the file is positioned to its end.
void read_bytes(RunContext& run, SourceFile& file, SourceIngest& source, const std::string& shown) {
  const std::uint64_t began_at = source.progress().source.offset;
  std::uint64_t bytes = 0;
  const auto set_position = [&](store::Source& row, SourceEnd end) {
    row.offset = began_at + source.reader().woven_bytes();
    row.lines = source.reader().lines();
    set_file_position(run.seal, file, row, end);
  };
  while (true) {
    if (run.is_stopped()) return;
    const Result<std::string_view> chunk = file.read(run.buffer, kChunkBytes);
    if (!chunk) {
      run.report.skip(shown, 0, "could not be read to its end: " + chunk.error().message);
      break;
    }
    if (chunk->empty()) break;
    bytes += chunk->size();
    source.push(*chunk);
    source.archive(*chunk);
    source.commit_if_full(set_position);
    run.report.advance(chunk->size());
  }
  source.finish(set_position);
  if (source.has_conversations()) run.report.count_files(1, bytes);
}

}  // namespace

bool skip_unchanged(RunContext& run, const OpenedFile& opened, const SourceDescription& about) {
  const store::Source& known = *opened.known;
  const FileState& state = opened.file.state();
  if (known.modified_ns == 0) return false;  // it was never read to its end
  if (FileState{known.device, known.inode, known.size, known.modified_ns} != state) return false;
  const Result<std::vector<Cid>> conversations = run.store.sources().conversations_in(known.key);
  if (!conversations) return false;
  run.report.add_conversations(*conversations);
  run.report.count_unchanged();
  run.report.count_files(conversations->empty() ? 0 : 1, 0);
  if (conversations->empty() && keeps_nothing(known)) {
    run.report.skip(opened.listed.shown(), 0, std::string(kForgotten));
  }
  run.report.advance(state.size);
  if (about.path != opened.path) {  // it was renamed
    store::SourceUpdate update{.source = known};
    update.source.about =
        run.seal.seal_description(known.key, {about.format, opened.path, about.project});
    run.queue.add_source(std::move(update), opened.listed.number);
  }
  return true;
}

bool read_appended(RunContext& run, const OpenedFile& opened, const SourceDescription& about) {
  const store::Source& known = *opened.known;
  const formats::Adapter* adapter = formats::find_adapter(known.format);
  if (!may_resume(run.seal, opened.file, known, adapter)) return false;
  Result<std::unique_ptr<SourceReader>> reader = reader_at_end(run, opened, *adapter, about);
  if (!reader) {
    run.queue.fail(std::move(reader).error());
    return true;
  }
  if (*reader == nullptr) return false;

  SourceProgress progress{.file = opened.listed.number, .source = known};
  progress.source.about = run.seal.seal_description(known.key, about);
  progress.already_there = known.archived - known.offset;
  if (!continue_archive(run, known, progress)) return false;
  // A reader that has read the file from its start counts from there.
  if (known.state.empty()) progress.source.offset = 0;
  run.report.advance(known.offset);
  opened.file.seek(known.offset);
  SourceIngest source(run, *std::move(reader), std::move(progress), opened.listed.shown());
  read_bytes(run, opened.file, source, opened.listed.shown());
  return true;
}

void read_whole(RunContext& run, const OpenedFile& opened, const formats::Adapter& adapter,
                const SourceDescription& about, std::string_view head) {
  auto reader =
      open_reader(run, adapter, source_info(run.options, about.path, about.project, adapter), head);
  opened.file.seek(0);
  SourceProgress progress = begin_source(run.seal, opened.listed.number, opened.known, about);
  if (!opened.known) progress.stateless_bytes = kStatelessBytes;
  SourceIngest source(run, std::move(reader), std::move(progress), opened.listed.shown());
  read_bytes(run, opened.file, source, opened.listed.shown());
}

void set_file_position(const SourceSeal& seal, const SourceFile& file, store::Source& source,
                       SourceEnd end) {
  FileState state = file.state();
  if (const Result<FileState> now = file.state_now(); now && now->size == source.archived) {
    state = *now;  // it grew while it was read
  }
  source.device = state.device;
  source.inode = state.inode;
  source.size = source.archived;
  source.modified_ns = end == SourceEnd::yes ? state.modified_ns : 0;
  source.fingerprint = fingerprint_of(seal, file, source.archived).value_or("");
}

}  // namespace weft::ingest
