// Emits those facts of a conversation that have changed since they were last emitted. Texts are
// remembered by their hashes, so the state has a fixed size.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/time.hpp"
#include "weft/transcript/conversation.hpp"

namespace weft {
class StateArchive;
}

namespace weft::formats {

// The sum of two usages. The counts of a broken file may be anything: sums wrap, they do not
// overflow.
transcript::Usage add_wrapping(const transcript::Usage& sum, const transcript::Usage& more);

class ChangedFacts {
 public:
  // A fact that is a text, and its name in saved states.
  struct Text {
    std::string_view key;
    std::optional<std::string> transcript::Facts::* fact;
  };
  static constexpr std::size_t kMostTexts = 6;
  using Hash = std::uint64_t (*)(std::string_view text);

  // Of facts that are texts, only `texts` are emitted: at most kMostTexts, and they outlive the
  // object.
  ChangedFacts(std::span<const Text> texts, Hash hash) : texts_(texts), hash_(hash) {}

  // Emits the facts that have changed; false if none has. `updated_at` only grows.
  bool note(const transcript::Facts& facts, transcript::Sink& sink);
  // As it was last emitted.
  const std::optional<transcript::Usage>& usage() const { return usage_; }

  // The keys of the texts, "tools", "usage", "updated_at" and "internal".
  void archive(StateArchive& a);

 private:
  bool is_changed(std::uint64_t& last, const std::optional<std::string>& text) const;

  std::span<const Text> texts_;
  Hash hash_;
  std::array<std::uint64_t, kMostTexts> hashes_{};  // 0 for none
  std::uint64_t tools_ = 0;
  std::optional<transcript::Usage> usage_;
  std::optional<Millis> updated_at_;
  bool is_internal_ = false;
};

}  // namespace weft::formats
