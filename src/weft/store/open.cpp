#include "weft/store/open.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/store/postgres/postgres_store.hpp"
#include "weft/store/sqlite/sqlite_store.hpp"

namespace weft::store {
namespace {

constexpr std::string_view kSqlite = "sqlite:";

}  // namespace

StoreUrl::StoreUrl(postgres::Url server, std::filesystem::path folder)
    : server_(std::move(server)) {
  constexpr std::size_t kNameDigits = 16;
  const std::string name = to_hex(crypto::blake3(server_->str())).substr(0, kNameDigits);
  path_ = std::move(folder) / ("postgres-" + name);
}

Result<StoreUrl> StoreUrl::parse(std::string_view text, std::filesystem::path folder) {
  if (postgres::Url::recognise(text)) {
    WEFT_TRY_VALUE(auto server, postgres::Url::parse(text));
    return StoreUrl(std::move(server), std::move(folder));
  }
  const bool is_sqlite = text.starts_with(kSqlite);
  const std::string_view path = is_sqlite ? text.substr(kSqlite.size()) : text;
  if (path.empty() || (!is_sqlite && text.contains("://"))) {
    return fail(ErrorCode::invalid_input, "no kind of store is named \"" + std::string(text) +
                                              "\"; use sqlite:PATH or postgres://…");
  }
  return StoreUrl(std::filesystem::path(path));
}

std::string StoreUrl::shown() const { return server_ ? server_->str() : path_.string(); }

std::string StoreUrl::str() const {
  if (server_) return server_->str();
  return std::string(kSqlite) + std::filesystem::absolute(path_).string();
}

std::optional<StoreUrl::Status> StoreUrl::find_status() const {
  if (server_) return Status{.is_private = true};
  struct stat status{};
  if (::stat(path_.c_str(), &status) != 0) return std::nullopt;
  return Status{.bytes = static_cast<std::uint64_t>(status.st_size),
                .is_private = (status.st_mode & 077) == 0};
}

bool StoreUrl::is_writable() const {
  if (server_) return true;
  const auto may = [](const std::filesystem::path& path, int mode) {
    return ::faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
  };
  return may(path_, W_OK) && may(folder(), W_OK | X_OK);
}

std::filesystem::path StoreUrl::file(std::string_view suffix) const {
  std::filesystem::path beside = path_;
  beside += suffix;
  return beside;
}

std::filesystem::path StoreUrl::folder() const {
  return std::filesystem::absolute(path_).parent_path();
}

std::vector<StoreUrl::WriteLock> StoreUrl::write_locks() const {
  if (server_) return {};
  // In WAL mode the writer locks this byte of the log's index; see "WAL-Index Locks" in SQLite's
  // "WAL-mode File Format".
  constexpr std::uint64_t kWalWriteLock = 120;
  // An exclusive lock on the file itself: the store is being created or rewritten.
  return {{.file = file("-shm"), .byte = kWalWriteLock}, {.file = path_}};
}

Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create, OnWait on_wait) {
  if (url.server()) return sql::open_postgres_store(*url.server(), create);
  return sql::open_sqlite_store(url.shown(), create, std::move(on_wait));
}

Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create) {
  return open_store(url, create, {});
}

Result<std::unique_ptr<Store>> open_store(const std::string& url, Create create) {
  WEFT_TRY_VALUE(const StoreUrl parsed, StoreUrl::parse(url));
  return open_store(parsed, create);
}

Result<std::unique_ptr<Store>> open_store_to_read(const StoreUrl& url) {
  if (url.server()) return sql::open_postgres_store(*url.server(), Create::no);
  return sql::open_sqlite_store_to_read(url.shown());
}

Result<std::unique_ptr<Store>> open_store_to_read(const std::string& url) {
  WEFT_TRY_VALUE(const StoreUrl parsed, StoreUrl::parse(url));
  return open_store_to_read(parsed);
}

Result<std::string> web_id_on(const postgres::Url& server) {
  WEFT_TRY_VALUE(const auto id, sql::read_web_id(server));
  return to_hex(id);
}

}  // namespace weft::store
