// What `weft mcp`, `weft serve` and `weft up` stand on: the web, opened; the sources, kept up with;
// a server.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/cli/ingest/source_options.hpp"
#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/mcp/protocol/server.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

class Serving {
 public:
  // Opens the store, and makes home, store and keyring where there are none. A keyring that signs
  // nothing can still be read with: then nothing is taken in. Clients may name files under
  // `allow` to be taken in. From here on SIGINT and SIGTERM only make stop_descriptor() readable.
  // What is there is taken in with the first question, or when keeper() is told to begin; `calls`
  // and `progress` are told of it, on its own thread.
  static Asked<std::unique_ptr<Serving>> begin(
      const Context& context, const SourceOptions& where, const std::vector<std::string>& allow,
      ingest::IngestCallbacks calls = {},
      std::function<void(const ingest::Progress&)> progress = {});
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  mcp::Server& server();
  int stop_descriptor() const;
  ingest::BackgroundIngest* background_ingest();  // null where nothing can be taken in
  const Opened& opened() const;
  query::Library library() const;

 private:
  struct Parts;
  explicit Serving(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::cli
