// Reading a file: not at all where nothing changed, from where it was left where it has
// grown, and else whole.
#include <algorithm>

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;
// What is looked at on either end to tell that a file is still the one that was read.
constexpr std::size_t kPrintBytes = 4u << 10;
// An archived piece that is shorter than this is made longer instead of followed by another.
constexpr std::uint64_t kShortSegment = 64u << 10;

}  // namespace

bool IngestRun::is_unchanged(const store::Source& known, const FileState& state,
                             const std::string& shown) {
  if (known.modified_ns == 0) return false;  // it was never read to its end
  if (FileState{known.device, known.inode, known.size, known.modified_ns} != state) return false;
  const Result<std::vector<Cid>> conversations = store_.conversations_in(known.key);
  if (!conversations) return false;
  note_conversations(*conversations);
  if (first_round_) {
    ++report_.unchanged;
    report_.files += conversations->empty() ? 0 : 1;
  }
  if (conversations->empty() && keeps_nothing(known)) skip(shown, 0, std::string(kForgotten));
  report_progress(state.size);
  return true;
}

void IngestRun::note_new_name(std::size_t number, const store::Source& known, const About& about) {
  store::SourceUpdate update{.source = known};
  update.source.about = seal_.seal_about(known.key, about);
  job_.batch.sources.push_back(std::move(update));
  job_.files.push_back(number);
}

bool IngestRun::still_begins_so(const SourceFile& file, const store::Source& known) const {
  const std::uint64_t fingerprint = std::min<std::uint64_t>(kPrintBytes, known.archived);
  const Result<std::string> first = file.read_at(0, fingerprint);
  const Result<std::string> last = file.read_at(known.archived - fingerprint, fingerprint);
  return first && last && seal_.fingerprint(*first, *last) == known.fingerprint;
}

bool IngestRun::take_growth(std::size_t number, SourceFile& file, const store::Source& known,
                            const About& about) {
  const formats::Adapter* adapter = formats::find_adapter(known.format);
  const bool has_grown = file.state().size > known.archived || known.modified_ns == 0;
  if (adapter == nullptr || known.state.empty() || !has_grown ||
      file.state().size < known.archived || file.state().inode != known.inode ||
      known.adapter_version != adapter->version || !still_begins_so(file, known)) {
    return false;
  }
  const Result<std::string> state = seal_.open_state(known.key, known.state);
  if (!state) return false;
  SourceReader source_reader(*adapter, info_of(about.path, about.project, *adapter), "",
                             identities_, known_web_);
  if (!options_.selection.subagents) source_reader.leave_out_subagents();
  if (!source_reader.goes_on() || !source_reader.resume(*state, known.lines)) return false;

  SourceProgress taking{.file = number, .source = known, .about = about};
  taking.source.about = seal_.seal_about(known.key, about);
  taking.already = known.archived - known.offset;
  const Result<std::optional<store::Segment>> last =
      store_.last_segment(known.key, known.generation);
  if (!last) return false;
  if (*last) {
    taking.next_seq = (*last)->seq + 1;
    if ((*last)->size < kShortSegment) {
      Result<std::string> bytes =
          open_segment(store_, keyring_, known.key, known.generation, **last);
      if (!bytes) return false;
      taking.next_seq = (*last)->seq;
      taking.source.archived -= bytes->size();
      taking.unarchived = *std::move(bytes);
    }
  }
  report_progress(known.offset);
  file.seek(known.offset);
  take_bytes(file, source_reader, taking);
  return true;
}

void IngestRun::take_whole(std::size_t number, SourceFile& file,
                           const std::optional<store::Source>& known,
                           const formats::Adapter& adapter, About about, std::string_view head) {
  SourceReader source_reader(adapter, info_of(about.path, about.project, adapter), head,
                             identities_, known_web_);
  if (!options_.selection.subagents) source_reader.leave_out_subagents();
  SourceProgress taking = begin(number, known, std::move(about));
  file.seek(0);
  take_bytes(file, source_reader, taking);
}

void IngestRun::take_bytes(SourceFile& file, SourceReader& source_reader, SourceProgress& taking) {
  const std::string shown = files_[taking.file].path.string();
  const std::uint64_t began_at = taking.source.offset;
  std::uint64_t bytes = 0;
  const auto set_so_far = [&](bool at_end) {
    return [&, at_end](SourceProgress& at) {
      at.source.offset = began_at + source_reader.woven_bytes();
      at.source.lines = source_reader.lines();
      set_read(file, at, at_end);
    };
  };
  while (true) {
    if (stops()) return;
    const Result<std::string_view> chunk = file.read(chunk_, kChunkBytes);
    if (!chunk) {
      skip(shown, 0, "could not be read to its end: " + chunk.error().message);
      break;
    }
    if (chunk->empty()) break;
    bytes += chunk->size();
    source_reader.push(*chunk);
    archive(taking, *chunk);
    send_on(source_reader, taking, set_so_far(false));
    report_progress(chunk->size());
  }
  source_reader.end();
  finish(source_reader, taking, set_so_far(true), shown);
  if (first_round_ && !source_reader.weaver().conversations().empty()) {
    ++report_.files;
    report_.bytes += bytes;
  }
}

// Called when `taking.source.archived` stands.
void IngestRun::set_read(const SourceFile& file, SourceProgress& taking, bool at_end) const {
  store::Source& source = taking.source;
  FileState state = file.state();
  if (const Result<FileState> now = file.state_now(); now && now->size == source.archived) {
    state = *now;  // it may have grown while it was read
  }
  source.device = state.device;
  source.inode = state.inode;
  source.size = source.archived;
  source.modified_ns = at_end ? state.modified_ns : 0;
  const std::uint64_t fingerprint = std::min<std::uint64_t>(kPrintBytes, source.archived);
  const Result<std::string> first = file.read_at(0, fingerprint);
  const Result<std::string> last = file.read_at(source.archived - fingerprint, fingerprint);
  source.fingerprint = first && last ? seal_.fingerprint(*first, *last) : std::string();
}

}  // namespace weft::ingest
