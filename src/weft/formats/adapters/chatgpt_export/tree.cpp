#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"
#include "weft/formats/reading/unix_time.hpp"

namespace weft::formats::chatgpt_export {
namespace {

struct Tree {
  std::vector<Node> nodes;  // in the order of the file
  std::unordered_map<std::string_view, std::size_t> by_id;
  std::vector<std::vector<std::size_t>> children;
  std::vector<std::size_t> roots;
};

// Which children a node has is built from who says that it is their parent: slim exports have
// no lists of children. Where there is one, it says in which order they came.
Tree build(const json::object& mapping) {
  Tree tree;
  for (const auto& [key, value] : mapping) {
    const json::object* object = value.if_object();
    Node node{.id = std::string_view(key.data(), key.size()), .parent = {}};
    if (object != nullptr) {
      node.parent = find_string(*object, "parent").value_or("");
      node.message = find_object(*object, "message");
    }
    tree.by_id.emplace(node.id, tree.nodes.size());
    tree.nodes.push_back(node);
  }
  tree.children.resize(tree.nodes.size());
  std::vector<bool> is_placed(tree.nodes.size());
  const auto place = [&](std::size_t parent, std::string_view child) {
    const auto found = tree.by_id.find(child);
    if (found == tree.by_id.end() || is_placed[found->second]) return;
    if (tree.nodes[found->second].parent != tree.nodes[parent].id) return;
    is_placed[found->second] = true;
    tree.children[parent].push_back(found->second);
  };
  std::size_t number = 0;
  for (const auto& [key, value] : mapping) {
    const json::object* object = value.if_object();
    const json::array* children = object == nullptr ? nullptr : find_array(*object, "children");
    for (std::size_t i = 0; children != nullptr && i < children->size(); ++i) {
      const json::string* child = (*children)[i].if_string();
      if (child != nullptr) place(number, view(*child));
    }
    ++number;
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const auto parent = tree.by_id.find(tree.nodes[i].parent);
    if (parent == tree.by_id.end()) {
      tree.nodes[i].parent = {};
      tree.roots.push_back(i);
    } else {
      place(parent->second, tree.nodes[i].id);
    }
  }
  return tree;
}

// The leaf that was shown; where none is named, the newest.
std::optional<std::size_t> shown_leaf(const Tree& tree, const json::object& conversation) {
  const auto current = tree.by_id.find(find_string(conversation, "current_node").value_or(""));
  if (current != tree.by_id.end()) return current->second;
  std::optional<std::size_t> newest;
  Millis latest = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (!tree.children[i].empty() || tree.nodes[i].message == nullptr) continue;
    const Millis time = find_unix_time(*tree.nodes[i].message, "create_time").value_or(0);
    if (newest && time < latest) continue;
    newest = i;
    latest = time;
  }
  return newest;
}

}  // namespace

std::vector<Node> order_nodes(const json::object& conversation) {
  const json::object* mapping = find_object(conversation, "mapping");
  if (mapping == nullptr) return {};
  Tree tree = build(*mapping);
  std::vector<bool> is_shown(tree.nodes.size()), is_emitted(tree.nodes.size());
  for (auto at = shown_leaf(tree, conversation); at && !is_shown[*at];) {
    is_shown[*at] = true;
    const auto parent = tree.by_id.find(tree.nodes[*at].parent);
    at = parent == tree.by_id.end() ? std::nullopt : std::optional(parent->second);
  }
  std::vector<Node> order;
  std::vector<std::size_t> waiting;  // the next one last
  const auto put = [&](const std::vector<std::size_t>& nodes) {
    for (const bool shown : {true, false}) {  // the last one pushed is emitted first
      for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        if (is_shown[*node] == shown) waiting.push_back(*node);
      }
    }
  };
  const auto walk = [&] {
    while (!waiting.empty()) {
      const std::size_t at = waiting.back();
      waiting.pop_back();
      if (is_emitted[at]) continue;
      is_emitted[at] = true;
      order.push_back(tree.nodes[at]);
      put(tree.children[at]);
    }
  };
  put(tree.roots);
  walk();
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (is_emitted[i]) continue;
    tree.nodes[i].parent = {};
    waiting.push_back(i);
    walk();
  }
  return order;
}

}  // namespace weft::formats::chatgpt_export
