#include "weft/cli/render/outline_text.hpp"

#include <cstdint>
#include <optional>

#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {
namespace {

// The columns of an outline, by row.
class Cells {
 public:
  explicit Cells(const json::object& outline)
      : outline_(outline), columns_(outline.at("columns").as_object()) {}

  std::size_t size() const { return columns_.at("kind").as_array().size(); }

  std::optional<std::int64_t> number(std::string_view column, std::size_t row) const {
    const json::value& value = columns_.at(column).as_array().at(row);
    if (value.is_null()) return std::nullopt;
    return value.to_number<std::int64_t>();
  }
  // The name that a number of the column stands for.
  std::string name(std::string_view column, std::string_view names, std::size_t row) const {
    const auto index = number(column, row);
    if (!index) return {};
    return on_one_line(
        outline_.at(names).as_array().at(static_cast<std::size_t>(*index)).as_string());
  }
  std::string flags(std::size_t row) const {
    std::string out;
    std::uint64_t bit = 1;
    for (const json::value& name : outline_.at("flags").as_array()) {
      if (static_cast<std::uint64_t>(number("flags", row).value_or(0)) & bit) {
        out += (out.empty() ? "" : " ") + on_one_line(name.as_string());
      }
      bit *= 2;
    }
    return out;
  }
  std::string causes(std::size_t row, std::int64_t ordinal) const {
    std::string out;
    for (const json::value& distance : columns_.at("causes").as_array().at(row).as_array()) {
      out +=
          (out.empty() ? "" : " ") + std::to_string(ordinal - distance.to_number<std::int64_t>());
    }
    return out;
  }

 private:
  const json::object& outline_;
  const json::object& columns_;
};

}  // namespace

std::string outline_text(const json::object& outline, const Style& style) {
  Table table({{.title = "block", .align = Align::right},
               {.title = "turn", .align = Align::right},
               {.title = "time"},
               {.title = "kind"},
               {.title = "chars", .align = Align::right},
               {.title = "took", .align = Align::right},
               {.title = "tool"},
               {.title = "flags"},
               {.title = "because of"}});
  const Cells cells(outline);
  const std::int64_t from = find_int(outline, "from").value_or(0);
  for (std::size_t row = 0; row < cells.size(); ++row) {
    const std::int64_t ordinal = from + static_cast<std::int64_t>(row);
    const auto length = cells.number("length", row);
    const auto took = cells.number("duration_ms", row);
    table.add(
        {std::to_string(ordinal), std::to_string(cells.number("turn", row).value_or(0)),
         local_date_time(cells.number("time", row).value_or(0)), cells.name("kind", "kinds", row),
         length ? count(static_cast<std::uint64_t>(*length)) : "", took ? duration(*took) : "",
         cells.name("tool", "tools", row), cells.flags(row), cells.causes(row, ordinal)});
  }
  return table.str(style);
}

}  // namespace weft::cli
