// Trail: the current messages of a chat and their turns. A rewind goes back along it, and a
// restated history is compared with it.
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

// Only the last kMost messages are remembered. A rewind farther back begins a turn behind the last
// one: its content is complete, its place in the tree is lost.
class Trail {
 public:
  static constexpr std::size_t kMost = 256;

  // A known message stays where it is.
  void add(std::string_view id, std::string_view turn);
  // The turn of a message; empty if it is not remembered.
  std::optional<std::string> find(std::string_view id) const;
  // Whether older messages were dropped.
  bool has_forgotten() const { return has_forgotten_; }

  // Removes the message and all behind it, or all messages if it is unknown. Returns the turn of
  // the last remaining message: "" if none remains; empty if it is no longer remembered.
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
