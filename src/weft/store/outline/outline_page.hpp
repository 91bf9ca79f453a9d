// OutlinePage: some items of an outline, with the facts of their blocks, packed in columns
// (docs/formats/store.md, "Outlines"). What a sealed layer states is packed apart, to be sealed.
// Pure functions; bytes that cannot be read are `corrupt`.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "weft/base/result.hpp"
#include "weft/store/outline/outline_items.hpp"

namespace weft::store {

// What is known of a block besides its text.
struct BlockRecord {
  std::int64_t type = 0;  // the number of the word
  Millis created_at = 0;
  std::vector<Handle> causes{};  // each once
  Statement statement{};

  friend bool operator==(const BlockRecord&, const BlockRecord&) = default;
};

struct PageBlock {
  BlockItem item{};
  BlockRecord record{};

  friend bool operator==(const PageBlock&, const PageBlock&) = default;
};

struct OutlinePage {
  std::vector<TurnItem> turns{};
  std::vector<PageBlock> blocks{};
};

// By Portion. The column of a layer is empty if no block has the layer.
using PageColumns = std::array<std::string, kPortions>;

PageColumns pack(const OutlinePage& page);
// The items of a page, added to `out`: from its clear column alone, and without the facts.
Status unpack_items(std::string_view clear, OutlineItems& out);
// A column that is not known is empty: what it states is missing then.
Result<OutlinePage> unpack_page(const PageColumns& columns);

}  // namespace weft::store
