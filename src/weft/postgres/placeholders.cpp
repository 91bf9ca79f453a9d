#include "weft/postgres/placeholders.hpp"

#include <algorithm>

namespace weft::postgres {
namespace {

// The end of the string, name or comment that begins at `from`; `from` if none does.
std::size_t end_of_quoted(std::string_view sql, std::size_t from) {
  const auto behind = [&](std::string_view end, std::size_t begin) {
    const std::size_t found = sql.find(end, begin);
    return found == sql.npos ? sql.size() : found + end.size();
  };
  const std::string_view rest = sql.substr(from);
  // A doubled quote is the end of one string and the beginning of the next, which does no harm.
  if (rest.starts_with('\'') || rest.starts_with('"')) return behind(rest.substr(0, 1), from + 1);
  if (rest.starts_with("--")) return behind("\n", from);
  if (rest.starts_with("/*")) return behind("*/", from + 2);
  return from;
}

}  // namespace

std::string number_placeholders(std::string_view sql) {
  std::string numbered;
  int largest = 0;
  std::size_t at = 0;
  while (at < sql.size()) {
    if (const std::size_t end = end_of_quoted(sql, at); end != at) {
      numbered += sql.substr(at, end - at);
      at = end;
    } else if (sql[at] != '?') {
      numbered += sql[at++];
    } else {
      int number = 0;
      for (++at; at < sql.size() && sql[at] >= '0' && sql[at] <= '9'; ++at) {
        number = number * 10 + (sql[at] - '0');
      }
      if (number == 0) number = largest + 1;
      largest = std::max(largest, number);
      numbered += "$" + std::to_string(number);
    }
  }
  return numbered;
}

}  // namespace weft::postgres
