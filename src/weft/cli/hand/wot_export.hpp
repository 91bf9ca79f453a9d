// Conversations as thoughts for peers of the Web of Thought.
#pragma once

#include <functional>
#include <vector>

#include "weft/query/library.hpp"

namespace weft::cli {

// Calls `visit` with every thought of these conversations, each once, under a plain signature:
// peers know no trees. The library's keyring must be the owner's.
Status each_signed_alone(const query::Library& library, const std::vector<Cid>& conversations,
                         const std::function<void(const json::object&)>& visit);

}  // namespace weft::cli
