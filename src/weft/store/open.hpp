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

#include "weft/store/store.hpp"

namespace weft::store {

// The name of a store: "sqlite:PATH", or a path alone.
class StoreUrl {
 public:
  // invalid_input for another scheme ("postgres://…") and for an empty path.
  static Result<StoreUrl> parse(std::string_view text);

  // With its scheme and an absolute path: names the same store to every process of this machine.
  std::string str() const;
  // For messages: the path, as it was given.
  std::string shown() const { return path_.string(); }

  // The size of the store and whether other users can access it; empty if it does not exist. Opens
  // nothing.
  struct Status {
    std::uint64_t bytes = 0;
    bool is_private = false;
  };
  std::optional<Status> find_status() const;
  bool exists() const { return find_status().has_value(); }
  // Whether this user can write to an existing store: not on read-only media, nor to another
  // user's.
  bool is_writable() const;

  // A file of this machine that belongs to the store, such as ".lock": the same for every process
  // that uses the store.
  std::filesystem::path file(std::string_view suffix) const;
  // The folder for files that people find beside the store.
  std::filesystem::path folder() const;

  // A lock that a process holds while it writes to the store: on one byte of a file, or on the
  // whole file if `byte` is empty. For messages that name that process.
  struct WriteLock {
    std::filesystem::path file;
    std::optional<std::uint64_t> byte{};
  };
  std::vector<WriteLock> write_locks() const;

 private:
  explicit StoreUrl(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Whether a store that does not exist is created.
enum class Create { no, yes };

// Called when a write has waited two seconds for another process; it must not throw.
using OnWait = std::function<void()>;

// Opens a store for reading and writing, and migrates an older version. invalid_input as
// StoreUrl::parse, and for a store that a newer weft made. not_found without Create::yes; an empty
// file counts as none. corrupt if it is no store. denied if it cannot be written. unavailable.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create,
                                                        OnWait on_wait = {});
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url, Create create);

// Opens a store for reading alone. Changes nothing, so it also reads a store on read-only media or
// of another user. Writes are denied; a version before 8 is invalid_input, as it would have to be
// migrated.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store_to_read(const StoreUrl& url);
[[nodiscard]] Result<std::unique_ptr<Store>> open_store_to_read(const std::string& url);

}  // namespace weft::store
