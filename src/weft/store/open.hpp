// Opens a store by its URL. The only way to open one, and the only place that knows the backends.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

  // A file of this machine that belongs to the store, such as ".lock": the same for every process
  // that uses the store.
  std::filesystem::path file(std::string_view suffix) const;
  // The folder for files that people find beside the store.
  std::filesystem::path folder() const;

 private:
  explicit StoreUrl(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

// Whether a store that does not exist is created.
enum class Create { no, yes };

// invalid_input as StoreUrl::parse, and for a store that a newer weft made. not_found without
// Create::yes. corrupt if it is no store. denied, unavailable.
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const StoreUrl& url, Create create);
[[nodiscard]] Result<std::unique_ptr<Store>> open_store(const std::string& url, Create create);

}  // namespace weft::store
