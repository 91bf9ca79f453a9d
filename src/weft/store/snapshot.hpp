// Web and Snapshot: the interfaces of everything that a question reads.
#pragma once

#include "weft/store/conversations.hpp"
#include "weft/store/graph.hpp"
#include "weft/store/search_index.hpp"
#include "weft/store/tables/tables.hpp"
#include "weft/store/thoughts.hpp"

namespace weft::store {

// The stored thoughts, by name, by reference, by conversation and by their words; and
// tables of all conversations. A Snapshot
// answers all questions from one state of the store, a Store each one from the newest.
class Web : public Thoughts,
            public Graph,
            public Conversations,
            public SearchIndex,
            public Tables {};

// One state of a store, for one answer that asks several questions. The first question fixes the
// state; taking a snapshot and dropping one costs next to nothing.
//
// For one thread at a time. The store outlives it. Keep it no longer than the answer takes, and
// never while waiting for something: as long as it lives the store must keep its old state on disk.
class Snapshot : public Web {};

}  // namespace weft::store
