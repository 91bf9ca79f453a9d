#include "weft/store/outline/outline_page.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/pages/column_bytes.hpp"

namespace weft::store {
namespace {

using sql::ColumnReader;
using sql::ColumnWriter;

// On disk: the bits of a block, of a turn, and of the facts that a portion states of a block.
constexpr std::uint64_t kSuperseded = 1, kSummary = 2, kMetadata = 4, kMetadataClosed = 8,
                        kContent = 16, kContentClosed = 32, kNoPosition = 64;
constexpr std::uint64_t kNamesParent = 1, kParentKnown = 2, kTurnNoPosition = 4;
constexpr std::uint64_t kDuration = 1, kChars = 2, kTool = 4, kError = 8, kWithheld = 16;

constexpr Portion kLayers[] = {Portion::metadata, Portion::content};

std::uint64_t bit_if(bool is_set, std::uint64_t bit) { return is_set ? bit : 0; }

// The position that a block most likely has: the next in its turn.
std::int64_t expected_position(const BlockItem* before, Handle turn) {
  if (before == nullptr || before->turn != turn || !before->position) return 0;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(*before->position) + 1);
}

// The time that a turn most likely has: that of its first block. Turns are asked about in order.
class ExpectedTime {
 public:
  // `blocks` and `times` outlive it: the blocks from `begin` on, and when they were made.
  ExpectedTime(const std::vector<BlockItem>& blocks, std::size_t begin,
               const std::vector<Millis>& times)
      : blocks_(blocks), begin_(begin), times_(times) {}

  Millis of(Handle turn, Millis before) {
    for (std::size_t i = at_; i < times_.size(); ++i) {
      if (blocks_[begin_ + i].turn != turn) continue;
      at_ = i;
      return times_[i];
    }
    return before;
  }

 private:
  const std::vector<BlockItem>& blocks_;
  std::size_t begin_, at_ = 0;
  const std::vector<Millis>& times_;
};

// Values in the order in which they first came. Columns have their numbers.
template <class Value>
class ValueList {
 public:
  std::uint64_t number_of(const Value& value) {
    const auto [found, is_new] = numbers_.try_emplace(value, values_.size());
    if (is_new) values_.push_back(value);
    return found->second;
  }
  const std::vector<Value>& values() const { return values_; }

