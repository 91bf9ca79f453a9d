#include "weft/query/edits/source_edits.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "weft/base/try.hpp"
#include "weft/edits/written_lines.hpp"
#include "weft/query/edits/same_file.hpp"
#include "weft/query/edits/working_directories.hpp"

namespace weft::query {
namespace {

class SourceEditFinder {
 public:
  SourceEditFinder(const Library& library, const BlamedFile& file, const QueryControl& control)
      : library_(library), file_(file), control_(control), same_(file.repository, file.path) {}

  Result<SourceEdits> run() && {
    join_paths();
    WEFT_TRY(find_edits());
    WEFT_TRY(load_texts());
    return std::move(found_);
  }

 private:
  // Sources whose files have a name in common are about one file.
  void join_paths() {
    for (const LineSource& source : file_.sources) {
      FileEdits joined{.paths = source.paths};
      std::erase_if(found_.files, [&](const FileEdits& other) {
        const bool is_same = std::ranges::any_of(other.paths, [&](const std::string& path) {
          return std::ranges::find(joined.paths, path) != joined.paths.end();
        });
        if (is_same)
          joined.paths.insert(joined.paths.end(), other.paths.begin(), other.paths.end());
        return is_same;
      });
      found_.files.push_back(std::move(joined));
    }
    for (const LineSource& source : file_.sources) {
      const auto found = std::ranges::find_if(found_.files, [&](const FileEdits& one) {
        return std::ranges::find(one.paths, source.paths.front()) != one.paths.end();
      });
      found_.file_of.push_back(static_cast<std::size_t>(found - found_.files.begin()));
    }
  }

  Status find_edits() {
    std::set<std::string> names;
    for (const FileEdits& one : found_.files) {
      for (const std::string& path : one.paths) names.emplace(file_name_of(path));
    }
    std::set<std::pair<Cid, std::string>> seen;
    for (const std::string& name : names) {
      WEFT_TRY_VALUE(auto known, known_edits(library_, name, control_));
      found_.sealed = std::max(found_.sealed, known.sealed);
      for (KnownEdit& edit : known.entries) {
        if (edit.is_copy || !seen.emplace(edit.request, edit.path).second) continue;
        found_.edits.push_back(std::move(edit));
      }
    }
    std::ranges::stable_sort(found_.edits, {}, &KnownEdit::time);
    for (std::size_t i = 0; i < found_.edits.size(); ++i) {
      for (FileEdits& one : found_.files) {
        if (is_edit_of(found_.edits[i], one)) one.edits.push_back(i);
      }
    }
    return {};
  }

  bool is_edit_of(const KnownEdit& edit, const FileEdits& one) {
    const std::string& directory = directories_.of(edit.conversation);
    return std::ranges::any_of(
        one.paths, [&](const std::string& path) { return same_(edit.path, directory, path); });
  }

  // Reads the edits that could have written a line in question, and those that could have undone
  // it.
  Status load_texts() {
    found_.texts.resize(found_.edits.size());
    for (std::size_t f = 0; f < found_.files.size(); ++f) {
      FileEdits& one = found_.files[f];
      const Millis first = first_needed(f);
      for (const std::size_t i : one.edits) {
        const KnownEdit& edit = found_.edits[i];
        if (edit.time < first) continue;
        if (control_.is_off()) return called_off();
        if (found_.texts[i].empty()) {
          WEFT_TRY_VALUE(found_.texts[i], read_edit(library_, edit));
        }
        for (const edits::Edit& text : found_.texts[i])
          one.ledgers[edit.path].add(i, edit.time, text);
      }
    }
    return {};
  }

  Millis first_needed(std::size_t f) const {
    Millis first = std::numeric_limits<Millis>::max();
    std::unordered_set<std::uint32_t> hashes;
    for (const FileLine& line : file_.lines) {
      if (found_.file_of[line.source] != f) continue;
      hashes.insert(edits::line_hash(line.text));
      first = std::min(first, minus_slack(file_.sources[line.source].after));
    }
    for (const std::size_t i : found_.files[f].edits) {
      const KnownEdit& edit = found_.edits[i];
      if (edit.time >= first) break;
      const bool is_hit = std::ranges::any_of(
          edit.lines, [&](std::uint32_t hash) { return hashes.contains(hash); });
      if (is_hit) return edit.time;
    }
    return first;
  }

  const Library& library_;
  const BlamedFile& file_;
  const QueryControl& control_;
  SameFile same_;
  SourceEdits found_;
  WorkingDirectories directories_{library_};
};

}  // namespace

Millis minus_slack(Millis time) {
  constexpr Millis kEarliest = std::numeric_limits<Millis>::min();
  return time < kEarliest + kSlackMs ? kEarliest : time - kSlackMs;
}
Millis plus_slack(Millis time) {
  constexpr Millis kLast = std::numeric_limits<Millis>::max();
  return time > kLast - kSlackMs ? kLast : time + kSlackMs;
}

Result<SourceEdits> find_source_edits(const Library& library, const BlamedFile& file,
                                      const QueryControl& control) {
  return SourceEditFinder(library, file, control).run();
}

}  // namespace weft::query
