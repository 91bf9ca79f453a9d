// Logs of Anthropic's Messages API: bodies of requests and responses, alone, in pairs or in
// lists, one document or one in a line; the results of batches; and recorded streams, as
// server-sent events or one event a line.
#include "weft/formats/adapters/anthropic_messages/message_log.hpp"

#include <memory>
#include <string>
#include <utility>

#include "weft/formats/writing/anthropic_messages.hpp"

namespace weft::formats {
namespace {

using transcript::Sink;

class MessagesReader final : public Reader {
 public:
  explicit MessagesReader(const SourceInfo& info) : log_(info) {}

  void read(const Record& record, Sink& sink) override { log_.read(record, ++number_, sink); }

  void finish(Sink& sink) override { log_.finish(sink); }

  std::string save() const override {
    json::object state = log_.save();
    state["number"] = number_;
    return canonical_json(std::move(state));
  }

  Status restore(std::string_view state) override {
    const Result<ParsedJson> parsed = parse_json(state);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto number = object == nullptr ? std::nullopt : find_int(*object, "number");
    if (!number || *number < 0 || !log_.restore(*object)) {
      return fail(ErrorCode::corrupt, "restoring an anthropic-messages reader: not its state");
    }
    number_ = static_cast<std::uint64_t>(*number);
    return {};
  }

 private:
  anthropic::MessageLog log_;
  std::uint64_t number_ = 0;  // records so far
};

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<MessagesReader>(info);
}

ConversationKey conversation_key(std::string_view request) {
  return {.key = "begins " + std::to_string(anthropic::MessageLog::beginning_of(request))};
}

}  // namespace

const Adapter& anthropic_messages_adapter() {
  static constexpr Adapter adapter{
      .name = anthropic::kMessagesName,
      .family = "anthropic",
      .version = 2,
      .recognises = anthropic::recognises_messages,
      .frame = anthropic::frame_messages,
      .open = open,
      .write = anthropic::write_messages,
      .conversation_key = conversation_key,
  };
  return adapter;
}

}  // namespace weft::formats
