// Tool calls in conversations that are woven by hand, for tests of edits.
#pragma once

#include <string>

#include "weft/store/talk_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store {

// A call, and the thoughts that it is made of.
struct TestCall {
  Cid request;
  std::optional<Cid> result{};
};

// Sealed as the keyring has it; in clear without one.
inline Cid add_block(Talk& talk, std::string type, json::object content, std::optional<Cid> cause,
                     Millis time, const crypto::Keyring* keyring = nullptr) {
  thought::Thought block;
  block.type = std::move(type);
  block.created_by = talk.owner();
  block.created_at = time;
  if (cause) block.because = {{.thought = *cause}};
  if (keyring != nullptr) thought::set_content(block, std::move(content), *keyring);
  else block.content = std::move(content);
  return talk.stands(std::move(block));
}

inline Cid asks_to_write(Talk& talk, std::string_view path, std::string_view text, Millis time,
                         const crypto::Keyring* keyring = nullptr) {
  return add_block(talk, "test/tool_request",
                   {{"tool_name", "Write"}, {"input", {{"file_path", path}, {"content", text}}}},
                   {}, time, keyring);
}

enum class Succeeds { no, yes };
inline Cid answers(Talk& talk, const Cid& request, Millis time, Succeeds succeeds = Succeeds::yes,
                   const crypto::Keyring* keyring = nullptr) {
  return add_block(talk, "test/tool_result",
                   {{"tool_name", "Write"}, {"is_error", succeeds == Succeeds::no}}, request, time,
                   keyring);
}

inline TestCall writes(Talk& talk, std::string_view path, std::string_view text, Millis time,
                       const crypto::Keyring* keyring = nullptr) {
  TestCall call{asks_to_write(talk, path, text, time, keyring)};
  call.result = answers(talk, call.request, time + 1, Succeeds::yes, keyring);
  return call;
}

}  // namespace weft::store