 private:
  std::unordered_map<Value, std::uint64_t> numbers_;
  std::vector<Value> values_;
};

// --- packing -------------------------------------------------------------------------------------

std::uint64_t bits_of(const PageBlock& block) {
  const Statement& says = block.record.statement;
  return bit_if(block.item.is_superseded, kSuperseded) | bit_if(block.item.is_summary, kSummary) |
         bit_if(!block.item.position, kNoPosition) |
         bit_if(says.metadata != LayerState::none, kMetadata) |
         bit_if(says.metadata == LayerState::closed, kMetadataClosed) |
         bit_if(says.content != LayerState::none, kContent) |
         bit_if(says.content == LayerState::closed, kContentClosed);
}

void put_blocks(ColumnWriter& out, const OutlinePage& page) {
  for (const PageBlock& block : page.blocks) out.put(bits_of(block));
  Handle before = 0;
  for (const PageBlock& block : page.blocks) {
    out.put_step(std::exchange(before, block.item.turn), block.item.turn);
  }
  const BlockItem* item_before = nullptr;
  for (const PageBlock& block : page.blocks) {
    const std::int64_t expected = expected_position(item_before, block.item.turn);
    if (block.item.position) out.put_step(expected, *block.item.position);
    item_before = &block.item;
  }
  before = 0;
  for (const PageBlock& block : page.blocks) {
    out.put_step(std::exchange(before, block.item.block), block.item.block);
  }
  Millis time = 0;
  for (const PageBlock& block : page.blocks) {
    out.put_step(std::exchange(time, block.record.created_at), block.record.created_at);
  }
  for (const PageBlock& block : page.blocks) out.put(block.record.causes.size());
}

void put_turns(ColumnWriter& out, const OutlinePage& page) {
  for (const TurnItem& turn : page.turns) {
    out.put(bit_if(turn.names_parent, kNamesParent) |
            bit_if(turn.parent.has_value(), kParentKnown) |
            bit_if(!turn.position, kTurnNoPosition));
  }
  Handle before = 0;
  for (const TurnItem& turn : page.turns) out.put_step(std::exchange(before, turn.turn), turn.turn);
  std::int64_t sequence_before = 0;
  for (const TurnItem& turn : page.turns) {
    const auto sequence = static_cast<std::int64_t>(turn.sequence);
    out.put_step(std::exchange(sequence_before, sequence), sequence);
  }
  std::vector<BlockItem> items;
  std::vector<Millis> times;
  for (const PageBlock& block : page.blocks) {
    items.push_back(block.item);
    times.push_back(block.record.created_at);
  }
  ExpectedTime expected(items, 0, times);
  Millis time_before = 0;
  for (const TurnItem& turn : page.turns) {
    if (turn.position) out.put_step(static_cast<std::int64_t>(turn.sequence), *turn.position);
    out.put_step(expected.of(turn.turn, time_before), turn.created_at);
    time_before = turn.created_at;
    if (turn.parent) out.put_step(turn.turn, *turn.parent);
  }
}

void put_records(ColumnWriter& out, const OutlinePage& page) {
  ValueList<std::int64_t> types;
  for (const PageBlock& block : page.blocks) (void)types.number_of(block.record.type);
  out.put(types.values().size());
  for (const std::int64_t type : types.values()) out.put_signed(type);
  for (const PageBlock& block : page.blocks) out.put(types.number_of(block.record.type));
  // A cause is mostly a block shortly before: how many blocks back, doubled; else by its handle.
  std::unordered_map<Handle, std::size_t> numbers;
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    const PageBlock& block = page.blocks[i];
    for (const Handle cause : block.record.causes) {
      const auto found = numbers.find(cause);
      out.put(found != numbers.end() ? (i - found->second) * 2 : 1);
      if (found == numbers.end()) out.put_step(block.item.block, cause);
    }
    numbers[block.item.block] = i;
  }
}

std::uint64_t bits_of(const StatedFacts& facts) {
  return bit_if(facts.duration_ms.has_value(), kDuration) |
         bit_if(facts.chars.has_value(), kChars) | bit_if(facts.tool.has_value(), kTool) |
         bit_if(facts.is_error, kError) | bit_if(facts.is_withheld, kWithheld);
}

void put_stated(ColumnWriter& out, const std::vector<const StatedFacts*>& all) {
  const auto says_something = [](const StatedFacts* facts) { return bits_of(*facts) != 0; };
  if (std::ranges::none_of(all, says_something)) return;
  ValueList<std::string> tools;
  for (const StatedFacts* facts : all) {
    if (facts->tool) (void)tools.number_of(*facts->tool);
  }
  out.put(tools.values().size());
  for (const std::string& tool : tools.values()) out.put_text(tool);
  for (const StatedFacts* facts : all) out.put(bits_of(*facts));
  for (const StatedFacts* facts : all) {
    if (facts->duration_ms) out.put_signed(*facts->duration_ms);
  }
  for (const StatedFacts* facts : all) {
    if (facts->chars) out.put(*facts->chars);
  }
  for (const StatedFacts* facts : all) {
    if (facts->tool) out.put(tools.number_of(*facts->tool));
  }
}

// --- unpacking -----------------------------------------------------------------------------------

LayerState state_in(std::uint64_t bits, std::uint64_t has, std::uint64_t is_closed) {
  if ((bits & has) == 0) return LayerState::none;
  return (bits & is_closed) == 0 ? LayerState::open : LayerState::closed;
}

// The columns of the items of one page, as far as others depend on them. They serve one page after
// another.
struct ItemColumns {
  std::vector<std::uint64_t> bits{};
  std::vector<Millis> times{};
  std::vector<std::size_t> causes{};  // how many
};

