// The saved fields of a ChatStream: small, apart from the unfinished answer.
#include <algorithm>
#include <limits>

#include "weft/formats/apis/openai/chat_stream.hpp"

namespace weft::formats::openai {

void ChatStream::archive(StateArchive& a) {
  a.field("id", id_);
  a.field("model", model_);
  a.field("created", anthropic::ExactJson{created_});
  a.field("choices", choices_, kMostChoices);
  a.check(std::ranges::all_of(choices_, [](const Choice& choice) {
    return choice.index < std::numeric_limits<std::uint32_t>::max();
  }));
  a.field("held", pending_);
  a.field("usage", state_cells(usage_.input, usage_.output, usage_.cache_read, usage_.cache_write,
                               emitted_usage_.input, emitted_usage_.output,
                               emitted_usage_.cache_read, emitted_usage_.cache_write));
}

}  // namespace weft::formats::openai
