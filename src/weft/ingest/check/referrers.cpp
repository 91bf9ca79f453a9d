#include "weft/ingest/check/referrers.hpp"

namespace weft::ingest {
namespace {

using store::kNoNumber;
using store::Outline;

template <class Visit>
void each_foundation(const store::Outlines& outlines, const Visit& visit) {
  for (std::uint32_t i = 0; i < outlines.size(); ++i) {
    const Outline& outline = outlines[i];
    const std::span<const std::uint32_t> references = outlines.references(i);
    const std::size_t soft = outline.ends_elsewhere ? 1 : 0;
    for (const std::uint32_t cid : references.first(references.size() - soft)) visit(i, cid);
    if (outline.checkpoint != kNoNumber) visit(i, outline.checkpoint);
    const bool is_checkpoint = outline.kind == Outline::Kind::checkpoint;
    if (is_checkpoint && outline.conversation != kNoNumber) visit(i, outline.conversation);
  }
}

}  // namespace

Referrers::Referrers(const store::Outlines& outlines) : first_(outlines.cids() + std::size_t{1}) {
  each_foundation(outlines,
                  [&](std::uint32_t, std::uint32_t cid) { ++first_[cid + std::size_t{1}]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  thoughts_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  each_foundation(outlines, [&](std::uint32_t thought, std::uint32_t cid) {
    thoughts_[next[cid]++] = thought;
  });
}

}  // namespace weft::ingest
