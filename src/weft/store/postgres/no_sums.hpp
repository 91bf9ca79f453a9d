// NoSums: for databases that check their own pages and tell nobody which rows change.
#pragma once

#include "weft/store/sql/sums/sums.hpp"

namespace weft::store::sql {

class NoSums final : public Sums {
 public:
  Result<std::vector<std::string>> tables() override { return std::vector<std::string>(); }
  Result<bool> are_complete() override { return false; }
  Result<std::optional<TableSum>> find(std::string_view) override { return std::nullopt; }
  // Not called: no table has a sum.
  Result<TableSum> compute(std::string_view table) override {
    return fail(ErrorCode::internal, "the table " + std::string(table) + " has no sum");
  }

  void follow() override {}
  Status flush() override { return {}; }
  Status recount(std::string_view) override { return {}; }
  Status store_all() override { return {}; }
  Result<bool> mend(std::string_view) override { return false; }

 private:
  void set_paused(bool) override {}
};

}  // namespace weft::store::sql
