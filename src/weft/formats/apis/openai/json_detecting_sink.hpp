// A sink that passes everything on, and notes whether any block holds JSON as a value: such a
// block may be inexact if the record's JSON is more than a value can hold.
#pragma once

#include <utility>

#include "weft/transcript/conversation.hpp"

namespace weft::formats::openai {

class JsonDetectingSink final : public transcript::Sink {
 public:
  explicit JsonDetectingSink(transcript::Sink& sink) : sink_(sink) {}
  bool has_json() const { return has_json_; }

  void heading(const transcript::Heading& heading) override { sink_.heading(heading); }
  void turn(const transcript::TurnHead& head) override { sink_.turn(head); }
  void block(transcript::Block&& block) override;
  void facts(const transcript::Facts& facts) override { sink_.facts(facts); }
  void request(const transcript::Request& request) override { sink_.request(request); }
  void origin(const transcript::Origin& origin) override { sink_.origin(origin); }
  void spawned(const transcript::Spawned& spawned) override { sink_.spawned(spawned); }
  void skip(transcript::Skipped skipped) override { sink_.skip(std::move(skipped)); }
  void repaired(std::size_t count) override { sink_.repaired(count); }

 private:
  transcript::Sink& sink_;  // outlives it
  bool has_json_ = false;
};

inline void JsonDetectingSink::block(transcript::Block&& block) {
  if (const auto* call = std::get_if<transcript::ToolCall>(&block.body)) {
    has_json_ = has_json_ || !call->input.is_string();
  } else if (const auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
    has_json_ = has_json_ || result->parts || result->details;
  } else if (const auto* failure = std::get_if<transcript::Failure>(&block.body)) {
    has_json_ = has_json_ || failure->details;
  } else if (std::holds_alternative<transcript::Unknown>(block.body)) {
    has_json_ = true;
  }
  sink_.block(std::move(block));
}

}  // namespace weft::formats::openai
