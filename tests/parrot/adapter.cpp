// Sessions of Parrot: one JSON object a line, {"who": "me" or "parrot", "says": "…"}.
#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats {
namespace {

using transcript::Author;

class ParrotReader final : public JsonReader {
 public:
  ParrotReader() : JsonReader("parrot") {}
  void finish(transcript::Sink&) override {}

 private:
  void take(JsonRecord record, transcript::Sink& sink) override {
    const json::object* line = record.object();
    const auto says = line == nullptr ? std::nullopt : find_string(*line, "says");
    if (!says) {
      sink.skip({record.line, "malformed: nobody says anything"});
      return;
    }
    if (!builder_.has_begun()) {
      builder_.begin({.format = "parrot",
                      .family = "parrot",
                      .program = "parrot",
                      .provider = "",
                      .session_id = session_from(record.text)},
                     sink);
    }
    const Author author = find_string(*line, "who") == "me" ? Author::human : Author::model;
    builder_.emit(
        {.place = record.counted(), .blocks = {{author, transcript::Text{std::string(*says), {}}}}},
        sink);
  }

  json::object save_state() const override { return {{"teller", builder_.save()}}; }
  bool restore_state(const json::object& state) override {
    return builder_.restore(find_object(state, "teller"));
  }

  TurnBuilder builder_;
};

Confidence recognises(std::string_view head) {
  return head.starts_with(R"({"who":)") ? Confidence::yes : Confidence::no;
}
std::unique_ptr<Framer> frame(std::string_view /*head*/) { return line_framer(); }
std::unique_ptr<Reader> open(const SourceInfo& /*info*/) {
  return std::make_unique<ParrotReader>();
}

}  // namespace

const Adapter& parrot_adapter() {
  static constexpr Adapter adapter{.name = "parrot",
                                   .family = "parrot",
                                   .recognises = recognises,
                                   .frame = frame,
                                   .open = open,
                                   .grows = true};
  return adapter;
}

}  // namespace weft::formats
