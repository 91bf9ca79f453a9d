#include "weft/cli/upkeep/backup_manifest.hpp"

#include <algorithm>
#include <array>

#include "weft/base/hex.hpp"
#include "weft/base/json.hpp"
#include "weft/base/try.hpp"

namespace weft::cli {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::array<std::string_view, 3> kNames = {kStoreName, kConfigName, kKeyringName};

std::unexpected<Error> wrong(const std::string& what) {
  return fail(ErrorCode::invalid_input, "the manifest of the backup " + what);
}

Result<Digest> digest_of(const json::object& object, std::string_view key) {
  const auto text = find_string(object, key);
  Digest digest{};
  if (!text || !parse_hex(*text, digest)) {
    return wrong("has no hash '" + std::string(key) + "' of 64 hex digits");
  }
  return digest;
}

Result<std::uint64_t> count_of(const json::object& object, std::string_view key) {
  const auto number = find_int(object, key);
  if (!number || *number < 0) return wrong("has no number '" + std::string(key) + "'");
  return static_cast<std::uint64_t>(*number);
}

Result<BackupManifest::File> file_of(const json::value& value) {
  const json::object* object = value.if_object();
  const auto name = object != nullptr ? find_string(*object, "name") : std::nullopt;
  if (!name) return wrong("lists a file without a name");
  WEFT_TRY_VALUE(auto bytes, count_of(*object, "bytes"));
  WEFT_TRY_VALUE(auto digest, digest_of(*object, "blake3"));
  return BackupManifest::File{.name = std::string(*name), .bytes = bytes, .blake3 = digest};
}

// Known names, each once, in the order of the format.
Status check_files(const std::vector<BackupManifest::File>& files) {
  if (files.empty() || files.front().name != kStoreName) return wrong("lists no store");
  std::size_t at = 0;
  for (const BackupManifest::File& file : files) {
    while (at < kNames.size() && kNames[at] != file.name) ++at;
    if (at == kNames.size()) return wrong("lists an unexpected file: " + file.name);
    ++at;
  }
  return {};
}

}  // namespace

std::string BackupManifest::to_text() const {
  json::array list;
  for (const File& file : files) {
    list.push_back({{"name", file.name}, {"bytes", file.bytes}, {"blake3", to_hex(file.blake3)}});
  }
  return canonical_json(json::object{{"weft_backup", kVersion},
                                     {"weft", weft},
                                     {"created_at", created_at},
                                     {"store", json::object{{"version", store_version},
                                                            {"head", to_hex(head)},
                                                            {"checkpoints", checkpoints},
                                                            {"conversations", conversations}}},
                                     {"files", std::move(list)}}) +
         "\n";
}

Result<BackupManifest> BackupManifest::parse(std::string_view text) {
  const Result<ParsedJson> parsed = parse_json(text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  if (object == nullptr) return wrong("is not a JSON object");
  const auto version = find_int(*object, "weft_backup");
  if (!version) return wrong("has no version");
  if (*version != kVersion) {
    return wrong("has version " + std::to_string(*version) + ", and this weft reads " +
                 std::to_string(kVersion) + ": use the weft that wrote it");
  }
  const json::object* store = find_object(*object, "store");
  const json::array* files = find_array(*object, "files");
  if (store == nullptr || files == nullptr) return wrong("describes no store, or no files");
  BackupManifest manifest;
  manifest.weft = std::string(find_string(*object, "weft").value_or(""));
  WEFT_TRY_VALUE(auto created_at, count_of(*object, "created_at"));
  manifest.created_at = static_cast<Millis>(created_at);
  WEFT_TRY_VALUE(auto store_version, count_of(*store, "version"));
  manifest.store_version = static_cast<std::int64_t>(store_version);
  WEFT_TRY_VALUE(manifest.head, digest_of(*store, "head"));
  WEFT_TRY_VALUE(manifest.checkpoints, count_of(*store, "checkpoints"));
  WEFT_TRY_VALUE(manifest.conversations, count_of(*store, "conversations"));
  for (const json::value& value : *files) {
    WEFT_TRY_VALUE(auto file, file_of(value));
    manifest.files.push_back(std::move(file));
  }
  WEFT_TRY(check_files(manifest.files));
  return manifest;
}

bool BackupManifest::has(std::string_view name) const {
  return std::ranges::find(files, name, &File::name) != files.end();
}

}  // namespace weft::cli
