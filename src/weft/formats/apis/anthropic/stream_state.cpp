// The saved fields of a MessageStream: small, apart from the unfinished message.
#include <limits>

#include "weft/formats/apis/anthropic/exact_json.hpp"
#include "weft/formats/apis/anthropic/stream.hpp"

namespace weft::formats::anthropic {

void MessageStream::Open::archive(StateArchive& a) {
  a.field("index", index);
  a.check(index < std::numeric_limits<std::uint32_t>::max());
  a.lenient("start", start);
  a.field("half", half);
  a.check(half == 0 || (half >= 0xD800 && half < 0xDC00));
  a.field("done", is_done);
  a.lenient("text", text);
  a.lenient("input", input);
  a.lenient("citations", citations);
  a.lenient("compaction", compaction);
  a.lenient("encrypted", encrypted);
  a.optional("signature", signature);
}

void MessageStream::Message::archive(StateArchive& a) {
  a.field("id", id);
  a.field("model", model);
  a.field("usage", ExactObject{usage});
  a.field("details", ExactJson{stop_details});
  a.field("next", next_index);
  a.optional("reason", stop_reason);
}

void MessageStream::archive(StateArchive& a) {
  a.hashes("ids", ids_, kMostIds);
  a.field("repeat", is_repeat_);
  a.optional("message", message_);
  a.field("open", open_);
  a.check(open_.empty() || message_.has_value());
  if (a.is_writing()) return;
  pending_ = 0;
  for (const Open& one : open_) pending_ += size_of(one);
}

}  // namespace weft::formats::anthropic
