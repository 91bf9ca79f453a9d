#include "weft/formats/reading/json_reader.hpp"

#include <algorithm>
#include <charconv>

#include "weft/base/hex.hpp"
#include "weft/base/utf8.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::formats {
namespace {

// "JSON at byte 17: unexpected character" has the offset and the reason in it.
struct JsonFault {
  std::size_t offset = 0;
  std::string_view reason;
};
JsonFault fault_of(std::string_view message) {
  constexpr std::string_view kByte = "byte ";
  JsonFault fault{.reason = message};
  const std::size_t at = message.find(kByte);
  const std::size_t colon = message.find(": ", at == std::string_view::npos ? 0 : at);
  if (at == std::string_view::npos || colon == std::string_view::npos) return fault;
  std::from_chars(message.data() + at + kByte.size(), message.data() + colon, fault.offset);
  fault.reason = message.substr(colon + 2);
  return fault;
}

}  // namespace

void JsonReader::read(const Record& record, transcript::Sink& sink) {
  ++number_;
  if (read_text(record, number_, sink)) return;
  if (record.stray) {
    sink.skip({record.line, "malformed: stands where no record belongs"});
    return;
  }
  std::string storage;
  std::size_t repairs = 0;
  std::string_view text = repair_json(record.text, storage, repairs);
  if (repairs > 0) sink.repaired(repairs);
  // Half of the allocations of reading a transcript would be those of its values. They stay in
  // this memory as long as they are moved into place: assigning them to a value would copy them.
  Result<ParsedJson> parsed = parse_json(text, memory_for_json(text.size()));
  JsonRecord json{.parsed = parsed ? std::move(*parsed) : ParsedJson(),
                  .text = text,
                  .raw = record.text,
                  .member = record.member,
                  .line = record.line,
                  .number = number_};
  if (parsed) return read_record(std::move(json), sink);
  if (record.cut) {
    sink.skip({record.line, "malformed: cut off"});
  } else {
    parse_or_skip(text, record.line, sink);  // says what is wrong with it
  }
  read_broken(std::move(json), sink);
}

void JsonReader::read_broken(JsonRecord record, transcript::Sink& sink) {
  const auto whole = find_whole(record.text);
  if (!whole) return;
  Result<ParsedJson> parsed = parse_json(*whole);
  if (!parsed) return;
  record.parsed = std::move(*parsed);
  record.text = *whole;
  read_record(std::move(record), sink);
}

json::object JsonReader::save() const {
  auto& fields = const_cast<JsonReader&>(*this);  // an archive that writes changes nothing
  StateArchive a;
  fields.archive(a);
  a.field("number", fields.number_);
  return a.take_written();
}

Status JsonReader::restore(const json::object& state) {
  StateArchive a(state);
  archive(a);
  a.field("number", number_);
  return check_restored(a, name_);
}

bool JsonReader::read_text(const Record& /*record*/, std::uint64_t /*number*/,
                           transcript::Sink& /*sink*/) {
  return false;
}

std::optional<std::string_view> JsonReader::find_whole(std::string_view /*text*/) const {
  return std::nullopt;
}

std::optional<std::string_view> find_glued(std::string_view text,
                                           std::span<const std::string_view> beginnings,
                                           IsRecord is_record, int tries) {
  std::size_t at = 0;
  for (int i = 0; i < tries; ++i) {
    std::size_t next = std::string_view::npos;
    for (const std::string_view beginning : beginnings) {
      next = std::min(next, text.find(beginning, at + 1));
    }
    if (next == std::string_view::npos) return std::nullopt;
    at = next;
    const Result<ParsedJson> parsed = parse_json(text.substr(at));
    if (!parsed) continue;
    const json::object* object = parsed->value.if_object();
    if (is_record == nullptr || (object != nullptr && is_record(*object))) return text.substr(at);
  }
  return std::nullopt;
}

Status check_restored(const StateArchive& a, std::string_view name) {
  if (a.is_ok()) return {};
  return fail(ErrorCode::corrupt, "restoring a reader of " + std::string(name) +
                                      ": the saved state is not that of this format");
}

std::optional<ParsedJson> parse_or_skip(std::string_view text, std::uint64_t line,
                                        transcript::Sink& sink) {
  Result<ParsedJson> parsed = parse_json(text);
  if (parsed) return std::move(*parsed);
  const JsonFault fault = fault_of(parsed.error().message);
  const auto lines = std::ranges::count(text.substr(0, fault.offset), '\n');
  sink.skip({line + static_cast<std::uint64_t>(lines), "malformed: " + std::string(fault.reason)});
  return std::nullopt;
}

std::string session_from(std::string_view text) {
  constexpr std::size_t kBytes = 8;
  const Digest digest = crypto::blake3(text);
  return "b3:" + to_hex(std::span(digest).first(kBytes));
}

}  // namespace weft::formats
