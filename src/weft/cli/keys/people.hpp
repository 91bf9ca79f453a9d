// Other people in the keyring, for weft keys add, trust, list and remove: whose sealed text it
// opens, and whose word its owner believes.
#pragma once

#include <optional>
#include <string>

#include "weft/base/json.hpp"
#include "weft/cli/app/context.hpp"

namespace weft::cli {

// Reads a keyring that somebody exported; - is stdin. Without a name, the one that its owner has in
// it.
Answer add_reading_keys(const Context& context, const std::string& file,
                        const std::optional<std::string>& name);

// `whom` is a public key, the file of an exported keyring, or the CID of an identity in the store.
Answer trust_owner(const Context& context, const std::string& whom,
                   const std::optional<std::string>& name);

Answer list_people(const Context& context);
Answer remove_person(const Context& context, const std::string& name);

// [{name, public_key, trusted, layers: {metadata, content}}], by name. A layer is the id of the key
// that opens it, or null.
json::array people_json(const crypto::Keyring& keyring);

// The text of a file with a keyring; - is stdin. The caller wipes it.
Result<std::string> read_keyring_text(const std::string& file);

}  // namespace weft::cli
