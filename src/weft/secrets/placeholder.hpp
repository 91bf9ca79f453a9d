// Placeholders: text in the shape of a secret that is none, as documentation and tests have it.
#pragma once

#include <string_view>

namespace weft::secrets {

// Whether the characters of a token, without its prefix, cannot have been drawn at random: a word
// such as EXAMPLE, six equal or consecutive characters, a repeated piece, too few different ones.
bool is_placeholder(std::string_view token);

// Whether a password is none: a variable ($PASSWORD, <password>, {{ pw }}, ****), or a word that
// documentation uses for one.
bool is_placeholder_password(std::string_view password);

}  // namespace weft::secrets
