#include "weft/query/edits/diff.hpp"

#include <filesystem>
#include <map>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/edits/file_changes.hpp"
#include "weft/query/edits/call_reader.hpp"
#include "weft/query/questions.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

struct ChangedFile {
  edits::FileChanges changes;
  json::array edits;  // the calls
};

// Paths as people name them: below the working directory without it.
class Paths {
 public:
  explicit Paths(const json::object& conversation) {
    const auto cwd = conversation.find("cwd");
    if (cwd != conversation.end() && cwd->value().is_string()) {
      cwd_ = fs::path(std::string(cwd->value().get_string())).lexically_normal();
    }
  }
  std::string shown(const std::string& path) const {
    const fs::path normal = fs::path(path).lexically_normal();
    if (cwd_.empty() || normal.is_relative()) return normal.string();
    const fs::path below = normal.lexically_relative(cwd_);
    const bool is_below = !below.empty() && *below.begin() != "..";
    return is_below ? below.string() : normal.string();
  }

 private:
  fs::path cwd_;
};

std::string_view name_of(edits::FileChanges::Status status) {
  using enum edits::FileChanges::Status;
  switch (status) {
    case added: return "added";
    case removed: return "removed";
    case moved: return "moved";
    case changed: break;
  }
  return "changed";
}

struct Counts {
  std::uint64_t added = 0, removed = 0;
};

json::array hunks_of(const edits::FileChanges& changes, Counts& counts) {
  json::array shown;
  for (const edits::Hunk& hunk : changes.hunks()) {
    json::array lines;
    for (const edits::DiffLine& line : hunk.lines) {
      counts.added += line.sign == '+';
      counts.removed += line.sign == '-';
      lines.push_back(json::string(std::string(1, line.sign) + std::string(line.text)));
      if (!line.has_end && changes.is_whole()) lines.push_back("\\");
    }
    const auto first = [&](std::size_t line) {
      return changes.is_whole() ? json::value(line) : json::value();
    };
    shown.push_back(json::object{{"before_first", first(hunk.before_first)},
                                 {"before_count", hunk.before_count},
                                 {"after_first", first(hunk.after_first)},
                                 {"after_count", hunk.after_count},
                                 {"lines", std::move(lines)}});
  }
  return shown;
}

}  // namespace

Result<json::object> diff(const Library& library, const store::ConversationRow& conversation,
                          const DiffOptions& options) {
  const Paths paths(describe(library, conversation));
  std::map<std::string, ChangedFile> files;
  CallReader reader(library, options.control, [&](MadeEdit made) {
    std::string path = paths.shown(made.edit.path);
    if (!made.edit.moved_from.empty()) {
      made.edit.moved_from = paths.shown(made.edit.moved_from);
      // What was done to it under its old name belongs to it.
      if (auto before = files.extract(made.edit.moved_from)) {
        before.key() = path;
        files.insert(std::move(before));
      }
    }
    if (options.path && !path.ends_with(*options.path)) return;
    ChangedFile& file = files[path];
    json::object call{{"cid", made.request.str()}, {"time", made.time}};
    if (made.result) call["result_cid"] = made.result->str();
    if (made.number > 0) call["file"] = made.number;
    file.edits.push_back(std::move(call));
    file.changes.add(std::move(made.edit));
  });
  WEFT_TRY(reader.read(conversation, options.block));

  Counts all;
  json::array shown;
  for (auto& [path, file] : files) {
    Counts counts;
    json::array hunks = hunks_of(file.changes, counts);
    json::object one{{"path", path}, {"status", name_of(file.changes.status())}};
    if (!file.changes.moved_from().empty()) one["moved_from"] = file.changes.moved_from();
    one["whole"] = file.changes.is_whole();
    one["added"] = counts.added;
    one["removed"] = counts.removed;
    one["edits"] = std::move(file.edits);
    one["hunks"] = std::move(hunks);
    all.added += counts.added;
    all.removed += counts.removed;
    shown.push_back(std::move(one));
  }
  json::object answer{{"conversation_cid", conversation.cid.str()}};
  if (options.block) answer["block_cid"] = options.block->str();
  answer["files"] = std::move(shown);
  answer["added"] = all.added;
  answer["removed"] = all.removed;
  if (reader.sealed() > 0) answer["sealed"] = reader.sealed();
  return answer;
}

}  // namespace weft::query
