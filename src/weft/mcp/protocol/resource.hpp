// Describes a kind of resource that clients read by URI: one Resource in one file of resources/,
// found by the build (`const Resource& thought_resource() {…}` in thought.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/call.hpp"

namespace weft::mcp {

// A resource in a list.
struct Listed {
  std::string uri, name, title, description;
  std::string mime_type{};
  std::optional<std::int64_t> updated_at{};  // ms
};

// A page of resources, and their total number.
struct ListedPage {
  std::vector<Listed> resources{};
  std::uint64_t total = 0;
};

struct Resource {
  // With one {variable}, as in "weft://thought/{cid}". Without a variable it is the URI of a single
  // resource.
  std::string_view uri_template;
  std::string_view name, title, description;
  std::string_view mime_type = "application/json";
  // The content of `uri`, as {contents: […]}; not_found(uri) if it names nothing. `value` is the
  // decoded value of the variable.
  Served<> (*read)(Call& call, std::string_view uri, std::string_view value) = nullptr;
  // The resources to list, from `offset` on, at most `limit`; null if none are listed.
  Result<ListedPage> (*list)(Call& call, std::uint64_t offset, std::uint64_t limit) = nullptr;
  // Values of the variable that begin like this; null if there is no completion.
  std::vector<std::string> (*complete)(Call& call, std::string_view begun) = nullptr;
};

// Every kind of resource of the build, by name.
std::span<const Resource* const> all_resources();

// The error of either era.
std::unexpected<RpcError> not_found(const Call& call, std::string_view uri);

}  // namespace weft::mcp
