#include "weft/cli/render/tree.hpp"

#include <deque>

namespace weft::cli {
namespace {

// "├─ " and its like are three columns wide.
constexpr std::size_t kLevelColumns = 3;
constexpr std::string_view kContinued = "  ⋯ continued below";
constexpr std::size_t kContinuedColumns = 19;
constexpr std::string_view kContinuedSign = "  ⋯";
constexpr std::size_t kContinuedSignColumns = 3;

struct Pending {
  std::size_t node;
  std::size_t level;
  std::string prefix;  // prefix of the lines below its parent
  bool last;           // index among its parent's children
};

class Drawing {
 public:
  Drawing(const Tree& tree, const TreeStyle& style, const NodeLine& line,
          const std::function<void(std::string_view)>& write)
      : tree_(tree), style_(style), line_(line), write_(write) {}

  void draw() {
    roots_.push_back(0);
    while (!roots_.empty()) {
      const std::size_t root = roots_.front();
      roots_.pop_front();
      if (root != 0) write_("\n");
      draw_from(root);
    }
  }

 private:
  void draw_from(std::size_t root) {
    std::vector<Pending> stack{{root, 0, "", true}};
    while (!stack.empty()) {
      const Pending now = std::move(stack.back());
      stack.pop_back();
      const std::vector<std::size_t>& children = tree_[now.node];
      const bool cut = now.level == style_.max_levels && !children.empty();
      write_line(now, cut);
      if (cut) {
        roots_.push_back(now.node);
        continue;
      }
      std::string below = now.prefix;
      if (now.level > 0) below += now.last ? "   " : "│  ";
      for (std::size_t i = children.size(); i-- > 0;) {
        stack.push_back({children[i], now.level + 1, below, i + 1 == children.size()});
      }
    }
  }

  void write_line(const Pending& now, bool cut) {
    std::string line = now.prefix;
    if (now.level > 0) line += now.last ? "└─ " : "├─ ";
    const std::size_t used = kLevelColumns * now.level + (!cut               ? 0
                                                          : style_.is_narrow ? kContinuedSignColumns
                                                                             : kContinuedColumns);
    const std::size_t columns = style_.width > used ? style_.width - used : 0;
    line += line_(now.node, columns);
    if (cut) line += style_.is_narrow ? kContinuedSign : kContinued;
    line += '\n';
    write_(line);
  }

  const Tree& tree_;
  const TreeStyle& style_;
  const NodeLine& line_;
  const std::function<void(std::string_view)>& write_;
  std::deque<std::size_t> roots_;  // not yet drawn
};

}  // namespace

void draw_tree(const Tree& tree, const TreeStyle& style, const NodeLine& line,
               const std::function<void(std::string_view)>& write) {
  if (!tree.empty()) Drawing(tree, style, line, write).draw();
}

}  // namespace weft::cli
