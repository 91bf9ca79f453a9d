// The statements that are prepared on one session, by the address of their text.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <libpq-fe.h>

#include "weft/sql/database.hpp"

namespace weft::postgres {

// A statement for parameters of certain types. A parameter that was NULL when the statement was
// prepared has the type that the server inferred, which may be another than that of a later value:
// then the text is prepared once more.
struct PreparedStatement {
  enum class State { absent, asked, ready };
  std::string name;
  const std::string* sql;
  std::vector<Oid> types;  // 0: inferred
  State state = State::absent;
};

class PreparedStatements {
 public:
  // The one that takes `values`. It stays where it is until clear().
  PreparedStatement& find(sql::Sql sql, std::span<const sql::Value> values);
  void clear() { texts_.clear(); }

 private:
  struct Text {
    std::string sql;  // with $1 for ?
    std::vector<std::unique_ptr<PreparedStatement>> statements;
  };
  std::unordered_map<const void*, Text> texts_;
  std::size_t made_ = 0;  // names are never used again
};

}  // namespace weft::postgres
