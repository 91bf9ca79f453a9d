// A thought that is read can be written, and reads back the same; its canonical form is
// that of its JSON.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "weft/thought/checkpoint.hpp"
#include "weft/thought/connection.hpp"
#include "weft/thought/thought.hpp"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;  // NOLINT(google-build-using-namespace): a program, not a header
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const Result<thought::Signature> signature = thought::parse_signature(text)) {
    expect(to_string(*signature) == text);
  }
  const Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || parsed->inexact) return 0;
  const Result<thought::Thought> thought = thought::parse_thought(parsed->value);
  if (!thought) return 0;
  json::object object = thought::to_json(*thought);
  const Result<thought::Thought> again = thought::parse_thought(object);
  expect(again && *again == *thought);
  object.erase("cid");
  object.erase("signature");
  if (thought::is_identity(*thought)) object["created_by"] = "SELF";
  expect(canonical_form(*thought) == canonical_json(object));
  if (const Result<thought::Connection> connection = thought::to_connection(*thought)) {
    expect(canonical_form(*connection) == canonical_form(*thought));
  }
  std::ignore = thought::to_checkpoint(*thought);
  return 0;
}
