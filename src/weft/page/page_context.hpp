// The context of the page: what its questions are asked of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/crypto/keyring.hpp"
#include "weft/ingest/discover/discover.hpp"
#include "weft/query/cost/price_table.hpp"
#include "weft/store/store.hpp"

namespace weft::page {

// Whether the page shows the texts of files in the repositories of this user. Only a server that
// nobody beyond this machine can use does.
enum class FileTexts { withheld, shown };

// Everything it points to outlives the page. May be used from any thread.
struct PageContext {
  const store::Store& store;
  const crypto::Keyring* keyring = nullptr;  // null: layers stay sealed
  query::PriceTable prices{};                // of models, as they were when the server started
  std::vector<ingest::Folder> folders{};     // in which tools keep their conversations
  std::string version{};                     // of this program
  FileTexts file_texts = FileTexts::withheld;
  // What the keeper of a store on a server says of its work (keep/keeper.hpp); empty for a file.
  std::function<Result<json::object>()> keeper{};
};

}  // namespace weft::page
