// The messages that a chat consists of at the moment, and the turns that they stand in: what a
// rewind goes back along, and what a restated history is held against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/state_archive.hpp"

namespace weft::formats::gemini {

// Only the last kMost messages are remembered. Who goes back farther than that begins a turn
// behind the last one: the words are all there, their place in the tree is lost.
class Trail {
 public:
  static constexpr std::size_t kMost = 256;

  // A message that was there already stays where it is.
  void add(std::string_view id, std::string_view turn);
  // The turn that a message stands in; empty if it is not remembered.
  std::optional<std::string> find(std::string_view id) const;
  // Whether messages were forgotten for the sake of newer ones.
  bool has_forgotten() const { return has_forgotten_; }

  // The message and all behind it are gone, or all that there are if it was never there. The
  // turn of the message that is the last one now: "" if there is none; empty if that is forgotten.
  std::optional<std::string> rewind(std::string_view id);

  void archive(StateArchive& a);

 private:
  struct Run {
    std::string turn;
    std::vector<std::int64_t> messages;  // hashes of their ids
  };
  // Saved as [turn, message, …].
  friend json::value write_value(const Run& run);
  friend StateFit read_value(const json::value& from, Run& run);

  std::deque<Run> runs_;
  std::size_t count_ = 0;
  bool has_forgotten_ = false;
};

}  // namespace weft::formats::gemini
