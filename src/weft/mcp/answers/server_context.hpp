// What a server stands on: the web it shows, the keys it holds, what it may take in.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/ingest/ingest.hpp"
#include "weft/query/library.hpp"

namespace weft::capture {
class Recorder;
}
namespace weft::ingest {
class BackgroundIngest;
}

namespace weft::mcp {

// All that it points to outlives the server. Used from any thread.
struct ServerContext {
  store::Store& store;
  const crypto::Keyring* keyring = nullptr;  // null: nothing opens, nothing is taken in
  // Keeps the store up to date with the sources; null where nothing can be taken in.
  ingest::BackgroundIngest* background_ingest = nullptr;
  // Where tools keep conversations, and how they are taken in; files of these folders may be
  // named by a client, and files under `allowed`, and no others.
  ingest::Options sources{};
  std::vector<std::filesystem::path> allowed{};
  capture::Recorder* recorder = nullptr;  // null where nothing can be taken in

  query::Library library() const { return {store, keyring}; }
};

}  // namespace weft::mcp
