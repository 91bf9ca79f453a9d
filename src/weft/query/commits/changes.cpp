#include "weft/query/commits/changes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/base/utf8.hpp"
#include "weft/query/ask/facts.hpp"
#include "weft/query/commits/calls_after.hpp"
#include "weft/query/commits/landed_edits.hpp"
#include "weft/query/commits/repository_file.hpp"
#include "weft/query/edits/attribution.hpp"
#include "weft/query/edits/working_directories.hpp"

namespace weft::query {
namespace {

namespace fs = std::filesystem;

json::value repository_text(std::string_view text) {
  std::string storage;
  std::size_t repairs = 0;
  return json::value(repair_utf8(text, storage, repairs));
}

std::string sealed_calls_note(std::size_t calls) {
  return std::to_string(calls) + " calls are sealed: this keyring does not open them";
}

class ChangeFinder {
 public:
  ChangeFinder(const Library& library, const ChangesOptions& options)
      : library_(library), options_(options) {}

  Result<json::object> run(const Cid& thought) && {
    std::optional<git::Repository> given;
    if (options_.repository) {
      WEFT_TRY_VALUE(given, open_repository(*options_.repository));
    }
    WEFT_TRY_VALUE(EditsAfter found, edits_after(library_, thought, options_.control));
    edits_ = std::move(found.edits);
    if (found.sealed > 0) notes_.insert(sealed_calls_note(found.sealed));
    WEFT_TRY(locate(std::move(given)));
    WEFT_TRY(find_lines());
    json::array commits;
    WEFT_TRY(find_commits(commits));
    json::object answer{{"edits", shown_edits()},
                        {"commits", std::move(commits)},
                        {"lines", std::move(lines_)},
                        {"alive", alive_},
                        {"weak", weak_}};
    if (!notes_.empty()) answer["notes"] = json::array(notes_.begin(), notes_.end());
    return answer;
  }

 private:
  // A failure of git ends nothing but what git was asked for, unless the query was called off.
  Status note(Error error, std::string_view about) {
    if (error.code == ErrorCode::unavailable) return fail(std::move(error));
    std::string text(about);
    if (!text.empty()) text += ": ";
    text += error.message;
    std::string storage;
    std::size_t repairs = 0;
    notes_.emplace(repair_utf8(text, storage, repairs));
    return {};
  }

  Status locate(std::optional<git::Repository> given) {
    RepositoryFiles files(std::move(given), options_.control.stop);
    files_.resize(edits_.size());
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      if (options_.control.is_off()) return called_off();
      auto file = files.find(edits_[i].edit.path, directories_.of(edits_[i].conversation));
      if (file) files_[i] = *std::move(file);
      else WEFT_TRY(note(std::move(file).error(), ""));
      requests_.insert(edits_[i].request);
    }
    return {};
  }

  // The files as they are today, each once.
  Status find_lines() {
    std::set<fs::path> paths;
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      const auto& file = files_[i];
      std::error_code failed;
      if (file && !file->now.empty()) paths.insert(file->repository.root / file->now);
      const fs::path path(edits_[i].edit.path);
      if (!file && path.is_absolute() && fs::is_regular_file(path, failed)) paths.insert(path);
    }
    for (const fs::path& path : paths) {
      if (options_.control.is_off()) return called_off();
      auto read = read_blamed_file(path, {.now = options_.now, .stop = options_.control.stop});
      if (!read) {
        WEFT_TRY(note(std::move(read).error(), ""));
        continue;
      }
      for (const std::string& text : read->notes) {
        WEFT_TRY(note({ErrorCode::invalid_input, text}, read->shown_path));
      }
      WEFT_TRY_VALUE(const Attribution attribution, attribute(library_, *read, options_.control));
      add_lines(*read, attribution);
    }
    return {};
  }

  void add_lines(const BlamedFile& file, const Attribution& attribution) {
    for (std::size_t n = 0; n < file.lines.size();) {
      const auto& answer = attribution.lines[n];
      const std::size_t source = file.lines[n].source, first = n;
      while (n < file.lines.size() && file.lines[n].source == source &&
             attribution.lines[n] == answer) {
        ++n;
      }
      if (!answer || !answer->edit) continue;
      const KnownEdit& edit = attribution.edits[*answer->edit];
      if (!requests_.contains(edit.request)) continue;
      json::object shown;
      if (file.repository) shown["repository"] = repository_text(file.repository->root.string());
      shown["path"] = repository_text(file.shown_path);
      shown["first"] = file.first + first;
      shown["last"] = file.first + n - 1;
      if (const auto& commit = file.sources[source].commit) {
        shown["commit"] = commit->commit;
        if (is_sure(*answer)) holding_[{edit.request, edit.path}].insert(commit->commit);
      }
      shown["rule"] = name_of(answer->rule);
      shown["sure"] = sureness_of(*answer);
      shown["request_cid"] = edit.request.str();
      (is_sure(*answer) ? alive_ : weak_) += n - first;
      lines_.push_back(std::move(shown));
    }
  }