void take_blocks(ColumnReader& in, std::size_t count, OutlineItems& out, ItemColumns& columns) {
  const std::size_t begin = out.blocks.size();
  out.blocks.resize(begin + count);
  const std::span<BlockItem> blocks = std::span(out.blocks).subspan(begin);
  columns.bits.resize(count);
  columns.times.resize(count);
  columns.causes.resize(count);
  for (std::uint64_t& bits : columns.bits) bits = in.take();
  Handle before = 0;
  for (BlockItem& block : blocks) before = block.turn = in.take_step(before);
  const BlockItem* item_before = nullptr;
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t expected = expected_position(item_before, blocks[i].turn);
    if ((columns.bits[i] & kNoPosition) == 0) blocks[i].position = in.take_step(expected);
    item_before = &blocks[i];
  }
  before = 0;
  for (BlockItem& block : blocks) before = block.block = in.take_step(before);
  Millis time = 0;
  for (Millis& at : columns.times) time = at = in.take_step(time);
  for (std::size_t i = 0; i < count; ++i) {
    columns.causes[i] = in.take_count();
    blocks[i].has_cause = columns.causes[i] > 0;
    blocks[i].is_superseded = (columns.bits[i] & kSuperseded) != 0;
    blocks[i].is_summary = (columns.bits[i] & kSummary) != 0;
  }
}

void take_turns(ColumnReader& in, std::size_t count, std::size_t first_block, OutlineItems& out,
                const ItemColumns& columns) {
  const std::size_t begin = out.turns.size();
  out.turns.resize(begin + count);
  const std::span<TurnItem> turns = std::span(out.turns).subspan(begin);
  std::vector<std::uint64_t> bits(count);
  for (std::uint64_t& one : bits) one = in.take();
  Handle before = 0;
  for (TurnItem& turn : turns) before = turn.turn = in.take_step(before);
  std::int64_t sequence = 0;
  for (TurnItem& turn : turns) {
    sequence = in.take_step(sequence);
    turn.sequence = static_cast<std::uint64_t>(sequence);
  }
  ExpectedTime expected(out.blocks, first_block, columns.times);
  Millis time_before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    TurnItem& turn = turns[i];
    if ((bits[i] & kTurnNoPosition) == 0) {
      turn.position = in.take_step(static_cast<std::int64_t>(turn.sequence));
    }
    time_before = turn.created_at = in.take_step(expected.of(turn.turn, time_before));
    turn.names_parent = (bits[i] & kNamesParent) != 0;
    if ((bits[i] & kParentKnown) != 0) turn.parent = in.take_step(turn.turn);
  }
}

void take_items(ColumnReader& in, OutlineItems& out, ItemColumns& columns) {
  const std::size_t blocks = in.take_count(), turns = in.take_count();
  const std::size_t first_block = out.blocks.size();
  take_blocks(in, blocks, out, columns);
  take_turns(in, turns, first_block, out, columns);
}

void take_records(ColumnReader& in, const ItemColumns& columns, OutlinePage& page) {
  std::vector<std::int64_t> types(in.take_count());
  for (std::int64_t& type : types) type = in.take_signed();
  for (std::size_t i = 0; i < page.blocks.size(); ++i) {
    BlockRecord& record = page.blocks[i].record;
    const std::uint64_t type = in.take();
    if (type >= types.size()) return in.damage();
    record.type = types[type];
    record.created_at = columns.times[i];
    record.statement.metadata = state_in(columns.bits[i], kMetadata, kMetadataClosed);
    record.statement.content = state_in(columns.bits[i], kContent, kContentClosed);
  }
  for (std::size_t i = 0; i < page.blocks.size() && in.is_whole(); ++i) {
    PageBlock& block = page.blocks[i];
    block.record.causes.resize(columns.causes[i]);
    for (Handle& cause : block.record.causes) {
      const std::uint64_t code = in.take(), back = code / 2;
      if (code % 2 != 0) cause = in.take_step(block.item.block);
      else if (back == 0 || back > i) return in.damage();
      else cause = page.blocks[i - back].item.block;
    }
  }
}

