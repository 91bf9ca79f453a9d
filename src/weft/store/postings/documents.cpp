#include "weft/store/postings/documents.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/search/score.hpp"

namespace weft::store::sql {
namespace {

constexpr auto kPage = static_cast<std::int64_t>(kPageDocuments);

}  // namespace

void Documents::clear() {
  *this = Documents();
  for (auto* ids : {&thoughts_, &turns_, &exchanges_, &types_}) ids->resize(1);
  roles_.resize(1, DocumentRow{}.role);
  times_.resize(1);
  for (auto& lengths : lengths_) lengths.resize(1);
}

void Documents::add(const DocumentPage& page, std::size_t from) {
  const auto append = [&](auto& column, const auto& more) {
    column.insert(column.end(), more.begin() + static_cast<std::ptrdiff_t>(from),
                  more.begin() + static_cast<std::ptrdiff_t>(page.size()));
  };
  append(thoughts_, page.thoughts);
  append(turns_, page.turns);
  append(exchanges_, page.exchanges);
  append(types_, page.types);
  append(roles_, page.roles);
  append(times_, page.times);
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    append(lengths_[i], page.lengths[i]);
    const auto added = std::span(page.lengths[i]).subspan(from, page.size() - from);
    any_[i] = any_[i] || std::ranges::any_of(added, [](auto length) { return length != 0; });
  }
}

// All at once where there are many to come: growing step by step would take twice the memory.
void Documents::reserve(std::size_t documents) {
  if (documents < 2 * size()) return;
  for (auto* ids : {&thoughts_, &turns_, &exchanges_, &types_}) ids->reserve(documents);
  roles_.reserve(documents);
  times_.reserve(documents);
  for (auto& lengths : lengths_) lengths.reserve(documents);
}

Status Documents::read_pages(DocumentPages& pages, std::int64_t documents) {
  const auto known = static_cast<std::int64_t>(size()) - 1;
  reserve(static_cast<std::size_t>(documents) + 1);
  auto skip = static_cast<std::size_t>(known % kPage);  // of the first page: it is known already
  DocumentPage page;
  const auto add_page = [&](std::string_view packed) -> Status {
    WEFT_TRY(page.unpack(packed));
    if (page.size() < skip) return damaged_index();
    add(page, std::exchange(skip, 0));
    return {};
  };
  WEFT_TRY(pages.each_document_page(known / kPage, add_page));
  return static_cast<std::int64_t>(size()) - 1 == documents ? Status() : damaged_index();
}

Status Documents::refresh(DocumentPages& pages) {
  WEFT_TRY_VALUE(auto state, pages.index_state());
  if (state == state_) return {};
  const bool has_grown = state.epoch == state_.epoch && state.documents >= state_.documents;
  if (!has_grown) clear();
  const std::size_t known = size() - 1;
  if (Status status = read_pages(pages, state.documents); !status) {
    *this = Documents();
    return status;
  }
  put_in_order(known);
  state_ = state;
  for (std::size_t reach = 0; reach < by_reach_.size(); ++reach) {
    if (by_reach_[reach] != nullptr) need_lengths(static_cast<Reach>(reach));
  }
  return {};
}

void Documents::put_in_order(std::size_t known) {
  const auto added = thoughts_.begin() + static_cast<std::ptrdiff_t>(known);
  is_in_order_ =
      is_in_order_ &&
      std::ranges::adjacent_find(added, thoughts_.end(), std::greater_equal()) == thoughts_.end();
  if (is_in_order_) return;
  const auto before = std::ssize(by_thought_);
  for (std::size_t at = before == 0 ? 1 : known + 1; at < size(); ++at) {
    if (thoughts_[at] != 0) by_thought_.push_back(static_cast<Document>(at));
  }
  const auto by_id = [this](Document document) { return thoughts_[document]; };
  const auto from = by_thought_.begin() + std::max<std::ptrdiff_t>(0, before - 1);
  if (!std::ranges::is_sorted(from, by_thought_.end(), {}, by_id)) {
    std::ranges::sort(by_thought_, {}, by_id);
  }
}

// By columns, so that the compiler takes many at a time.
void Documents::need_lengths(Reach reach) {
  std::shared_ptr<Lengths>& lengths = by_reach_[reach];
  if (lengths == nullptr) lengths = std::make_shared<Lengths>();
  std::vector<std::uint16_t>& of = lengths->of;
  const std::size_t known = of.size();
  if (size() > 2 * known) of.reserve(size());
  of.resize(size());
  for (const Index index : kIndexes) {
    if ((reach & reach_of(index)) == 0 || !has_any(index)) continue;
    const std::vector<std::uint16_t>& more = lengths_[static_cast<std::size_t>(index)];
    for (std::size_t at = known; at < of.size(); ++at) {
      const std::uint32_t length = std::uint32_t{of[at]} + more[at];
      of[at] = static_cast<std::uint16_t>(std::min(length, search::kMaxLength));
    }
  }
  for (std::size_t at = known; at < of.size(); ++at) {
    lengths->sum += of[at];
    lengths->texts += of[at] > 0 ? 1 : 0;
  }
  if (lengths->texts > 0) {
    lengths->average = static_cast<double>(lengths->sum) / static_cast<double>(lengths->texts);
  }
}

std::size_t Documents::rank_of(Id thought) const {
  if (is_in_order_) {
    const auto first = thoughts_.begin() + 1;
    return static_cast<std::size_t>(std::lower_bound(first, thoughts_.end(), thought) - first);
  }
  const auto at = std::ranges::lower_bound(
      by_thought_, thought, {}, [this](Document document) -> Id { return thoughts_[document]; });
  return static_cast<std::size_t>(at - by_thought_.begin());
}

std::optional<Document> Documents::find(Id thought) const {
  const std::size_t rank = rank_of(thought);
  if (rank >= ranks() || thoughts_[ranked(rank)] != thought) return std::nullopt;
  return ranked(rank);
}

Result<std::optional<DocumentsView>> SharedDocuments::view(DocumentPages& pages, Reach reach) {
  WEFT_TRY_VALUE(auto state, pages.index_state());
  for (;;) {
    {
      std::shared_lock lock(mutex_);
      if (documents_.state() == state && documents_.lengths(reach) != nullptr) {
        return DocumentsView(documents_, std::move(lock));
      }
    }
    const std::unique_lock lock(mutex_);
    const IndexState& known = documents_.state();
    if (known.epoch > state.epoch ||
        (known.epoch == state.epoch && known.documents > state.documents)) {
      return std::nullopt;
    }
    WEFT_TRY(documents_.refresh(pages));
    documents_.need_lengths(reach);
  }
}

}  // namespace weft::store::sql
