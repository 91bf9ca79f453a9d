// OwnIngest: what a command that follows a session ingests by itself, so that no other weft process
// has to run.
#pragma once

#include <memory>

#include "weft/cli/app/context.hpp"
#include "weft/ingest/follow/background_ingest.hpp"

namespace weft::cli {

class OwnIngest {
 public:
  // Opens the store and begins to ingest the known sources in the background, if the store can be
  // written and the keyring signs; otherwise opens it to read, and says on stderr that nothing is
  // ingested. If another process ingests already, this one takes over when that exits.
  static Outcome<OwnIngest> begin(const Context& context);

  const Opened& opened() const { return *opened_; }

 private:
  // In the order in which they depend on each other. The store does not move: the ingest refers to
  // it.
  std::unique_ptr<Opened> opened_{};
  std::unique_ptr<ingest::BackgroundIngest> ingest_{};
};

}  // namespace weft::cli
