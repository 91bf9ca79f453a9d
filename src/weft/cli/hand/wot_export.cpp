#include "weft/cli/hand/wot_export.hpp"

#include "weft/base/try.hpp"
#include "weft/query/attest/wot_thought.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::cli {

Status each_signed_alone(const query::Library& library, const std::vector<Cid>& conversations,
                         const std::function<void(const json::object&)>& visit) {
  const thought::Identities identities(*library.keyring);
  Status signed_all;
  WEFT_TRY(library.web.each_of(conversations, [&](const thought::Thought& thought) {
    if (thought::is_gone(thought)) return true;  // trees need it, which peers do not know
    Result<thought::Thought> alone =
        query::to_wot(thought, identities.owner().cid, identities.owner_key());
    if (alone) visit(thought::to_json(*alone));
    else signed_all = fail(std::move(alone).error());
    return signed_all.has_value();
  }));
  return signed_all;
}

}  // namespace weft::cli
