// FindingList: collects what a check finds, with a limit for each table.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/store/derived.hpp"
#include "weft/store/sql/database.hpp"
#include "weft/store/sql/names/names.hpp"

namespace weft::store::sql {

inline constexpr std::string_view kRepair = "weft repair";
inline constexpr std::string_view kReindex = "weft reindex";

class FindingList {
 public:
  // Both outlive it.
  FindingList(const Database& database, const Words& words) : database_(database), words_(words) {}

  // `about` is named by its CID, if it has one.
  void add(std::string_view table, std::string what, std::optional<Id> about = {},
           std::string_view cure = kRepair);
  bool empty() const { return found_.empty(); }
  // Sorted; the last of a table with too many says how many more there are.
  std::vector<StoreFinding> take();

 private:
  const Database& database_;
  const Words& words_;
  std::vector<StoreFinding> found_;
  std::map<std::string, std::uint64_t, std::less<>> counts_;  // by table
};

}  // namespace weft::store::sql
