#include "weft/cli/serve/token_list.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "weft/base/file.hpp"
#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;
constexpr std::size_t kMostNameCharacters = 64;
constexpr std::int64_t kVersion = 1;
constexpr std::string_view kHashContext = "weft 2026-11 token of a person v1";
constexpr std::string_view kHashPrefix = "blake3:";

std::int64_t ns_of(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

Result<PersonToken> parse_token(const json::value& value) {
  const auto wrong = [](std::string_view what) {
    return fail(ErrorCode::corrupt, "an entry has " + std::string(what));
  };
  const json::object* object = value.if_object();
  if (object == nullptr || object->size() != 4) return wrong("other members than expected");
  PersonToken token;
  token.name = find_string(*object, "name").value_or("");
  if (!is_token_name(token.name)) return wrong("no valid name");
  const json::array* rights = find_array(*object, "rights");
  if (rights == nullptr) return wrong("no rights");
  std::string joined;
  for (const json::value& right : *rights) {
    if (!right.is_string()) return wrong("a right that is no text");
    joined += (joined.empty() ? "" : ",") + std::string(view(right.get_string()));
  }
  const auto parsed = net::Rights::parse(joined);
  if (!parsed) return wrong("rights that this weft does not know");
  token.rights = *parsed;
  const std::string_view hash = find_string(*object, "hash").value_or("");
  if (!hash.starts_with(kHashPrefix) || !parse_hex(hash.substr(kHashPrefix.size()), token.hash)) {
    return wrong("no hash");
  }
  const auto created_at = find_int(*object, "created_at");
  if (!created_at) return wrong("no time");
  token.created_at = *created_at;
  return token;
}

Result<std::vector<PersonToken>> parse_list(std::string_view text) {
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  const json::array* entries = object == nullptr ? nullptr : find_array(*object, "tokens");
  if (entries == nullptr || find_int(*object, "version") != kVersion) {
    return fail(ErrorCode::corrupt, "it is no list of tokens of version 1");
  }
  std::vector<PersonToken> tokens;
  for (const json::value& entry : *entries) {
    WEFT_TRY_VALUE(auto token, parse_token(entry));
    const bool is_twice = std::ranges::find(tokens, token.name, &PersonToken::name) != tokens.end();
    if (is_twice) return fail(ErrorCode::corrupt, "two entries have the name " + token.name);
    tokens.push_back(std::move(token));
  }
  if (tokens.size() > kMostTokens) return fail(ErrorCode::corrupt, "it has too many entries");
  std::ranges::sort(tokens, {}, &PersonToken::name);
  return tokens;
}

}  // namespace

std::filesystem::path token_list_path(const std::filesystem::path& home) {
  return home / "tokens.json";
}

bool is_token_name(std::string_view name) {
  const auto fits = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
           c == '_' || c == '.' || c == '@';
  };
  return !name.empty() && name.size() <= kMostNameCharacters && std::ranges::all_of(name, fits);
}

Digest hash_of_token(std::string_view token) {
  return crypto::derive_key(kHashContext, {token}).bytes();
}

Result<std::vector<PersonToken>> read_token_list(const std::filesystem::path& path) {
  const Result<std::string> text = read_regular_file(path, kMostBytes, Readers::owner_only);
  if (!text && text.error().code == ErrorCode::not_found) return std::vector<PersonToken>();
  if (!text) return fail(Error(text.error()).within("reading the tokens of people"));
  Result<std::vector<PersonToken>> tokens = parse_list(*text);
  if (!tokens) return fail(std::move(tokens).error().within("reading " + path.string()));
  return tokens;
}

Status write_token_list(const std::filesystem::path& path, const std::vector<PersonToken>& tokens) {
  json::array entries;
  for (const PersonToken& token : tokens) {
    json::array rights;
    for (const net::Right right : net::kAllRights) {
      if (token.rights.has(right)) rights.push_back(json::string(net::to_string(right)));
    }
    entries.push_back({{"name", token.name},
                       {"rights", std::move(rights)},
                       {"hash", std::string(kHashPrefix) + to_hex(token.hash)},
                       {"created_at", token.created_at}});
  }
  const json::object document{{"version", kVersion}, {"tokens", std::move(entries)}};
  return write_file_atomically(path, canonical_json(document) + "\n", 0600);
}

WatchedTokens::State WatchedTokens::look() const {
  struct stat info{};
  if (::stat(path_.c_str(), &info) != 0) return {};
  return {.exists = true,
          .device = info.st_dev,
          .inode = info.st_ino,
          .size = static_cast<std::uint64_t>(info.st_size),
          .modified_ns = ns_of(info.st_mtim),
          .changed_ns = ns_of(info.st_ctim)};
}

std::optional<net::Rights> WatchedTokens::find(std::string_view token) {
  const std::lock_guard lock(mutex_);
  const State now = look();
  if (state_ != now) {
    Result<std::vector<PersonToken>> read = read_token_list(path_);
    tokens_ = read ? *std::move(read) : std::vector<PersonToken>();
    if (!read) warn_(read.error());
    state_ = now;
  }
  const Digest hash = hash_of_token(token);
  std::optional<net::Rights> found;
  for (const PersonToken& person : tokens_) {
    const bool is_it =
        crypto::equal_in_constant_time(crypto::bytes_of(person.hash), crypto::bytes_of(hash));
    if (is_it) found = person.rights;
  }
  return found;
}

}  // namespace weft::cli
