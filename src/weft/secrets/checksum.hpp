// Checks of tokens that need no question to the service that made them.
#pragma once

#include <string_view>

namespace weft::secrets {

// GitHub's and npm's tokens: the last six characters are the CRC-32 of those between prefix and
// them, in base 62.
bool has_crc32(std::string_view token);
// age's identities: the checksum of Bech32.
bool has_bech32(std::string_view token);
// A JSON Web Token: its first part is a JSON object that names its algorithm. The one of every
// documentation, about John Doe, is none.
bool is_web_token(std::string_view token);
// Base64 of whole bytes, white space and escaped line ends left out.
bool is_base64(std::string_view text);

}  // namespace weft::secrets
