// dump(): every row of every table of a store, for tests that compare stores.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <map>
#include <set>
#include <string>

namespace weft::store {

// The rows of each table, as SQL writes their values. Opens the file for reading.
using Dump = std::map<std::string, std::multiset<std::string>>;

inline Dump dump(const std::string& path) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr), SQLITE_OK);
  const auto each_row = [&](const std::string& sql, const auto& visit) {
    sqlite3_stmt* statement = nullptr;
    EXPECT_EQ(sqlite3_prepare_v2(database, sql.c_str(), -1, &statement, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(database);
    while (sqlite3_step(statement) == SQLITE_ROW) {
      std::string row;
      for (int i = 0; i < sqlite3_column_count(statement); ++i) {
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, i));
        const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, i));
        row += std::to_string(sqlite3_column_type(statement, i)) + ":" + std::to_string(size) + ":";
        if (bytes != nullptr) row.append(bytes, size);
      }
      visit(std::move(row));
    }
    sqlite3_finalize(statement);
  };
  std::set<std::string> tables;
  each_row("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'",
           [&](const std::string& row) { tables.insert(row.substr(row.find(':', 2) + 1)); });
  Dump rows;
  for (const std::string& table : tables) {
    each_row("SELECT * FROM " + table,
             [&](std::string row) { rows[table].insert(std::move(row)); });
  }
  sqlite3_close(database);
  return rows;
}

// The tables in which two stores differ.
inline std::set<std::string> differences(const Dump& one, const Dump& other) {
  std::set<std::string> tables;
  for (const auto& [table, rows] : one) {
    const auto found = other.find(table);
    if (found == other.end() || found->second != rows) tables.insert(table);
  }
  for (const auto& [table, rows] : other) {
    if (!one.contains(table)) tables.insert(table);
  }
  return tables;
}

}  // namespace weft::store
