#include "weft/weave/known_web.hpp"

namespace weft::weave {

Result<std::optional<thought::Thought>> find_readable(const KnownWeb& known_web, const Cid& cid) {
  Result<thought::Thought> thought = known_web.get(cid);
  if (thought) return *std::move(thought);
  const ErrorCode code = thought.error().code;
  if (code == ErrorCode::not_found || code == ErrorCode::corrupt) return std::nullopt;
  return fail(std::move(thought).error());
}

}  // namespace weft::weave
