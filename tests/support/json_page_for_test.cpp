#include "json_page_for_test.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <regex>

#include "weft/base/cid.hpp"

namespace weft::test {
namespace {

bool is_whole(const json::value& value) { return value.is_int64() || value.is_uint64(); }

bool matches(const json::value& value, const char* pattern) {
  return value.is_string() &&
         std::regex_match(std::string(value.get_string()), std::regex(pattern));
}

// The forms that are not shapes of the page.
const std::map<std::string, std::function<bool(const json::value&)>>& plain_forms() {
  using Value = const json::value&;
  static const std::map<std::string, std::function<bool(Value)>> kForms = {
      {"text", [](Value value) { return value.is_string(); }},
      {"CID",
       [](Value value) { return value.is_string() && Cid::parse(view(value.get_string())); }},
      {"hex", [](Value value) { return matches(value, "[0-9a-f]+"); }},
      {"ISO time",
       [](Value value) { return matches(value, "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d.*Z"); }},
      {"time", [](Value value) { return is_whole(value); }},
      {"milliseconds", [](Value value) { return is_whole(value); }},
      {"integer", [](Value value) { return is_whole(value); }},
      {"count", [](Value value) { return is_whole(value) && value.to_number<double>() >= 0; }},
      {"number", [](Value value) { return value.is_number(); }},
      {"boolean", [](Value value) { return value.is_bool(); }},
      {"null", [](Value value) { return value.is_null(); }},
      {"object", [](Value value) { return value.is_object(); }},
      {"array", [](Value value) { return value.is_array(); }},
      {"any", [](Value) { return true; }},
  };
  return kForms;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

}  // namespace

JsonPage::JsonPage() {
  std::ifstream page(std::string(WEFT_SOURCE_DIR) + "/docs/json.md");
  EXPECT_TRUE(page) << "docs/json.md cannot be read";
  Node* shape = nullptr;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) shape = nullptr;
    if (line.starts_with("### ")) shape = &shapes_[line.substr(4)];
    if (shape != nullptr && line.starts_with("| `")) add_row(*shape, line);
    // "A [thought](#thought)…": the answer is that shape.
    static const std::regex kIsShape("An? \\[([^\\]]+)\\]\\(#.*");
    std::smatch is_shape;
    if (shape != nullptr && std::regex_match(line, is_shape, kIsShape)) {
      shape->forms = {is_shape[1]};
    }
  }
}

// "| `a?.b[]` † | text or null | what it is |"
void JsonPage::add_row(Node& shape, const std::string& row) {
  static const std::regex kRow("\\| `([^`]+)`( †)? \\| ([^|]+)\\|.*");
  static const std::regex kLink("\\[([^\\]]+)\\]\\([^)]*\\)");
  std::smatch cells;
  if (!std::regex_match(row, cells, kRow)) {
    ADD_FAILURE() << "docs/json.md: not a row: " << row;
    return;
  }
  Node* node = &shape;
  std::string path = cells[1];
  while (!path.empty()) {
    if (path.starts_with("[]")) {
      if (!node->element) node->element = std::make_unique<Node>();
      node = node->element.get();
      path.erase(0, 2);
      continue;
    }
    if (path.starts_with('.')) path.erase(0, 1);
    const std::string name = path.substr(0, path.find_first_of(".?["));
    path.erase(0, name.size());
    std::unique_ptr<Node>& member = node->members[name];
    if (!member) member = std::make_unique<Node>();
    node = member.get();
    if (path.starts_with('?')) {
      node->is_optional = true;
      path.erase(0, 1);
    }
  }
  EXPECT_FALSE(node->has_row) << "docs/json.md has it twice: " << row;
  node->has_row = true;
  node->is_rare = cells[2].matched;
  std::string forms = std::regex_replace(std::string(cells[3]), kLink, "$1");
  for (std::size_t end = 0; end != std::string::npos;) {
    end = forms.find(" or ");
    node->forms.push_back(trimmed(forms.substr(0, end)));
    if (end != std::string::npos) forms.erase(0, end + 4);
  }
}

void JsonPage::check(const std::string& name, const json::value& document) {
  const auto shape = shapes_.find(name);
  if (shape == shapes_.end()) {
    ADD_FAILURE() << "docs/json.md has no section '### " << name << "'";
    return;
  }
  check(shape->second, document, name + ": ");
}

bool JsonPage::has_form(const std::string& form, const json::value& value,
                        const std::string& where) {
  if (const auto plain = plain_forms().find(form); plain != plain_forms().end()) {
    return plain->second(value);
  }
  const auto shape = shapes_.find(form);
  if (shape == shapes_.end()) {
    ADD_FAILURE() << where << ": docs/json.md does not say what the form '" << form << "' is";
    return true;
  }
  if (!value.is_object()) return false;
  check(shape->second, value, where + " (" + form + ") ");
  return true;
}

void JsonPage::check(Node& node, const json::value& value, const std::string& where) {
  node.is_seen = true;
  bool fits = node.forms.empty();
  for (const std::string& form : node.forms) fits = fits || has_form(form, value, where);
  EXPECT_TRUE(fits) << where << " has another form than docs/json.md says: " << value;
  if (node.element) {
    if (const json::array* array = value.if_array()) {
      for (const json::value& one : *array) check(*node.element, one, where + "[]");
    } else if (node.forms.empty()) {
      ADD_FAILURE() << where << " is no array: " << value;
    }
    return;
  }
  if (node.members.empty()) return;
  const json::object* object = value.if_object();
  if (object == nullptr) {
    EXPECT_FALSE(node.forms.empty()) << where << " is no object: " << value;
    return;
  }
  for (const auto& [key, below] : *object) {
    auto member = node.members.find(std::string(key));
    if (member == node.members.end()) member = node.members.find("*");
    const std::string path = where + (where.ends_with(' ') ? "" : ".") + std::string(key);
    if (member == node.members.end()) ADD_FAILURE() << path << " is not in docs/json.md: " << below;
    else check(*member->second, below, path);
  }
  for (const auto& [name, member] : node.members) {
    if (name == "*" || member->is_optional || object->contains(name)) continue;
    ADD_FAILURE() << where << " has no `" << name << "`; docs/json.md says that it always has";
  }
}

void JsonPage::collect_unseen(const Node& node, const std::string& path,
                              std::vector<std::string>& out) {
  if (node.is_rare) return;
  if (!node.is_seen && node.has_row) out.push_back(path);
  if (node.element) collect_unseen(*node.element, path + "[]", out);
  for (const auto& [name, member] : node.members) {
    collect_unseen(*member, path + (path.ends_with(' ') ? "" : ".") + name, out);
  }
}

std::vector<std::string> JsonPage::unseen() const {
  std::vector<std::string> out;
  for (const auto& [name, shape] : shapes_) {
    if (!shape.is_seen && shape.members.empty() && !shape.element) continue;
    collect_unseen(shape, name + ": ", out);
  }
  return out;
}

std::vector<std::string> JsonPage::names() const {
  std::vector<std::string> names;
  for (const auto& [name, shape] : shapes_) names.push_back(name);
  return names;
}

}  // namespace weft::test
