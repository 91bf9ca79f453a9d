// OutlinePages: the rows of the outline of one conversation. `outline_pages` has its full pages, by
// the id of the first connection in each; `outlines` has the newest items, which grow.
#pragma once

#include <optional>

#include "weft/store/outline/outline_page.hpp"
#include "weft/store/sql/late/late_table.hpp"
#include "weft/store/sql/late/sealed_columns.hpp"

namespace weft::store::sql {

// As many blocks fill a page. A page with its columns is about 1 kB, so that few bytes of the
// file's own pages stay empty.
inline constexpr std::size_t kPageBlocks = 128;

struct StoredPage {
  Id first = 0;          // the first connection in it
  OutlinePage page{};    // of a closed portion nothing is known
  bool is_tail = false;  // the row of `outlines`
  Id last = 0;           // of the tail: the last connection in it
  // Portions that are sealed with another key than the keyring's, or that it has no key for.
  std::array<bool, kPortions> is_closed{};
};

class OutlinePages {
 public:
  // Both outlive it. The keyring may be null.
  OutlinePages(const Database& database, const crypto::Keyring* keyring, Id conversation)
      : database_(database), keyring_(keyring), conversation_(conversation) {}

  // Whether it has pages: not if it has no row, or one that leaves its outline to be computed.
  Result<bool> are_stored() const;
  // All items, in order, and where each page begins. Precondition: are_stored().
  Status read_items(OutlineItems& items, std::vector<ConversationOutline::Page>& pages) const;

  // The row of `outlines`; empty if the conversation has none.
  Result<std::optional<StoredPage>> find_tail() const;
  // The page that has a connection, if it has it at all; the tail too. Precondition: are_stored().
  Result<std::optional<StoredPage>> find_page(Id edge) const;

  // denied if the keyring does not have the keys of the layers in it.
  Status write(const StoredPage& page) const;
  // Leaves the outline to be computed for each answer: something of it cannot be read.
  Status write_unreadable() const;
  Status remove() const;

 private:
  Result<StoredPage> to_page(const Rows& row, int column, Id first, std::string_view table) const;

  const Database& database_;
  const crypto::Keyring* keyring_;
  Id conversation_;
};

}  // namespace weft::store::sql
