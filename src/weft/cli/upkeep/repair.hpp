// Repairs a store: brings back damaged thoughts, rebuilds what is derived, and verifies the result.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/store/store.hpp"

namespace weft::cli {

struct RepairOptions {
  // An empty folder for temporary stores, which the caller removes.
  std::filesystem::path scratch;
  unsigned threads = 1;
  std::optional<std::string> human{};  // of the configuration
  bool index_sealed = true;            // of the configuration
  // Called once thoughts are mended: from here on the store knows its owner. May be empty.
  std::function<Status()> when_mended{};
  // Called with the name of a step, and how many of how many of its parts are done.
  std::function<void(std::string_view step, std::uint64_t done, std::uint64_t all)> progress{};
};

struct RepairReport {
  std::vector<store::MendedRow> repaired{};
  std::map<std::string, std::uint64_t> rebuilt{};  // findings that are gone, by table
  std::vector<store::LostRow> lost{};
  json::object verified{};  // the answer of verify, afterwards

  // Whether the store verifies.
  bool is_sound() const;
};

// Thoughts come first, because the rest follows from them. Each step is committed by itself, so a
// repair that was interrupted is finished by the next one. `keyring` can sign.
Result<RepairReport> repair(store::Store& store, const crypto::Keyring& keyring,
                            const RepairOptions& options);

// {repaired: [{cid?, table, how}], rebuilt: [{table, rows}], lost: [{cid?, table, reason, type?,
// created_at?, conversation?}], verdict, head}
json::object to_json(const RepairReport& report);

}  // namespace weft::cli
