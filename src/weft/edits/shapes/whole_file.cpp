// A whole file written: Write, write_file, WriteFile, create_file.
//
//   {"file_path":"a.py","content":"x = 1\n"}
#include <algorithm>
#include <array>

#include "weft/edits/shape.hpp"

namespace weft::edits {
namespace {

constexpr std::array<std::string_view, 8> kTools = {
    "write", "writefile", "createfile", "create", "editfile", "writetofile", "newfile", "savefile"};

bool fits(std::string_view tool) { return std::ranges::find(kTools, tool) != kTools.end(); }

std::vector<Edit> read(const Call& call) {
  const json::object* arguments = arguments_of(call);
  if (arguments == nullptr) return {};
  const auto path = path_of(*arguments);
  const auto text = text_of(*arguments, {"content", "contents", "file_text", "fileText", "text"});
  if (!path || !text) return {};
  // Kimi's WriteFile can add to the end of a file, too.
  if (text_of(*arguments, {"mode"}) == "append") {
    return {{.path = std::string(*path), .changes = {{"", std::string(*text)}}}};
  }
  return {{.kind = Edit::Kind::write, .path = std::string(*path), .after = std::string(*text)}};
}

}  // namespace

const Shape& whole_file_shape() {
  static const Shape shape = {.name = "whole_file", .fits = fits, .read = read};
  return shape;
}

}  // namespace weft::edits
