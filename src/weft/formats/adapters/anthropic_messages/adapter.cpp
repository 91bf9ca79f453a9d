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

class MessagesReader final : public JsonReader {
 public:
  explicit MessagesReader(const SourceInfo& info)
      : JsonReader(anthropic::kMessagesName), log_(info) {}

  void finish(Sink& sink) override { log_.finish(sink); }

 private:
  bool read_text(const Record& record, std::uint64_t number, Sink& sink) override {
    return log_.read_stream(record, number, sink);
  }
  void read_record(JsonRecord record, Sink& sink) override {
    if (!log_.read(record, sink)) sink.skip({record.line, "malformed: not an object"});
  }
  void read_broken(JsonRecord record, Sink& sink) override { log_.read(record, sink); }
  void archive(StateArchive& a) override { log_.archive(a); }

  anthropic::MessageLog log_;
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
      .version = 3,
      .recognises = anthropic::recognises_messages,
      .frame = anthropic::frame_messages,
      .open = open,
      .write = anthropic::write_messages,
      .conversation_key = conversation_key,
  };
  return adapter;
}

}  // namespace weft::formats
