// What `weft mcp` and `weft serve` stand on: the web, opened; the sources, kept up with; a server.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weft/cli/where.hpp"
#include "weft/mcp/core/server.hpp"

namespace weft::cli {

class Serving {
 public:
  // Opens the store, and makes home, store and keyring where there are none. A keyring that signs
  // nothing can still be read with: then nothing is taken in. Clients may name files under
  // `allow` to be taken in. From here on SIGINT and SIGTERM only make stop_descriptor() readable.
  static Asked<std::unique_ptr<Serving>> begin(const Context& context, const Where& where,
                                               const std::vector<std::string>& allow);
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  mcp::Server& server();
  int stop_descriptor() const;

 private:
  struct Parts;
  explicit Serving(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::cli
