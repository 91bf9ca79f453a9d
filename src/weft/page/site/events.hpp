// Events: tells every open page what grew in the store, whichever process wrote it.
//
// A stream consists of these events; none has text of a conversation in it:
//
//   hello  {resumed}                first; from its id on everything is told. Unless `resumed`, the
//                                   page asks again for what it shows
//   grown  {conversation, blocks}   added to; `blocks` is how many it has now
//   gone   {}                       conversations were forgotten: ask again for what is shown
//
// The id of an event is the newest checkpoint of the store; of several at once the last one has it.
// A page that lost its stream sends the last id (Last-Event-ID), and is told what came since, part
// of it twice perhaps; the server remembers nothing.
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
