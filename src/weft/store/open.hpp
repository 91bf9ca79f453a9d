// Opens a store by its URL. The only way to open one, and the only place that knows the backends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/postgres/url.hpp"
#include "weft/store/store.hpp"

namespace weft::store {

// Whether a store that does not exist is created.
enum class Create { no, yes };

// Called when a write has waited two seconds for another process; it must not throw.
using OnWait = std::function<void()>;

// The name of a store: "sqlite:PATH", a path alone, or "postgres://…" (postgres/url.hpp) for one on
// a server.
class StoreUrl {
 public:
  // `folder` is where the files of this machine lie that belong to a store on a server.
  // invalid_input for another scheme, for an empty path, and as of postgres::Url::parse.
  static Result<StoreUrl> parse(std::string_view text, std::filesystem::path folder = {});

  // With its scheme and an absolute path: names the same store to every process of this machine.
  std::string str() const;
  // For messages: the path, as it was given, or the URL of a server.
  std::string shown() const;
  // Of a store on a server; empty for a file.
  const std::optional<postgres::Url>& server() const { return server_; }

  // The size of the store and whether other users can access it; empty if it does not exist. Opens
  // nothing: a store on a server is taken to exist, and its size is not known.
  struct Status {
    std::optional<std::uint64_t> bytes{};
    bool is_private = false;
  };
  std::optional<Status> find_status() const;
  bool exists() const { return find_status().has_value(); }
  // Whether this user can write to an existing store: not on read-only media, nor to another
  // user's. A server says so itself, at the first write.
  bool is_writable() const;

  // A file of this machine that belongs to the store, such as ".lock": the same for every process
  // of this machine that uses the store.
  std::filesystem::path file(std::string_view suffix) const;
  // The folder for files that people find beside the store.
  std::filesystem::path folder() const;

  // A lock that a process holds while it writes to the store: on one byte of a file, or on the
  // whole file if `byte` is empty. For messages that name that process. A server has none.
  struct WriteLock {
    std::filesystem::path file;
    std::optional<std::uint64_t> byte{};
  };
  std::vector<WriteLock> write_locks() const;

 private:
  explicit StoreUrl(std::filesystem::path path) : path_(std::move(path)) {}
  StoreUrl(postgres::Url server, std::filesystem::path folder);

  // Of a store on a server: where its files of this machine would lie beside it.
  std::filesystem::path path_;
  std::optional<postgres::Url> server_{};
};

// Opens a store for reading and writing, and migrates an older version. invalid_input as
// StoreUrl::parse, and for a store that a newer weft made. not_found without Create::yes; an empty
// file counts as none. corrupt if it is no store. denied if it cannot be written. unavailable.
// Writers to a server wait for each other there, without OnWait.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create,
                                                        OnWait on_wait);
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create);
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url, Create create);

// Opens a store for reading alone. Changes nothing, so it also reads a store on read-only media or
// of another user. Writes are denied; a version before 8 is invalid_input, as it would have to be
// migrated.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store_to_read(const StoreUrl& url);
[[nodiscard]] Result<std::unique_ptr<Store>> open_store_to_read(const std::string& url);

// The id of a web on a server, 32 hex digits: made with its tables, and the same for everybody.
[[nodiscard]] Result<std::string> web_id_on(const postgres::Url& server);

}  // namespace weft::store
