// Secrets in text: tokens, private keys and passwords, found by their shape.
//
//   for (const Finding& found : find_secrets(text)) …   // text.substr(found.offset, found.length)
//
// Most services give their tokens a prefix, an alphabet and a length, some a checksum; that is
// enough to find them without guessing. Text that only looks like a secret (`AKIAIOSFODNN7EXAMPLE`,
// `ghp_xxxx`) is left out. Best effort: a password that looks like a word is not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft::secrets {

enum class Tier : std::uint8_t {
  sure,    // the shape of a service's tokens, and its checksum where it has one
  likely,  // a value beside a name such as PASSWORD, a password in a URL
};

struct Rule {
  std::string_view name;    // "github-token"
  std::string_view revoke;  // where its owner replaces it: "GitHub, Settings, Developer settings"
  Tier tier = Tier::sure;
};

struct Finding {
  std::size_t offset = 0, length = 0;  // of the secret alone, without what stands around it
  const Rule* rule = nullptr;          // lives as long as the program
};

// All findings in `text`, in order, none overlapping. Text inside JSON strings is found as well: an
// escape such as \n before a token does not hide it. The work grows with the size of the text, and
// does not depend on what it says.
std::vector<Finding> find_secrets(std::string_view text, Tier least = Tier::sure);

// Every rule, by name. Version: raised when a rule changes, so that what was found before is found
// again.
std::vector<Rule> all_rules();
inline constexpr std::int64_t kRulesVersion = 1;

// `text` with `[secret RULE #NAME]` in place of each finding; `name_of` gives the name of a value.
using NameOf = std::function<std::string(std::string_view secret)>;
std::string masked(std::string_view text, std::span<const Finding> findings, const NameOf& name_of);

}  // namespace weft::secrets
