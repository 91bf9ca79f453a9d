#include "weft/store/sql/outlines/outline_table.hpp"

#include <utility>

#include "weft/base/try.hpp"
#include "weft/store/sql/outlines/added_outline.hpp"
#include "weft/store/sql/read/outline_rows.hpp"

namespace weft::store::sql {
namespace {

constexpr std::string_view kOutlines = "outlines";

// What is missing or damaged is reported by `weft verify` as such; the outline is left to be
// computed.
bool is_unreadable(const Error& error) {
  return error.code == ErrorCode::not_found || error.code == ErrorCode::corrupt;
}

// The items of a conversation in the order of their connections, with the record of each block:
// what the pages must have.
class ComputedItems {
 public:
  explicit ComputedItems(LateContext& with)
      : with_(with),
        names_(with.database, with.words),
        rows_{with.database, with.edges, with.words, names_},
        cursor_(with.database) {}

  // Calls add_turn and add_group in order.
  template <class AddTurn, class AddGroup>
  Status each(Id conversation, const AddTurn& add_turn, const AddGroup& add_group) {
    WEFT_TRY_VALUE(const auto creator, creator_of(with_, conversation));
    if (!creator) return fail(ErrorCode::not_found, "the conversation is not stored");
    WEFT_TRY_VALUE(const OutlineItems items, read_items(rows_, conversation, *creator));
    auto turn = items.turns.begin();
    for (auto block = items.blocks.begin(); block != items.blocks.end();) {
      for (; turn != items.turns.end() && turn->edge < block->edge; ++turn) {
        WEFT_TRY(add_turn(*turn));
      }
      PlacedGroup group;
      do {
        WEFT_TRY(cursor_.seek(block->block));
        WEFT_TRY_VALUE(auto record, read_record(rows_, cursor_.row(), with_.keyring));
        PageBlock& placed = group.emplace_back(PageBlock{*block, std::move(record)});
        placed.item.has_cause = !placed.record.causes.empty();
        ++block;
      } while (block != items.blocks.end() && block->is_summary);
      WEFT_TRY(add_group(std::move(group)));
    }
    for (; turn != items.turns.end(); ++turn) WEFT_TRY(add_turn(*turn));
    return {};
  }

 private:
  LateContext& with_;
  Names names_;
  OutlineRows rows_;
  ThoughtCursor cursor_;
};

Status add_outline(LateContext& with, const LateAddition& addition) {
  AddedOutline added(with, addition);
  const Result<bool> is_written = added.write();
  if (!is_written && !is_unreadable(is_written.error())) return fail(Error(is_written.error()));
  if (!is_written || !*is_written) WEFT_TRY(fill_outline(with, addition.conversation));
  for (const Id conversation : added.refill()) {
    const OutlinePages pages(with.database, with.keyring, conversation);
    WEFT_TRY_VALUE(const bool are_stored, pages.are_stored());
    if (are_stored) WEFT_TRY(fill_outline(with, conversation));
  }
  return {};
}

Status remove_outline(LateContext& with, Id conversation) {
  return OutlinePages(with.database, with.keyring, conversation).remove();
}

// Compares the pages of a conversation with what is computed, item by item.
class PageCheck {
 public:
  PageCheck(LateContext& with, Id conversation)
      : with_(with), pages_(with.database, with.keyring, conversation) {}

  Status begin() {
    OutlineItems items;
    WEFT_TRY(pages_.read_items(items, starts_));
    is_empty_ = items.turns.empty() && items.blocks.empty();
    turns_ = std::move(items.turns);
    return resolve_parents(with_.database, with_.words, turns_);
  }
  Status pass(TurnItem turn) {
    WEFT_TRY(enter(turn.edge));
    last_ = std::exchange(turn.edge, 0);
    const bool is_there = turn_ < turns_.size() && in_page_turns_ < stored_.page.turns.size();
    is_same_ = is_same_ && is_there && turns_[turn_] == turn;
    ++turn_;
    ++in_page_turns_;
    return {};
  }
  Status pass(PlacedGroup group) {
    WEFT_TRY(enter(group.front().item.edge));
    last_ = group.front().item.edge;
    for (PageBlock& block : group) {
      block.item.edge = 0;
      const bool is_there = in_page_ < stored_.page.blocks.size();
      if (is_there) {
        PageBlock& other = stored_.page.blocks[in_page_];
        hide_closed(other);
        hide_closed(block);
        is_same_ = is_same_ && other == block;
      }
      is_same_ = is_same_ && is_there;
      ++in_page_;
    }
    return {};
  }
  bool is_same() const {
    if (page_ == 0) return is_same_ && is_empty_;
    return is_same_ && is_page_over() && page_ == starts_.size() && turn_ == turns_.size() &&
           stored_.last == last_;
  }

