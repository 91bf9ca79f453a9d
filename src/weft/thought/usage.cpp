#include "weft/thought/usage.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::thought {
namespace {

using transcript::Request;
using transcript::Tokens;

struct TokenColumn {
  std::string_view name;
  std::int64_t Tokens::* member;
};
constexpr TokenColumn kTokenColumns[] = {{"input", &Tokens::input},
                                         {"output", &Tokens::output},
                                         {"cache_read", &Tokens::cache_read},
                                         {"cache_write_5m", &Tokens::cache_write_5m},
                                         {"cache_write_1h", &Tokens::cache_write_1h},
                                         {"reasoning", &Tokens::reasoning}};

struct TextColumn {
  std::string_view name;
  std::string Request::* member;
};
constexpr TextColumn kTextColumns[] = {
    {"model", &Request::model}, {"tier", &Request::tier}, {"speed", &Request::speed}};

// The columns of numbers that may be missing in a row: null there.
struct OptionalColumn {
  std::string_view name;
  std::optional<std::int64_t> Request::* member;
};
constexpr OptionalColumn kOptionalColumns[] = {{"time", &Request::time},
                                               {"stated_input", &Request::stated_input},
                                               {"stated_cost", &Request::stated_cost}};

struct NameColumn {
  std::string_view name;
  std::uint64_t CountedRequest::* member;
};
constexpr NameColumn kNameColumns[] = {{"message", &CountedRequest::message},
                                       {"request", &CountedRequest::request}};

std::uint64_t hash_of_name(std::string_view what, json::value name,
                           const crypto::Keyring& keyring) {
  const std::string text = canonical_json(json::array{what, std::move(name)});
  const Digest digest = crypto::blake3_keyed(keyring.source_hash_key(), {text});
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < sizeof hash; ++i) hash = hash << 8 | digest[i];
  return std::max<std::uint64_t>(hash, 1);  // 0 means that there is none
}

std::string hex_of(std::uint64_t bits) {
  std::array<std::uint8_t, sizeof bits> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(bits >> (8 * (bytes.size() - 1 - i)));
  }
  return to_hex(bytes);
}

std::uint64_t bits_of(const json::value& cell) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
  const json::string* text = cell.if_string();
  if (text == nullptr || !parse_hex(view(*text), bytes)) return 0;
  std::uint64_t bits = 0;
  for (const std::uint8_t byte : bytes) bits = bits << 8 | byte;
  return bits;
}

std::int64_t count_of_cell(const json::value& cell) {
  return cell.is_int64() ? std::max<std::int64_t>(cell.get_int64(), 0) : 0;
}

// Adds a column unless every cell in it is `empty`.
template <class CellOf>
void put_column(json::object& content, std::string_view name, const json::value& empty,
                const std::vector<CountedRequest>& rows, CellOf cell_of) {
  json::array cells;
  cells.reserve(rows.size());
  bool is_empty = true;
  for (const CountedRequest& row : rows) {
    cells.push_back(cell_of(row));
    is_empty = is_empty && cells.back() == empty;
  }
  if (!is_empty) content[name] = std::move(cells);
}

template <class Read>
void each_cell(const json::object& content, std::string_view name,
               std::vector<CountedRequest>& rows, Read read) {
  const json::array* cells = find_array(content, name);
  if (cells == nullptr || cells->size() != rows.size()) return;
  for (std::size_t i = 0; i < rows.size(); ++i) read((*cells)[i], rows[i]);
}

}  // namespace

CountedRequest name_request(Request request, const crypto::Keyring& keyring) {
  CountedRequest named;
  if (!request.message_id.empty()) {
    named.message = hash_of_name("message", json::value(request.message_id), keyring);
  }
  if (!request.request_id.empty()) {
    named.request = hash_of_name("request", json::value(request.request_id), keyring);
  }
  if (request.message_id.empty() && request.request_id.empty()) {
    json::array facts{request.time.value_or(0), request.model};
    for (const auto& [name, member] : kTokenColumns) facts.emplace_back(request.tokens.*member);
    named.message = hash_of_name("unnamed request", std::move(facts), keyring);
  }
  request.message_id.clear();
  request.request_id.clear();
  named.counts = std::move(request);
  return named;
}

StatementRank rank_of(bool is_sidechain, const Tokens& tokens,
                      std::optional<std::int64_t> stated_cost, bool states_speed) {
  return {!is_sidechain, size_of(tokens), stated_cost.value_or(0), states_speed};
}

bool is_better(const Request& other, const Request& than) {
  const auto rank = [](const Request& one) {
    return rank_of(one.is_sidechain, one.tokens, one.stated_cost, !one.speed.empty());
  };
  return rank(other) > rank(than);
}

json::object to_content(const std::vector<CountedRequest>& requests) {
  json::object content;
  for (const auto& [name, member] : kNameColumns) {
    put_column(content, name, nullptr, requests, [member](const CountedRequest& row) {
      return row.*member == 0 ? json::value() : json::value(hex_of(row.*member));
    });
  }
  for (const auto& [name, member] : kTextColumns) {
    put_column(content, name, "", requests,
               [member](const CountedRequest& row) { return json::value(row.counts.*member); });
  }
  for (const auto& [name, member] : kTokenColumns) {
    put_column(content, name, std::int64_t{0}, requests, [member](const CountedRequest& row) {
      return json::value(row.counts.tokens.*member);
    });
  }
  for (const auto& [name, member] : kOptionalColumns) {
    put_column(content, name, nullptr, requests, [member](const CountedRequest& row) {
      return row.counts.*member ? json::value(*(row.counts.*member)) : json::value();
    });
  }
  put_column(content, "sidechain", false, requests,
             [](const CountedRequest& row) { return json::value(row.counts.is_sidechain); });
  content["requests"] = requests.size();
  return content;
}

std::vector<CountedRequest> parse_usage(const json::object& content) {
  // No column is longer than the count; a count without columns has no rows worth keeping.
  const json::array* names = find_array(content, "message");
  const std::uint64_t count = count_or_zero(content, "requests");
  if (names == nullptr || names->size() != count) return {};
  std::vector<CountedRequest> rows(names->size());
  for (const auto& [name, member] : kNameColumns) {
    each_cell(content, name, rows, [member](const json::value& cell, CountedRequest& row) {
      row.*member = bits_of(cell);
    });
  }
  for (const auto& [name, member] : kTextColumns) {
    each_cell(content, name, rows, [member](const json::value& cell, CountedRequest& row) {
      if (const json::string* text = cell.if_string()) row.counts.*member = view(*text);
    });
  }
  for (const auto& [name, member] : kTokenColumns) {
    each_cell(content, name, rows, [member](const json::value& cell, CountedRequest& row) {
      row.counts.tokens.*member = count_of_cell(cell);
    });
  }
  for (const auto& [name, member] : kOptionalColumns) {
    each_cell(content, name, rows, [member](const json::value& cell, CountedRequest& row) {
      if (cell.is_int64()) row.counts.*member = cell.get_int64();
    });
  }
  each_cell(content, "sidechain", rows, [](const json::value& cell, CountedRequest& row) {
    row.counts.is_sidechain = cell.is_bool() && cell.get_bool();
  });
  return rows;
}

}  // namespace weft::thought
