// Reads the lines of a Parrot session into one conversation.
#pragma once

#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/turn_builder.hpp"

namespace weft::formats::parrot {

inline constexpr std::string_view kName = "parrot";

class SessionReader final : public JsonReader {
 public:
  SessionReader() : JsonReader(kName) {}
  void finish(transcript::Sink& /*sink*/) override {}  // nothing is ever pending

 private:
  void read_record(JsonRecord record, transcript::Sink& sink) override;
  void archive(StateArchive& a) override;

  TurnBuilder builder_;
};

}  // namespace weft::formats::parrot