 private:
  bool is_page_over() const {
    return in_page_ == stored_.page.blocks.size() && in_page_turns_ == stored_.page.turns.size();
  }
  // Goes on to the next page when this one is over: that begins with this connection.
  Status enter(Id edge) {
    if (!is_same_ || (page_ > 0 && !is_page_over())) return {};
    is_same_ = page_ < starts_.size() && starts_[page_].first == edge;
    if (!is_same_) return {};
    WEFT_TRY_VALUE(auto next, pages_.find_page(edge));
    is_same_ = next.has_value();
    if (next) stored_ = *std::move(next);
    ++page_;
    in_page_ = in_page_turns_ = 0;
    return {};
  }
  // Of a layer that does not open only its presence is known.
  void hide_closed(PageBlock& block) const {
    Statement& says = block.record.statement;
    for (const Portion portion : {Portion::metadata, Portion::content}) {
      if (!stored_.is_closed[static_cast<std::size_t>(portion)]) continue;
      if (says.layer(portion) == LayerState::none) continue;
      says.layer(portion) = LayerState::closed;
      says.stated[static_cast<std::size_t>(portion)] = {};
      if (portion == Portion::metadata) says.stated[2] = {};  // it has what metadata does not state
    }
  }

  LateContext& with_;
  OutlinePages pages_;
  std::vector<ConversationOutline::Page> starts_{};
  std::vector<TurnItem> turns_{};
  StoredPage stored_{};
  std::size_t page_ = 0, turn_ = 0, in_page_ = 0, in_page_turns_ = 0;
  Id last_ = 0;
  bool is_same_ = true, is_empty_ = false;
};

Status check_outline(LateContext& with, Id conversation, FindingList& out) {
  const OutlinePages pages(with.database, with.keyring, conversation);
  WEFT_TRY_VALUE(const bool are_stored, pages.are_stored());
  // Then each answer computes it.
  if (!are_stored) return {};
  PageCheck check(with, conversation);
  Status status = check.begin();
  ComputedItems computed(with);
  if (status) {
    status = computed.each(
        conversation, [&](const TurnItem& turn) { return check.pass(turn); },
        [&](PlacedGroup group) { return check.pass(std::move(group)); });
  }
  if (!status && !is_unreadable(status.error())) return status;
  if (!status || !check.is_same()) {
    out.add(kOutlines, "the outline of this conversation is not that of its blocks", conversation);
  }
  return {};
}

}  // namespace

Status fill_outline(LateContext& with, Id conversation) {
  const OutlinePages pages(with.database, with.keyring, conversation);
  WEFT_TRY(pages.remove());
  OutlineWriter writer(pages);
  ComputedItems computed(with);
  Status status = computed.each(
      conversation, [&](const TurnItem& turn) { return writer.add(turn); },
      [&](PlacedGroup group) { return writer.add(std::move(group)); });
  if (status) return writer.finish();
  return is_unreadable(status.error()) ? pages.write_unreadable() : status;
}

Status resolve_parents(const Database& database, const Words& words, std::vector<TurnItem>& turns) {
  for (TurnItem& turn : turns) {
    if (!turn.names_parent || turn.parent) continue;
    Rows rows = database.query("SELECT body FROM thoughts WHERE id = ?", turn.turn);
    if (rows.next()) {
      WEFT_TRY_VALUE(const TurnContent content, read_turn_content(rows.bytes(0), turn.turn));
      if (content.parent) {
        WEFT_TRY_VALUE(turn.parent, find_id(database, words, *content.parent));
      }
    }
    WEFT_TRY(rows.status());
  }
  return {};
}

const LateTable& outline_table() {
  static const LateTable table = {
      .name = kOutlines,
      .version = 1,
      .tables = {"outlines", "outline_pages"},
      .has_row = "SELECT CAST(EXISTS (SELECT 1 FROM outlines WHERE conversation = ?) AS INTEGER)",
      .missing =
          "SELECT id, blocks FROM conversations WHERE NOT EXISTS "
          "(SELECT 1 FROM outlines WHERE conversation = conversations.id) "
          "ORDER BY touched DESC LIMIT 256",
      .count = "SELECT count(*) FROM outlines",
      .clear = "DELETE FROM outlines",
      .fill = fill_outline,
      .add = add_outline,
      .remove = remove_outline,
      .check = check_outline};
  return table;
}

}  // namespace weft::store::sql
