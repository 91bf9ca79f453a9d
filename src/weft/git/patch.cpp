#include "weft/git/patch.hpp"

#include "weft/base/try.hpp"
#include "weft/git/parsing.hpp"
#include "weft/git/porcelain.hpp"

namespace weft::git {
namespace {

std::unexpected<Error> fault() {
  return fail(ErrorCode::invalid_input, "git's differences cannot be read");
}

// "a/src/loom.py", quoted or with a tab after it, without the prefix; empty for /dev/null.
Result<std::string> path_after(std::string_view name) {
  if (name.ends_with('\t')) name.remove_suffix(1);
  WEFT_TRY_VALUE(std::string path, unquoted(name));
  if (path == "/dev/null") return std::string();
  return path.size() > 2 && path[1] == '/' ? path.substr(2) : path;
}

class PatchParser {
 public:
  explicit PatchParser(std::string_view text) : rest_(text) {}

  Result<std::vector<Patch>> run() && {
    while (!rest_.empty()) {
      std::string_view line = cut_off(rest_, '\n');
      if (is_object_name(line)) {
        patches_.push_back({.commit = std::string(line)});
      } else if (line.starts_with("diff --git ")) {
        if (patches_.empty()) patches_.emplace_back();
        patches_.back().files.emplace_back();
      } else if (line.starts_with("--- ") || line.starts_with("+++ ")) {
        WEFT_TRY(read_path(line.substr(4)));
      } else if (line.starts_with("@@ -")) {
        WEFT_TRY(read_hunk(line.substr(4)));
      }
      // Other lines are about modes and binary files.
    }
    for (Patch& patch : patches_) {
      std::erase_if(patch.files, [](const PatchedFile& file) { return file.path.empty(); });
    }
    return std::move(patches_);
  }

 private:
  PatchedFile* file() {
    return patches_.empty() || patches_.back().files.empty() ? nullptr
                                                             : &patches_.back().files.back();
  }
  Status read_path(std::string_view name) {
    if (file() == nullptr) return fault();
    WEFT_TRY_VALUE(std::string path, path_after(name));
    if (!path.empty()) file()->path = std::move(path);
    return {};
  }
  // "7,2 +7,3 @@ ...": a count of one is left out.
  static std::optional<std::size_t> count_in(std::string_view place) {
    const std::size_t comma = place.find(',');
    if (comma == std::string_view::npos) return 1;
    return parse_number<std::size_t>(place.substr(comma + 1));
  }
  Status read_hunk(std::string_view head) {
    auto before = count_in(cut_off(head, ' '));
    auto after = count_in(cut_off(head, ' '));
    if (file() == nullptr || !before || !after) return fault();
    while (*before > 0 || *after > 0) {
      if (rest_.empty()) return fault();
      const std::string_view line = cut_off(rest_, '\n');
      const char sign = line.empty() ? ' ' : line.front();
      if (sign == '\\') continue;  // "\ No newline at end of file"
      const bool is_before = sign != '+', is_after = sign != '-';
      if ((sign != ' ' && sign != '+' && sign != '-') || (is_before && *before == 0) ||
          (is_after && *after == 0)) {
        return fault();
      }
      *before -= is_before;
      *after -= is_after;
      if (sign == '+') file()->added.emplace_back(line.substr(1));
      if (sign == '-') file()->removed.emplace_back(line.substr(1));
    }
    return {};
  }

  std::string_view rest_;
  std::vector<Patch> patches_;
};

}  // namespace

Result<std::vector<Patch>> parse_patches(std::string_view text) { return PatchParser(text).run(); }

Result<std::unordered_map<std::string, std::string>> parse_patch_ids(std::string_view text) {
  std::unordered_map<std::string, std::string> ids;
  while (!text.empty()) {
    std::string_view line = cut_off(text, '\n');
    const std::string_view id = cut_off(line, ' ');
    if (!is_object_name(id) || !is_object_name(line)) return fault();
    ids.emplace(line, id);
  }
  return ids;
}

}  // namespace weft::git
