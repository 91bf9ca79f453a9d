// A record of a Qwen Code session: its envelope, read once, and the object behind it.
//
//   {"uuid":"…","parentUuid":"…","sessionId":"…","timestamp":"…","type":"assistant","cwd":"…",
//    "model":"…","message":{"role":"model","parts":[…]},"usageMetadata":{…}}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"

namespace weft::formats::qwen {

// A name or path beyond this is not kept: whatever a reader remembers is bounded.
inline constexpr std::size_t kMaxPathBytes = 4096;

struct Entry {
  enum class Follows { previous, nothing, named };

  const json::object& object;  // outlives it; the views point into it
  std::string_view type, subtype, provenance;
  std::optional<std::string> uuid, session, agent, model;
  Follows follows = Follows::previous;
  std::string_view parent{};  // where one is named
  std::optional<Millis> time{};
  bool is_sidechain = false;
  const json::object* payload = nullptr;  // "systemPayload"

  // The parts of its message; null where it has none.
  const json::value* parts() const;
  std::string_view payload_text(std::string_view key) const;
};
Entry parse_entry(const json::object& object);

}  // namespace weft::formats::qwen
