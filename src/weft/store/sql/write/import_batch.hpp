// ImportBatch: as many imported thoughts as are in memory at once, in additions.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "weft/store/import/import_grouping.hpp"
#include "weft/store/sql/write/addition.hpp"

namespace weft::store::sql {

class ImportBatch {
 public:
  explicit ImportBatch(const ThoughtsToImport& import) : import_(&import) {}

  // Begins an addition. Those of a conversation bring its own thought first, unless the store has
  // it.
  void begin(const ImportGrouping::Part& part);
  // Reads a thought and adds it to the addition that was begun last.
  Status add(std::uint32_t thought);
  // Whether it is to be written before more is added.
  bool is_full() const { return bytes_ >= kBytes; }

  const std::vector<Addition>& additions() const { return additions_; }
  // For the next batch. Additions point into it until then.
  void clear();

 private:
  static constexpr std::size_t kBytes = 8u << 20;

  const ThoughtsToImport* import_;
  std::deque<thought::Thought> thoughts_;
  std::deque<thought::Connection> connections_;
  std::deque<std::string> bodies_;
  std::deque<std::vector<Cid>> leaves_;
  std::vector<Addition> additions_;
  bool drops_paths_ = false;
  std::size_t bytes_ = 0;
};

}  // namespace weft::store::sql
