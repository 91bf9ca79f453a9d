#include "weft/page/name_cache.hpp"

#include "weft/base/try.hpp"

namespace weft::page {
namespace {

constexpr std::chrono::seconds kFresh{2};

Result<Names> collect(const query::Library& library, const std::stop_token& stop) {
  Names names;
  WEFT_TRY_VALUE(const auto catalogue, library.web.catalogue(std::nullopt, library.keyring));
  for (const store::CatalogueEntry& entry : catalogue.entries) {
    if (entry.known.facts.project) names.projects.insert(*entry.known.facts.project);
  }
  WEFT_TRY_VALUE(const auto sum,
                 library.web.sum_tallies(
                     {.keyring = library.keyring, .go_on = [&](std::uint64_t, std::uint64_t) {
                        return !stop.stop_requested();
                      }}));
  for (const auto& [tool, count] : sum.by_tool) names.tools.insert(tool);
  return names;
}

}  // namespace

Result<std::shared_ptr<const Names>> NameCache::read(const query::Library& library,
                                                     std::stop_token stop) {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (names_ != nullptr && now - asked_ < kFresh) return names_;
  // A checkpoint that is not there any more is as good as none.
  auto changes = library.web.changes_since(checkpoint_);
  if (!changes && changes.error().code == ErrorCode::not_found) {
    changes = library.web.changes_since({});
  }
  if (!changes) return fail(std::move(changes).error());
  if (names_ == nullptr || changes->checkpoint != checkpoint_) {
    WEFT_TRY_VALUE(auto names, collect(library, stop));
    names_ = std::make_shared<const Names>(std::move(names));
    checkpoint_ = changes->checkpoint;
  }
  asked_ = now;
  return names_;
}

}  // namespace weft::page
