// TraceTree: the causes or effects of a thought as a tree for people.
//
// A long trace is folded to the rows that a person can see at once: what lies between is counted in
// one row ("… 104 tool calls, 12 pieces of reasoning"). The thought that was asked about and the
// nearest and the first prompt stay in sight. No row is wider than the page.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "weft/cli/app/context.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/tree.hpp"

namespace weft::cli {

class TraceTree {
 public:
  static constexpr std::size_t kAllRows = std::numeric_limits<std::size_t>::max();

  // What the library points to outlives it.
  explicit TraceTree(const query::Library& library) : library_(library), names_(library) {}

  // The next thought of a trace: each hangs under the one from which it was reached.
  void add(const json::object& thought);
  // Prints at most `rows`; fewer than eight are taken for eight.
  void draw(const Context& context, std::size_t rows) const;
  std::size_t size() const { return nodes_.size(); }

 private:
  struct Node {
    ThoughtLine line{};
    std::size_t parent = 0, depth = 0;
  };
  // What is drawn: a thought, or a row that stands for several.
  struct Row {
    std::size_t node = 0;               // the thought, or the first of several
    std::vector<std::size_t> folded{};  // more than one: the row counts them
  };
  struct Drawing {
    Tree tree{};
    std::vector<Row> rows{};
  };

  std::vector<bool> chosen(std::size_t rows) const;
  Drawing fold(const std::vector<bool>& shown) const;
  std::string counted(const std::vector<std::size_t>& nodes) const;
  std::string subagent_sign(const json::object& thought) const;

  const query::Library& library_;
  Names names_;
  std::string date_;  // of the first thought
  std::vector<Node> nodes_;
  std::unordered_map<std::string, std::size_t> by_cid_;
};

}  // namespace weft::cli
