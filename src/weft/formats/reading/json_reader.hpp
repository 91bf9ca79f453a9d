// JsonReader: the base class of readers of JSON records. Numbers, repairs and parses each record,
// skips a record that is not JSON or stands where none belongs, and saves the number with the
// fields of the format's own reader.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "weft/base/json.hpp"
#include "weft/base/state_archive.hpp"
#include "weft/formats/reader.hpp"

namespace weft::formats {

// A record that is JSON. Its texts are valid during the call only.
struct JsonRecord {
  ParsedJson parsed;
  std::string_view text;     // the text that was parsed: repaired; the whole part of a torn record
  std::string_view raw;      // the whole text, as in the file
  std::string_view member;   // as in Record
  std::uint64_t line = 1;    // as in Record
  std::uint64_t number = 0;  // of the record in its source, from 1

  const json::object* object() const { return parsed.value.if_object(); }
  // Its name where it has none of its own: "#7".
  std::string counted() const { return "#" + std::to_string(number); }
};

class JsonReader : public Reader {
 public:
  void read(const Record& record, transcript::Sink& sink) final;
  json::object save() const final;
  [[nodiscard]] Status restore(const json::object& state) final;

 protected:
  // `name` is the adapter's, for error messages; it outlives the reader.
  explicit JsonReader(std::string_view name) : name_(name) {}

  // Reads a record before it is parsed, a stray one too. True if the record needs no parsing: for
  // formats with some records that are not JSON.
  virtual bool read_text(const Record& record, std::uint64_t number, transcript::Sink& sink);
  // Reads a record that is JSON: maps it or skips it.
  virtual void read_record(JsonRecord record, transcript::Sink& sink) = 0;
  // Reads a record that is not JSON, after it was reported as skipped; `parsed` is null. By default
  // reads what find_whole() finds.
  virtual void read_broken(JsonRecord record, transcript::Sink& sink);
  // The whole JSON behind a torn beginning: a crash may have glued the next line to half of
  // one. Points into `text`; empty if there is none.
  virtual std::optional<std::string_view> find_whole(std::string_view text) const;
  // Lists the fields that are saved between two records, under names other than "number".
  virtual void archive(StateArchive& a) = 0;

 private:
  std::string_view name_;
  std::uint64_t number_ = 0;  // records so far
};

// The JSON value that `text` ends with, behind a torn one; for JsonReader::find_whole. It begins
// with one of `beginnings`, of which the first `tries` places are tried, because each attempt
// parses the rest of the text. Where `is_record` is given, it is an object that passes. Points
// into `text`; empty if there is none.
using IsRecord = bool (*)(const json::object& object);
std::optional<std::string_view> find_glued(std::string_view text,
                                           std::span<const std::string_view> beginnings,
                                           IsRecord is_record = nullptr, int tries = 8);

// Ends Reader::restore(): corrupt if `a` has read something else than a state of the reader. `name`
// is the adapter's.
[[nodiscard]] Status check_restored(const StateArchive& a, std::string_view name);

// Parses `text`, which begins on line `line` of the file. Reports an error to `sink`, with the
// line where parsing stopped.
std::optional<ParsedJson> parse_or_skip(std::string_view text, std::uint64_t line,
                                        transcript::Sink& sink);

// "b3:…": a name for a session whose source gives it none, from its first record's text.
std::string session_from(std::string_view text);

}  // namespace weft::formats
