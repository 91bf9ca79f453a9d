#include "weft/query/commits/staged_thoughts.hpp"

#include <algorithm>
#include <map>

#include "weft/base/try.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/attribution.hpp"
#include "weft/query/edits/call_story.hpp"

namespace weft::query {
namespace {

// Files of one commit that are looked at: a commit waits for the answer.
constexpr std::size_t kMostFiles = 500;

class StagedFinder {
 public:
  StagedFinder(const Library& library, git::Repository repository, const StagedOptions& options)
      : library_(library), options_(options), git_(std::move(repository), options.control.stop) {}

  Result<std::vector<Cid>> run() && {
    WEFT_TRY_VALUE(const git::Patch patch, git_.staged(options_.index));
    WEFT_TRY_VALUE(head_, git_.find_head());
    std::size_t looked = 0;
    for (const git::PatchedFile& file : patch.files) {
      if (file.added.empty() || ++looked > kMostFiles) continue;
      WEFT_TRY(add_calls_of(file));
    }
    return named();
  }

 private:
  // The added lines alone, as a file that is not committed.
  Status add_calls_of(const git::PatchedFile& patched) {
    if (options_.control.is_off()) return called_off();
    BlamedFile file;
    file.path = git_.repository().root / patched.path;
    file.shown_path = patched.path;
    file.repository = git_.repository();
    file.is_in_git = true;
    file.line_count = patched.added.size();
    for (const std::string& line : patched.added) {
      if (edits::is_telling(line)) file.lines.push_back({.text = line});
    }
    if (file.lines.empty()) return {};
    LineSource source{.paths = {patched.path}, .until = options_.now};
    if (head_) {
      WEFT_TRY_VALUE(const auto last, git_.last_change(*head_, patched.path));
      if (last) source.after = *last;
    }
    file.sources.push_back(std::move(source));
    WEFT_TRY_VALUE(const Attribution attribution, attribute(library_, file, options_.control));
    for (const auto& answer : attribution.lines) {
      if (!answer || !answer->edit || !is_sure(*answer)) continue;
      const KnownEdit& edit = attribution.edits[*answer->edit];
      calls_.emplace(edit.request, edit.time);
    }
    return {};
  }

  Result<std::vector<Cid>> named() {
    std::vector<std::pair<Millis, Cid>> calls;
    calls.reserve(calls_.size());
    for (const auto& [call, time] : calls_) calls.emplace_back(time, call);
    std::ranges::sort(calls);
    const bool is_by_prompt = calls.size() > kMostStagedCalls;
    CallStories stories(library_);
    std::vector<Cid> names;
    for (const auto& [time, call] : calls) {
      Cid name = call;
      if (is_by_prompt) {
        WEFT_TRY_VALUE(const auto prompt, stories.prompt_of(call));
        if (prompt) name = *prompt;
      }
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
    return names;
  }

  const Library& library_;
  const StagedOptions& options_;
  git::Git git_;
  std::optional<std::string> head_;
  std::map<Cid, Millis> calls_;  // when each was made
};

}  // namespace

Result<std::vector<Cid>> staged_thoughts(const Library& library,
                                         const std::filesystem::path& repository,
                                         const StagedOptions& options) {
  std::error_code failed;
  const std::filesystem::path folder =
      std::filesystem::weakly_canonical(std::filesystem::absolute(repository), failed);
  WEFT_TRY_VALUE(auto found, git::find_repository(folder));
  if (!found) return std::vector<Cid>();
  return StagedFinder(library, *std::move(found), options).run();
}

}  // namespace weft::query
