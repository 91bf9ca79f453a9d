// Outlines: the blocks of a conversation in reading order, and what is known of each. From the
// pages of the conversation if it has them, else from its thoughts and connections.
#include <algorithm>
#include <array>

#include "weft/base/try.hpp"
#include "weft/store/sql/outlines/outline_table.hpp"
#include "weft/store/sql/read/outline_rows.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

Result<std::vector<BlockFacts>> read_all(const OutlineRows& with, std::span<const Handle> blocks,
                                         const crypto::Keyring* keyring) {
  std::vector<BlockFacts> found;
  ThoughtCursor cursor(with.database);
  for (const Handle block : blocks) {
    WEFT_TRY(cursor.seek(block));
    WEFT_TRY_VALUE(const BlockRecord record, read_record(with, cursor.row(), keyring));
    const bool is_closed = record.statement.metadata == LayerState::closed ||
                           record.statement.content == LayerState::closed;
    WEFT_TRY_VALUE(auto facts, to_facts(with, record, is_closed));
    found.push_back(std::move(facts));
  }
  return found;
}

// The facts of blocks as the pages of their conversation have them.
class PagedFacts {
 public:
  // All outlive it.
  PagedFacts(const OutlineRows& with, const ConversationOutline& outline,
             const crypto::Keyring* keyring)
      : with_(with),
        outline_(outline),
        keyring_(keyring),
        pages_(with.database, keyring, outline.conversation) {}

  // Empty if only the block itself can say it: a layer is sealed with another key than the page, or
  // the page is no longer what it was.
  Result<std::optional<BlockFacts>> find(const OutlineEntry& entry) {
    const auto after = std::ranges::upper_bound(outline_.pages, entry.number, {},
                                                &ConversationOutline::Page::number);
    if (after == outline_.pages.begin()) return std::nullopt;
    const ConversationOutline::Page& at = *std::prev(after);
    WEFT_TRY_VALUE(const StoredPage* const stored, read(at.first));
    const std::size_t number = entry.number - at.number;
    if (stored == nullptr || number >= stored->page.blocks.size()) return std::nullopt;
    const PageBlock& block = stored->page.blocks[number];
    if (block.item.block != entry.block) return std::nullopt;
    bool is_closed = false;
    for (const Portion portion : {Portion::metadata, Portion::content}) {
      const LayerState state = block.record.statement.layer(portion);
      if (state == LayerState::none) continue;
      const bool is_page_closed = stored->is_closed[static_cast<std::size_t>(portion)];
      if (is_page_closed && has_key(portion)) return std::nullopt;
      is_closed = is_closed || is_page_closed || state == LayerState::closed;
    }
    WEFT_TRY_VALUE(auto facts, to_facts(with_, block.record, is_closed));
    return facts;
  }

 private:
  bool has_key(Portion portion) const {
    return keyring_ != nullptr &&
           keyring_->layer(portion == Portion::metadata ? crypto::Layer::metadata
                                                        : crypto::Layer::content) != nullptr;
  }
  // Null if there is no such page any more.
  Result<const StoredPage*> read(Id first) {
    const auto known =
        std::ranges::find_if(kept_, [&](const auto& page) { return page && page->first == first; });
    if (known != kept_.end()) return &**known;
    std::optional<StoredPage>& slot = kept_[next_++ % kept_.size()];
    WEFT_TRY_VALUE(slot, pages_.find_page(first));
    return slot && slot->first == first ? &*slot : nullptr;
  }

  const OutlineRows& with_;
  const ConversationOutline& outline_;
  const crypto::Keyring* keyring_;
  OutlinePages pages_;
  // The reading order goes back to an earlier page now and then.
  std::array<std::optional<StoredPage>, 4> kept_{};
  std::size_t next_ = 0;
};

}  // namespace

Result<ConversationOutline> Reader::outline(const Cid& conversation) {
  WEFT_TRY_VALUE(const auto id, names_.find_id(conversation));
  if (!id) return not_here(conversation);
  const OutlinePages pages(database_, nullptr, *id);
  WEFT_TRY_VALUE(bool are_stored, has_late_table(database_, outline_table()));
  if (are_stored) {
    WEFT_TRY_VALUE(are_stored, pages.are_stored());
  }
  if (!are_stored) {
    WEFT_TRY_VALUE(const auto creator, creator_of(*id));
    if (!creator) return not_here(conversation);
    return read_outline({database_, edges_, words_, names_}, *id, *creator);
  }
  OutlineItems items;
  std::vector<ConversationOutline::Page> starts;
  WEFT_TRY(pages.read_items(items, starts));
  WEFT_TRY(resolve_parents(database_, words_, items.turns));
  ConversationOutline outline = arrange(items);
  outline.conversation = *id;
  outline.pages = std::move(starts);
  return outline;
}

Status Reader::each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                          const std::function<void(BlockFacts)>& visit) {
  const OutlineRows with{database_, edges_, words_, names_};
  // `visit` may ask for the facts of others: no row is being read meanwhile.
  constexpr std::size_t kAtOnce = 1024;
  for (std::size_t begin = 0; begin < blocks.size(); begin += kAtOnce) {
    const auto some = blocks.subspan(begin, std::min(kAtOnce, blocks.size() - begin));
    WEFT_TRY_VALUE(auto found, read_all(with, some, keyring));
    for (BlockFacts& facts : found) visit(std::move(facts));
  }
  return {};
}

Status Reader::outline_facts(const ConversationOutline& outline,
                             std::span<const OutlineEntry> entries, const crypto::Keyring* keyring,
                             const std::function<void(BlockFacts)>& visit) {
  if (outline.pages.empty()) {
    std::vector<Handle> blocks;
    blocks.reserve(entries.size());
    for (const OutlineEntry& entry : entries) blocks.push_back(entry.block);
    return each_facts(blocks, keyring, visit);
  }
  const OutlineRows with{database_, edges_, words_, names_};
  PagedFacts paged(with, outline, keyring);
  for (const OutlineEntry& entry : entries) {
    WEFT_TRY_VALUE(auto facts, paged.find(entry));
    if (facts) visit(*std::move(facts));
    else WEFT_TRY(each_facts({&entry.block, 1}, keyring, visit));
  }
  return {};
}

}  // namespace weft::store::sql
