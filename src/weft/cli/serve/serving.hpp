// Serving: the open store, background ingest and MCP server that `weft mcp`, `weft serve` and
// `weft up` share.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/cli/ingest/source_options.hpp"
#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/mcp/protocol/server.hpp"
#include "weft/page/page.hpp"
#include "weft/query/library.hpp"

namespace weft::cli {

class Serving {
 public:
  // Opens the store, and creates home, store and keyring if they are missing. A keyring that cannot
  // sign is good for reading, and so is a store that cannot be written, which is said on stderr:
  // then nothing is ingested. Clients may name files under `allow` to be
  // ingested. From here on SIGINT and SIGTERM only make stop_descriptor() readable. Background
  // ingest starts with the first question, or when the caller starts it; it calls `calls` and
  // `progress` on its own thread.
  static Outcome<std::unique_ptr<Serving>> begin(
      const Context& context, const SourceOptions& where, const std::vector<std::string>& allow,
      ingest::IngestCallbacks calls = {},
      std::function<void(const ingest::Progress&)> progress = {});
  ~Serving();
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  mcp::Server& server();
  // Made at its first use, when the address that is served is known.
  page::Page& page(page::FileTexts file_texts);
  int stop_descriptor() const;
  ingest::BackgroundIngest* background_ingest();  // null if nothing can be ingested
  bool is_read_only() const;
  const Opened& opened() const;
  const store::Store& store() const;
  query::Library library() const;

 private:
  struct Parts;
  explicit Serving(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::cli
