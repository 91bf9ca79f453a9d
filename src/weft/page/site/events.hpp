// Events: tells every open page what grew in the store, whichever process wrote it.
//
// A stream consists of these events; none has text of a conversation in it:
//
//   hello  {resumed}                comes first. If `resumed` is false, the page has to ask again
//   for
//                                   everything that it shows
//   grown  {conversation, blocks}   a conversation grew; `blocks` is how many it has now
//   gone   {}                       conversations were forgotten: the page has to ask again
//
// The id of an event is the newest checkpoint of the store; of several events sent together, only
// the last has it. A page that lost its stream sends the last id that it saw (Last-Event-ID). The
// new stream repeats every event after that id, and may repeat some before it. The server keeps no
// state.
#pragma once

#include <memory>
#include <optional>

#include "weft/base/cid.hpp"
#include "weft/net/site.hpp"
#include "weft/store/store.hpp"

namespace weft::page {

class Events {
 public:
  // `store` outlives it.
  explicit Events(const store::Store& store);
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // Opens a stream that goes on after the checkpoint `since`, by default from now on.
  std::shared_ptr<net::SiteQuestion> follow(std::optional<Cid> since,
                                            std::shared_ptr<net::SiteOutlet> outlet);
  // Ends all streams.
  void end();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::page
