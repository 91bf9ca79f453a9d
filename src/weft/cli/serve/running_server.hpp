// The server that runs for a home: `weft serve` and `weft up` leave its address in the home, and
// `weft open` finds it there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "weft/base/result.hpp"
#include "weft/cli/serve/listen_address.hpp"

namespace weft::cli {

// Leaves the address of a server in its home as long as it lives. A home that cannot be written
// goes without.
class ServerNote {
 public:
  ServerNote(const std::filesystem::path& home, const ListenAddress& at, std::uint16_t port);
  ~ServerNote();
  ServerNote(const ServerNote&) = delete;
  ServerNote& operator=(const ServerNote&) = delete;

 private:
  std::filesystem::path path_;
  std::string text_;
};

struct RunningServer {
  std::string url;  // of its page, without a "/" at the end: "http://127.0.0.1:4737"
  // Whether it takes this process for one of its own user. Otherwise it wants its token.
  bool admits_us = false;
};
// The address of the page of a home's server, without a "/" at the end, if something listens there.
std::optional<std::string> find_page(const std::filesystem::path& home);
// The server of a home, if there is one and it answers within ten seconds.
std::optional<RunningServer> find_running_server(const std::filesystem::path& home);

}  // namespace weft::cli
