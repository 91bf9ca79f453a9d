#include "weft/query/transcript/entry_stream.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/ask/turns.hpp"

namespace weft::query {
namespace {

using transcript::Block;

// Number of blocks that are read together.
constexpr std::size_t kChunk = 512;

}  // namespace

EntryStream::EntryStream(const Library& library, store::ConversationRow row, EntryMark from,
                         transcript::IncludeThinking thinking, EmittedEntries emitted)
    : library_(&library),
      row_(std::move(row)),
      heading_{.format = row_.format, .session_id = row_.session_id, .source = row_.source},
      reader_(library, row_.created_by),
      builder_(heading_, crypto::blake3, thinking, from.sequence),
      emitted_(std::move(emitted)),
      mark_(std::move(from)),
      read_(mark_.mark) {}

Result<EntryStream> EntryStream::open(const Library& library, store::ConversationRow row,
                                      EntryMark from, transcript::IncludeThinking thinking,
                                      EmittedEntries emitted) {
  EntryStream stream(library, std::move(row), std::move(from), thinking, std::move(emitted));
  WEFT_TRY(stream.resume());
  return stream;
}

// Restores the last emitted block: the next one may belong to its message.
Status EntryStream::resume() {
  if (mark_.mark == 0) return {};
  WEFT_TRY_VALUE(auto last, library_->web.placed_blocks(row_.cid, mark_.mark - 1, 1));
  if (last.empty() || last.front().mark != mark_.mark || last.front().turn != mark_.turn ||
      last.front().position != mark_.position) {
    return fail(ErrorCode::not_found, "the conversation has no such mark");
  }
  const store::PlacedBlock& placed = last.front();
  WEFT_TRY(enter_turn(placed.turn));
  WEFT_TRY_VALUE(auto block, reader_.read(placed.block));
  WEFT_TRY_VALUE(auto superseded, superseded_entry(block, placed));
  if (superseded || transcript::is_thinking(block)) return {};
  block.source_id = source_id_;
  builder_.pass(block, mark_.head);
  return {};
}

Result<std::vector<StreamEntry>> EntryStream::next() {
  for (;;) {
    WEFT_TRY_VALUE(auto placed_blocks, library_->web.placed_blocks(row_.cid, read_, kChunk));
    for (const store::PlacedBlock& placed : placed_blocks) {
      WEFT_TRY(take(placed));
      read_ = placed.mark;
    }
    const bool at_end = placed_blocks.size() < kChunk;
    std::vector<StreamEntry> entries = take_entries(at_end);
    if (!entries.empty() || at_end) return entries;
  }
}

std::vector<StreamEntry> EntryStream::take_entries(bool at_end) {
  std::vector<transcript::TranscriptEntry> entries =
      at_end ? builder_.take_entries() : builder_.take_closed_entries();
  std::vector<StreamEntry> out;
  out.reserve(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    out.push_back({std::move(entries[i]), std::move(marks_[i])});
  }
  marks_.erase(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(out.size()));
  if (!out.empty()) mark_ = out.back().mark;
  return out;
}

Status EntryStream::enter_turn(const Cid& turn) {
  Result<thought::Thought> thought = library_->web.get_without_path(turn);
  if (!thought) return fail(std::move(thought).error().within("reading a turn"));
  turn_ = turn;
  source_id_ = "#" + std::to_string(find_int(thought->content, "sequence").value_or(0));
  return {};
}

std::string EntryStream::id_at(std::uint64_t position, std::string_view state) const {
  return transcript::entry_id_of(heading_, source_id_, position, state, crypto::blake3);
}

// The entries of the last step are at `placed`, and the last one ends there.
void EntryStream::note(const store::PlacedBlock& placed) {
  const std::vector<transcript::TranscriptEntry>& entries = builder_.entries();
  if (entries.empty()) return;
  marks_.resize(entries.size());
  marks_.back() = {.mark = placed.mark,
                   .turn = placed.turn,
                   .position = placed.position,
                   .head = builder_.head(),
                   .sequence = entries.back().sequence + 1};
}

Status EntryStream::take(const store::PlacedBlock& placed) {
  if (turn_ != placed.turn) {
    const bool waits = !builder_.waiting().empty();
    if (waits && emitted_.contains(id_at(waiting_.position))) {
      builder_.forget_waiting();
      mark_ = waiting_;
      mark_.sequence = builder_.next_sequence();
      mark_.head = id_at(waiting_.position);
      has_passed_ = true;
    }
    const std::size_t before = builder_.entries().size();
    builder_.close_turn();
    if (builder_.entries().size() > before) {
      emitted_.clear();
      note({waiting_.mark, waiting_.turn, {}, waiting_.position});
    }
    WEFT_TRY(enter_turn(placed.turn));
  }
  WEFT_TRY_VALUE(auto block, reader_.read(placed.block));
  block.source_id = source_id_;
  block.index = static_cast<std::uint32_t>(placed.position);
  return emit(block, placed);
}

Status EntryStream::emit(const Block& block, const store::PlacedBlock& placed) {
  WEFT_TRY_VALUE(auto superseded, superseded_entry(block, placed));
  if (superseded) {
    const std::string id = id_at(placed.position, placed.block.str());
    if (transcript::is_thinking(block)) return {};
    if (emitted_.contains(id)) {
      builder_.pass_restated(id);
      left_ = 0;
      has_passed_ = true;
      mark_ = {placed.mark, placed.turn, placed.position, id, builder_.next_sequence()};
      return {};
    }
    emitted_.clear();
    builder_.take_restated(block, id, *std::move(superseded));
    note(placed);
    return {};
  }
  if (transcript::is_thinking(block)) {
    waiting_ = {placed.mark, placed.turn, placed.position, {}, 0};
    builder_.take(block);
    return {};
  }
  if (skip_emitted(block, placed, id_at(placed.position))) return {};
  builder_.take(block);
  note(placed);
  return {};
}

// Whether the block is in an entry that was emitted before. Entries are emitted in order, so after
// the first block that is not, none is.
bool EntryStream::skip_emitted(const Block& block, const store::PlacedBlock& placed,
                               const std::string& id) {
  if (emitted_.empty()) return false;
  const std::size_t size = transcript::words_of(block).size();
  std::string head;
  if (const auto emitted = emitted_.find(id); emitted != emitted_.end()) {
    head = emitted->second.head;
    left_ = emitted->second.size - std::min(size, emitted->second.size);
  } else if (builder_.is_continuation(block) && left_ > size) {  // for the newline in between
    head = builder_.head();
    left_ -= size + 1;
  } else {
    emitted_.clear();
    return false;
  }
  has_passed_ = true;
  builder_.pass(block, head);
  mark_ = {placed.mark, placed.turn, placed.position, head, builder_.next_sequence()};
  return true;
}

Result<std::optional<std::string>> EntryStream::superseded_entry(const Block& block,
                                                                 const store::PlacedBlock& placed) {
  WEFT_TRY_VALUE(auto older, library_->web.neighbours_by(row_.created_by, placed.block,
                                                         "supersedes", store::Direction::from));
  for (const Cid& cid : older) {
    // It may be elsewhere: in the conversation that this one was copied from.
    WEFT_TRY_VALUE(auto turns, library_->web.neighbours_by(row_.created_by, cid, "contains",
                                                           store::Direction::to));
    if (std::ranges::find(turns, placed.turn) == turns.end()) continue;
    if (!transcript::is_message(block)) return id_at(placed.position);
    WEFT_TRY_VALUE(auto head, head_of_message(placed.turn, cid, placed.position));
    return head;
  }
  return std::nullopt;
}

// Back over the blocks that make one message with this one, as it was at first.
Result<std::string> EntryStream::head_of_message(const Cid& turn, const Cid& block,
                                                 std::uint64_t position) {
  WEFT_TRY_VALUE(auto blocks, library_->web.neighbours_by(row_.created_by, turn, "contains",
                                                          store::Direction::from));
  WEFT_TRY_VALUE(const Cid standing, standing_for(*library_, block));
  WEFT_TRY_VALUE(auto last, reader_.read(standing));
  auto at = std::ranges::find(blocks, block);
  bool is_before = false;  // the block's own place
  for (; at != blocks.end(); --at) {
    WEFT_TRY_VALUE(auto older, library_->web.neighbours_by(row_.created_by, *at, "supersedes",
                                                           store::Direction::from));
    if (older.empty()) {  // otherwise the block that it supersedes is before it, at the same place
      WEFT_TRY_VALUE(const Cid before, standing_for(*library_, *at));
      WEFT_TRY_VALUE(auto earlier, reader_.read(before));
      if (!transcript::is_message(earlier) || earlier.author != last.author) break;
      if (is_before) --position;
      is_before = true;
    }
    if (at == blocks.begin() || position == 0) break;
  }
  return id_at(position);
}

}  // namespace weft::query
