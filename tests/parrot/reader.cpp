#include "weft/formats/adapters/parrot/reader.hpp"

namespace weft::formats::parrot {

using transcript::Author;

void SessionReader::read_record(JsonRecord record, transcript::Sink& sink) {
  const json::object* line = record.object();
  const auto says = line == nullptr ? std::nullopt : find_string(*line, "says");
  if (!says) {
    sink.skip({record.line, "malformed: nobody says anything"});
    return;
  }
  if (!builder_.has_begun()) {
    builder_.begin({.format = std::string(kName),
                    .family = std::string(kName),
                    .program = std::string(kName),
                    .provider = "",
                    .session_id = session_from(record.text)},
                   sink);
  }
  const Author author = find_string(*line, "who") == "me" ? Author::human : Author::model;
  builder_.emit(
      {.place = record.counted(), .blocks = {{author, transcript::Text{std::string(*says), {}}}}},
      sink);
}

void SessionReader::archive(StateArchive& a) { a.field("turns", builder_); }

}  // namespace weft::formats::parrot
