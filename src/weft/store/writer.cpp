#include "weft/store/writer.hpp"

namespace weft::store {

Result<Committed> Writer::import(const std::vector<thought::Thought>& thoughts,
                                 const Indexer& indexer) {
  Outlines outlines;
  std::vector<const thought::Thought*> read;
  for (const thought::Thought& thought : thoughts) {
    if (outlines.add(thought)) read.push_back(&thought);
  }
  return import(
      {.outlines = outlines,
       .read = [&](std::uint32_t number) { return Result<thought::Thought>(*read[number]); }},
      indexer);
}

}  // namespace weft::store
