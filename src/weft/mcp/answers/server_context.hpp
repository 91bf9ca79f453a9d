// The context of an MCP server: the store, the keyring, and the sources it may ingest.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/ingest/ingest.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/query/library.hpp"

namespace weft::capture {
class Recorder;
}
namespace weft::ingest {
class BackgroundIngest;
}

namespace weft::mcp {

// Everything it points to outlives the server. May be used from any thread.
struct ServerContext {
  store::Store& store;
  const crypto::Keyring* keyring = nullptr;  // null: layers stay sealed, nothing is ingested
  // Ingests new conversations in the background; null if nothing can be ingested.
  ingest::BackgroundIngest* background_ingest = nullptr;
  // The folders of known tools, and how to ingest them. A client may name files in these folders
  // and under `allowed`, and no others.
  ingest::Options sources{};
  std::vector<std::filesystem::path> allowed{};
  capture::Recorder* recorder = nullptr;  // null if nothing can be ingested
  bool is_read_only = false;              // the store can be read, but not written
  query::PriceTable prices{};             // of models, as they were when the server started

  // Reads the newest state at each question. Tools use Call::library().
  query::Library library() const { return {store, keyring}; }
};

}  // namespace weft::mcp