  Status find_commits(json::array& shown) {
    std::map<fs::path, std::vector<std::size_t>> by_root;
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      if (files_[i]) by_root[files_[i]->repository.root].push_back(i);
    }
    commits_.resize(edits_.size());
    for (const auto& [root, numbers] : by_root) {
      const git::Git git(files_[numbers.front()]->repository, options_.control.stop);
      if (const Status found = find_commits_in(git, numbers, shown); !found) {
        WEFT_TRY(note(Error(found.error()), ""));
      }
    }
    std::ranges::sort(shown, {}, [](const json::value& commit) {
      return find_int(commit.get_object(), "author_time").value_or(0);
    });
    return {};
  }

  Status find_commits_in(const git::Git& git, const std::vector<std::size_t>& numbers,
                         json::array& shown) {
    LandedEdits landed(git);
    for (const std::size_t i : numbers) {
      std::vector<std::string> names = {files_[i]->path};
      const std::string& now = files_[i]->now;
      if (!now.empty() && now != names.front()) names.push_back(now);
      const auto known = holding_.find({edits_[i].request, edits_[i].edit.path});
      landed.add(edits_[i].edit, edits_[i].time, names,
                 known == holding_.end() ? std::set<std::string>() : known->second);
    }
    WEFT_TRY(landed.find());
    std::set<std::string> all;
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      commits_[numbers[n]] = landed.commits_of(n);
      all.insert(commits_[numbers[n]].begin(), commits_[numbers[n]].end());
    }
    const std::vector<std::string> names(all.begin(), all.end());
    WEFT_TRY_VALUE(const auto commits, git.commits(names));
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!commits[i]) continue;
      json::object one{{"repository", repository_text(git.repository().root.string())},
                       {"sha", names[i]},
                       {"subject", repository_text(commits[i]->subject())},
                       {"author", repository_text(commits[i]->author)},
                       {"author_time", commits[i]->author_time}};
      const auto patch = landed.patches().find(names[i]);
      if (patch != landed.patches().end() && !patch->second.id.empty()) {
        one["patch_id"] = patch->second.id;
      }
      shown.push_back(std::move(one));
    }
    return {};
  }

  json::array shown_edits() const {
    json::array shown;
    for (std::size_t i = 0; i < edits_.size(); ++i) {
      const MadeEdit& made = edits_[i];
      json::object one{{"request_cid", made.request.str()},
                       {"conversation_cid", made.conversation.str()},
                       {"time", made.time},
                       {"kind", edits::name_of(made.edit.kind)},
                       {"path", made.edit.path}};
      if (made.result) one["result_cid"] = made.result->str();
      if (!made.edit.moved_from.empty()) one["moved_from"] = made.edit.moved_from;
      if (const auto& file = files_[i]) {
        one["repository"] = repository_text(file->repository.root.string());
        if (!file->now.empty()) one["file"] = repository_text(file->now);
      }
      if (!commits_[i].empty()) {
        one["commits"] = json::array(commits_[i].begin(), commits_[i].end());
      }
      shown.push_back(std::move(one));
    }
    return shown;
  }

  Library library_;
  const ChangesOptions& options_;
  std::vector<MadeEdit> edits_;
  std::unordered_set<Cid> requests_;
  WorkingDirectories directories_{library_};
  std::vector<std::optional<RepositoryFile>> files_;  // by edit
  std::vector<std::set<std::string>> commits_;        // by edit
  // Commits of lines that stand today, by call and path.
  std::map<std::pair<Cid, std::string>, std::set<std::string>> holding_;
  json::array lines_;
  std::uint64_t alive_ = 0, weak_ = 0;
  std::set<std::string> notes_;
};

}  // namespace

Result<json::object> changes(const Library& library, const Cid& thought,
                             const ChangesOptions& options) {
  return ChangeFinder(library, options).run(thought);
}

}  // namespace weft::query
