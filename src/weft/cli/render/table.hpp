// A table for people: columns as wide as their contents, cut to the terminal.
//
//   Table table({{.title = "turns", .align = Align::right}, {.title = "title", .flexible = true}});
//   table.add({"4", "The heron on the weir"});
//   table.str(style);
#pragma once

#include <string>
#include <vector>

#include "weft/cli/render/terminal.hpp"

namespace weft::cli {

enum class Align { left, right };

struct Column {
  std::string title{};
  Align align = Align::left;
  Colour colour = Colour::none;
  bool flexible = false;          // shrinks if the terminal is too narrow
  Screen link_to = Screen::none;  // its cells are CIDs, and link to that screen
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // One cell for each column: safe, one line (text.hpp), without colours.
  void add(std::vector<std::string> cells);

  // Titles (unless all are empty) and rows, a newline after each, no blanks before it.
  std::string str(const Style& style) const;

 private:
  std::vector<std::size_t> widths(const Style& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace weft::cli
