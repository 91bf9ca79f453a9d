// LineLedger: which edits wrote a line of a file, and which of these lines a later edit took away.
//
// Lines are the same if they are equal without white space. Each written line answers one line of
// a file: a person may write it a second time. An edit that puts back a line which an earlier edit
// took away did not write it.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "weft/base/time.hpp"
#include "weft/edits/edit.hpp"

namespace weft::query {

class LineLedger {
 public:
  // The next edit of the file, by time. `number` names it.
  void add(std::size_t number, Millis time, const edits::Edit& edit);

  // When a line was written: in (after, until], not as one that had been taken away since `after`,
  // and no edit up to `standing` took it away again.
  struct Span {
    Millis after = 0, until = 0, standing = 0;
  };
  // The newest edit that wrote this line in the span, of lines that answered no line yet, and of
  // edits that may answer.
  using MayAnswer = std::function<bool(std::size_t edit)>;
  std::optional<std::size_t> find(std::string_view line, const Span& span,
                                  const MayAnswer& may_answer = {}) const;
  // Marks a line that this edit wrote as answered. False if there is none left that stands at this
  // time.
  bool take(std::size_t number, std::string_view line, Millis standing);

 private:
  struct Entry {
    std::size_t edit = 0;
    Millis written = 0;
    Millis removed = std::numeric_limits<Millis>::max();
    // When an earlier edit last took such a line away.
    Millis taken_away = std::numeric_limits<Millis>::min();
    bool is_everywhere = false;  // it may have written the line any number of times
    bool is_taken = false;
  };
  static bool is_free(const Entry& entry, Millis standing);
  void write(std::size_t number, Millis time, const edits::Edit& edit, std::string_view before,
             std::string_view after);

  std::unordered_map<std::string, std::vector<Entry>> entries_;      // by line, each list by time
  std::unordered_map<std::string, std::vector<Millis>> taken_away_;  // when, by line, in order
};

}  // namespace weft::query
