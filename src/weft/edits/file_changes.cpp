#include "weft/edits/file_changes.hpp"

#include <utility>

namespace weft::edits {
namespace {

// False if the text is not there.
bool replace(std::string& content, const Change& change, bool is_everywhere) {
  if (change.before.empty()) return false;  // where it was put is not stated
  std::size_t at = content.find(change.before);
  if (at == std::string::npos) return false;
  do {
    content.replace(at, change.before.size(), change.after);
    at = content.find(change.before, at + change.after.size());
  } while (is_everywhere && at != std::string::npos);
  return true;
}

}  // namespace

std::optional<std::string> applied(const std::optional<std::string>& content, const Edit& edit) {
  if (edit.kind == Edit::Kind::remove) return std::string();
  if (edit.after) return edit.after;
  std::optional<std::string> changed = edit.before ? edit.before : content;
  if (!changed) return std::nullopt;
  for (const Change& change : edit.changes) {
    if (!replace(*changed, change, edit.is_everywhere)) return std::nullopt;
  }
  return changed;
}

void FileChanges::add(Edit edit) {
  if (edits_.empty()) before_ = edit.before;
  if (edit.kind == Edit::Kind::move && moved_from_.empty()) moved_from_ = edit.moved_from;
  // The text that a person changed on the way is not known.
  after_ = edit.is_user_modified && !edit.after ? std::nullopt
                                                : applied(edits_.empty() ? before_ : after_, edit);
  edits_.push_back(std::move(edit));
}

FileChanges::Status FileChanges::status() const {
  if (edits_.empty()) return Status::changed;
  if (edits_.back().kind == Edit::Kind::remove) return Status::removed;
  if (!moved_from_.empty()) return Status::moved;
  const bool is_new = edits_.front().kind == Edit::Kind::write && before_ && before_->empty();
  return is_new ? Status::added : Status::changed;
}

std::vector<Hunk> FileChanges::hunks() const {
  if (is_whole()) return diff_lines(*before_, *after_);
  std::vector<Hunk> hunks;
  const auto add = [&](std::string_view before, std::string_view after) {
    for (Hunk& hunk : diff_lines(before, after)) {
      hunk.before_first = hunk.after_first = 0;
      hunks.push_back(std::move(hunk));
    }
  };
  for (const Edit& edit : edits_) {
    if (edit.kind == Edit::Kind::write)
      add(edit.before ? *edit.before : std::string_view(), *edit.after);
    for (const Change& change : edit.changes) add(change.before, change.after);
  }
  return hunks;
}

}  // namespace weft::edits
