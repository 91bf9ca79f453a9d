#include "weft/cli/upkeep/health_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/upkeep/lock_holders.hpp"
#include "weft/keep/keeper.hpp"

namespace weft::cli {
namespace {

Check check_file(const Home& home, const struct stat& status) {
  const std::string path = home.store.shown();
  const auto may = [](const std::filesystem::path& what, int how) {
    return ::faccessat(AT_FDCWD, what.c_str(), how, AT_EACCESS) == 0;
  };
  const std::filesystem::path folder = home.store.folder();
  if (!may(path, W_OK) || !may(folder, W_OK | X_OK)) {
    const std::string why =
        errno == EROFS ? "it is on a read-only file system" : "you have no permission to write it";
    return {"store", Health::warn,
            fmt::format("{} can be read and verified, but not written: {}", path, why)};
  }
  if (!home.own_store && (status.st_mode & 077) != 0) {
    return {"store", Health::warn, path + " is accessible to other users: chmod 600 " + path};
  }
  return {"store", Health::ok,
          fmt::format("{}, {}", path, byte_size(static_cast<std::uint64_t>(status.st_size)))};
}

// Only the owner's keyring writes to a store that has an owner.
std::vector<Check> check_store_owner(const store::Store& store, const Home& home,
                                     const KeyringState& keyring) {
  if (keyring.is_unopened || (keyring.keyring && !keyring.keyring->can_sign())) return {};
  if (!keyring.keyring && keyring.error.code != ErrorCode::not_found) return {};
  Status status;
  if (keyring.keyring) {
    status = check_owner(store, home, *keyring.keyring);
  } else {
    status = check_owner_present(store, home);
  }
  if (!status) return {{"owner", Health::fail, status.error().message}};
  return {};
}

Check check_contents(const store::Store& store) {
  const auto rows = store.conversations({});
  if (!rows) {
    return {"contents", Health::fail, rows.error().message + ": run weft verify for details"};
  }
  std::uint64_t thoughts = 0;
  for (const store::ConversationRow& row : *rows) thoughts += row.thought_count;
  return {"contents", Health::ok,
          fmt::format("{}, {}", count(rows->size(), "conversation"), count(thoughts, "thought"))};
}

// A larger store is left to weft verify: reading all of it would take seconds.
constexpr std::int64_t kMostCheckedBytes = 256 << 20;

Check check_tables(const store::Store& store, std::int64_t bytes) {
  const Result<bool> has_sums = store.derived().has_sums();
  if (has_sums && !*has_sums) {
    return {
        "tables", Health::warn,
        "not every table has its sum yet: weft repair completes them, and so do the next commits"};
  }
  if (bytes > kMostCheckedBytes) return {"tables", Health::ok, "not checked: weft verify does"};
  const auto checks = store.derived().checks(store::CheckDepth::quick);
  if (!checks) return {"tables", Health::fail, checks.error().message};
  for (const store::StoreCheck& check : *checks) {
    const auto found = store.derived().run(check);
    if (!found) return {"tables", Health::fail, found.error().message};
    if (found->empty()) continue;
    const store::StoreFinding& first = found->front();
    return {"tables", Health::fail,
            first.table + ": " + first.what + ": run weft verify for details, then " + first.cure};
  }
  return {"tables", Health::ok, "every table is as weft wrote it"};
}

// What the keeper of a store on a server found. Readers may lack the right to ask.
Check check_keeper(const postgres::Url& server) {
  constexpr std::size_t kNamed = 3;
  const Result<json::object> report = keep::read_report(server);
  if (!report) return {"keeper", Health::warn, report.error().message};
  const auto size_of = [&](std::string_view list) {
    const json::array* found = find_array(*report, list);
    return found == nullptr ? 0 : found->size();
  };
  const json::array* findings = find_array(*report, "findings");
  std::string named;
  for (std::size_t i = 0; findings != nullptr && i < std::min(kNamed, findings->size()); ++i) {
    const json::object* one = (*findings)[i].if_object();
    if (one != nullptr) named += fmt::format(" {}", find_string(*one, "cid").value_or("-"));
  }
  if (!named.empty()) {
    return {"keeper", Health::fail,
            fmt::format("{} bad, missing or foreign:{}: run weft verify for details",
                        count(size_of("findings"), "thought"), named)};
  }
  if (!find_bool(*report, "is_kept").value_or(false)) {
    return {
        "keeper", Health::warn,
        "nobody keeps this store: run weft serve over it, so that what is pushed is checked and "
        "what is forgotten goes"};
  }
  if (size_of("waiting") > 0) {
    return {"keeper", Health::warn,
            fmt::format("{} cannot be carried out: who signed them has to push again",
                        count(size_of("waiting"), "tombstone"))};
  }
  const auto behind = static_cast<std::uint64_t>(find_int(*report, "behind").value_or(0));
  return {"keeper", Health::ok,
          behind > 0 ? fmt::format("{} still to be checked", count(behind, "row"))
                     : std::string("what was pushed is checked")};
}

// A store on a server: its tables are left to weft verify, which reads all of it.
std::vector<Check> check_server(const Home& home, const KeyringState& keyring) {
  const auto store = store::open_store_to_read(home.store);
  if (!store) return {{"store", Health::fail, store.error().message}};
  std::vector<Check> checks = {{"store", Health::ok, home.store.shown()}};
  for (Check& check : check_store_owner(**store, home, keyring)) {
    checks.push_back(std::move(check));
  }
  checks.push_back(check_contents(**store));
  checks.push_back(check_keeper(*home.store.server()));
  return checks;
}

}  // namespace

std::vector<Check> check_store(const Home& home, const KeyringState& keyring) {
  if (home.store.server()) return check_server(home, keyring);
  const std::string path = home.store.shown();
  const Check missing = {"store", Health::warn,
                         "not found at " + path + ": create it with weft ingest FILE"};
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != EACCES) return {missing};
    return {{"store", Health::fail, path + ": permission denied: change its owner, or use --home"}};
  }
  const Result<std::unique_ptr<store::Store>> store = store::open_store_to_read(home.store);
  if (!store) {
    if (store.error().code == ErrorCode::not_found) return {missing};
    const bool damaged = store.error().code == ErrorCode::corrupt;
    return {
        {"store", Health::fail,
         store.error().message + (damaged ? ": restore a backup, or ingest the files again" : "")}};
  }
  std::vector<Check> checks = {check_file(home, status)};
  for (Check& check : check_store_owner(**store, home, keyring)) {
    checks.push_back(std::move(check));
  }
  checks.push_back(check_contents(**store));
  checks.push_back(check_tables(**store, std::int64_t{status.st_size}));
  return checks;
}

std::vector<Check> check_lock(const Home& home) {
  std::vector<Check> checks;
  if (const std::string writers = described(store_writers(home.store)); !writers.empty()) {
    checks.push_back({"lock", Health::warn,
                      writers + " is writing to the store: other writers wait for it, for up to 30 "
                                "seconds; if it hangs, stop it"});
  }
  if (const std::string followers = described(lock_holders(home.store.file(".lock")));
      !followers.empty()) {
    checks.push_back({"ingest", Health::ok, followers + " follows the sources"});
  }
  return checks;
}

}  // namespace weft::cli
