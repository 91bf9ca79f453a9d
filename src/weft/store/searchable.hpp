// The searchable text of a thought, clear and per layer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weft/crypto/keyring.hpp"
#include "weft/thought/seal.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// The words of people, models and tools, without the structure around them. Empty for thoughts that
// are no blocks.
struct Searchable {
  std::string clear{}, metadata{}, content{};
  // The tool's name, for tool: filters: in the clear, and where the metadata layer seals it.
  std::string tool{}, sealed_tool{};
};

// Whether thoughts of this type are searched at all.
bool is_searched(std::string_view type);
// Their kinds: "human_input", "response"…
std::vector<std::string_view> searched_kinds();

// Of a thought as it is stored. Layers that the keyring does not open are left out.
Searchable searchable(const thought::Thought& thought, const crypto::Keyring* keyring);

// The opened layers of a thought, in canonical JSON; empty where there is none, the keyring does
// not open it, or it is damaged, which `weft verify` reports.
struct OpenLayers {
  std::string metadata{}, content{};
};
OpenLayers open_layers(const thought::Thought& thought, const crypto::Keyring* keyring,
                       thought::Keys keys = thought::Keys::all);
// What tables are computed from: the layers that the keyring's own keys open. So the tables of a
// store do not depend on whose keys its owner was given, and what they keep of a sealed layer can
// be opened by nobody else than before.
OpenLayers open_own_layers(const thought::Thought& thought, const crypto::Keyring* keyring);
// Whether secrets of the sure tier stand in the clear parts, or spaces in their place.
enum class Secrets : std::uint8_t { kept, blanked };
// The same with layers that are open already.
Searchable searchable(const thought::Thought& thought, const OpenLayers& layers,
                      Secrets secrets = Secrets::kept);

// All parts in one text, for snippets and phrases.
std::string searchable_text(const thought::Thought& thought, const crypto::Keyring* keyring);

}  // namespace weft::store
