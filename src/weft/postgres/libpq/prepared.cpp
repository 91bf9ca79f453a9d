#include "weft/postgres/libpq/prepared.hpp"

#include <variant>

#include "weft/postgres/libpq/types.hpp"
#include "weft/postgres/placeholders.hpp"

namespace weft::postgres {
namespace {

Oid type_of(const sql::Value& value) {
  if (std::holds_alternative<std::int64_t>(value)) return kInt8;
  if (std::holds_alternative<std::string_view>(value)) return kText;
  return std::holds_alternative<sql::Blob>(value) ? kBytea : kInferred;
}

bool takes(const PreparedStatement& statement, std::span<const sql::Value> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Oid type = type_of(values[i]);
    if (type != kInferred && type != statement.types[i]) return false;
  }
  return true;
}

}  // namespace

PreparedStatement& PreparedStatements::find(sql::Sql sql, std::span<const sql::Value> values) {
  Text& text = texts_[sql.text];
  for (const auto& statement : text.statements) {
    if (takes(*statement, values)) return *statement;
  }
  if (text.sql.empty()) text.sql = number_placeholders(sql.text);
  auto made = std::make_unique<PreparedStatement>();
  made->name = "weft" + std::to_string(++made_);
  made->sql = &text.sql;
  for (const sql::Value& value : values) made->types.push_back(type_of(value));
  return *text.statements.emplace_back(std::move(made));
}

}  // namespace weft::postgres