void take_stated(ColumnReader& in, const std::vector<StatedFacts*>& all) {
  if (in.is_at_end()) return;
  std::vector<std::string> tools(in.take_count());
  for (std::string& tool : tools) tool = in.take_text();
  std::vector<std::uint64_t> bits(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    bits[i] = in.take();
    all[i]->is_error = (bits[i] & kError) != 0;
    all[i]->is_withheld = (bits[i] & kWithheld) != 0;
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((bits[i] & kDuration) != 0) all[i]->duration_ms = in.take_signed();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((bits[i] & kChars) != 0) all[i]->chars = in.take();
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((bits[i] & kTool) == 0) continue;
    const std::uint64_t tool = in.take();
    if (tool >= tools.size()) return in.damage();
    all[i]->tool = tools[tool];
  }
}

std::unexpected<Error> damaged_page() {
  return fail(ErrorCode::corrupt, "a page of an outline cannot be read");
}

}  // namespace

PageColumns pack(const OutlinePage& page) {
  PageColumns columns;
  ColumnWriter clear;
  clear.put(page.blocks.size());
  clear.put(page.turns.size());
  put_blocks(clear, page);
  put_turns(clear, page);
  put_records(clear, page);
  std::vector<const StatedFacts*> stated;
  for (const PageBlock& block : page.blocks) stated.push_back(&block.record.statement.stated[0]);
  put_stated(clear, stated);
  columns[0] = sql::squeeze(clear.bytes());
  for (const Portion portion : kLayers) {
    stated.clear();
    bool has_layer = false;
    for (const PageBlock& block : page.blocks) {
      const LayerState state = block.record.statement.layer(portion);
      has_layer = has_layer || state != LayerState::none;
      if (state != LayerState::open) continue;
      stated.push_back(&block.record.statement.stated[static_cast<std::size_t>(portion)]);
    }
    if (!has_layer) continue;
    ColumnWriter layer;
    put_stated(layer, stated);
    columns[static_cast<std::size_t>(portion)] = sql::squeeze(layer.bytes());
  }
  return columns;
}

Status unpack_items(std::string_view clear, OutlineItems& out) {
  WEFT_TRY_VALUE(const std::string bytes, sql::unsqueeze(clear));
  ColumnReader in(bytes);
  thread_local ItemColumns columns;
  take_items(in, out, columns);
  if (!in.is_whole()) return damaged_page();
  return {};
}

Result<OutlinePage> unpack_page(const PageColumns& columns) {
  WEFT_TRY_VALUE(const std::string bytes, sql::unsqueeze(columns[0]));
  ColumnReader in(bytes);
  OutlineItems items;
  ItemColumns taken;
  take_items(in, items, taken);
  OutlinePage page{.turns = std::move(items.turns), .blocks = {}};
  page.blocks.resize(items.blocks.size());
  for (std::size_t i = 0; i < items.blocks.size(); ++i) page.blocks[i].item = items.blocks[i];
  take_records(in, taken, page);
  std::vector<StatedFacts*> stated;
  for (PageBlock& block : page.blocks) stated.push_back(&block.record.statement.stated[0]);
  take_stated(in, stated);
  if (!in.is_whole() || !in.is_at_end()) return damaged_page();
  for (const Portion portion : kLayers) {
    const std::string& column = columns[static_cast<std::size_t>(portion)];
    if (column.empty()) continue;
    WEFT_TRY_VALUE(const std::string layer_bytes, sql::unsqueeze(column));
    ColumnReader layer(layer_bytes);
    stated.clear();
    for (PageBlock& block : page.blocks) {
      Statement& says = block.record.statement;
      if (says.layer(portion) != LayerState::open) continue;
      stated.push_back(&says.stated[static_cast<std::size_t>(portion)]);
    }
    take_stated(layer, stated);
    if (!layer.is_whole() || !layer.is_at_end()) return damaged_page();
  }
  return page;
}

}  // namespace weft::store
