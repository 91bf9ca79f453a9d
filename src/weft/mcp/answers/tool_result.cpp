#include <fmt/format.h>

#include "weft/ingest/follow/background_ingest.hpp"
#include "weft/mcp/answers/answer_size.hpp"
#include "weft/mcp/answers/sanitize.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/secrets/secret_mask.hpp"

namespace weft::mcp {
namespace {

json::object text_content(std::string text) {
  return {{"type", "text"}, {"text", std::move(text)}};
}

// A note for the caller on the state of the store; empty if there is nothing to say.
std::string note_on_keeping(const ServerContext& context) {
  if (context.background_ingest == nullptr) return {};
  if (const std::optional<ingest::Progress> progress =
          context.background_ingest->first_progress()) {
    return fmt::format(
        "weft is still ingesting new conversations on this machine ({} of {} files so far): "
        "answers may lack the newest ones. Ask again in a moment.",
        progress->files, progress->files_total);
  }
  return {};
}

}  // namespace

Parameter max_chars() {
  return {.name = "max_chars",
          .kind = Parameter::Kind::whole,
          .preset = kDefaultChars,
          .least = 1'000,
          .most = kMostChars};
}

json::object tool_result(Call& call, json::object structured, const Render& render) {
  const std::size_t most = max_chars_of(call);
  // Texts of thoughts are masked already; titles, paths and the like are here.
  query::SecretMask(call.context().keyring).mask(structured);
  json::value cleaned_value(std::move(structured));
  clean(cleaned_value);
  structured = std::move(cleaned_value.get_object());
  const std::string note = note_on_keeping(call.context());
  if (!note.empty()) {
    json::value& notes = structured["notes"];
    if (!notes.is_array()) notes = json::array();
    notes.get_array().emplace_back(note);
  }
  bool is_cut = fit(structured, most);
  std::string text = cleaned(render(structured));
  if (text.size() > most) {
    text = fitted(text, most);
    is_cut = true;
  }
  if (is_cut) {
    const std::string how = most < kMostChars
                                ? fmt::format(
                                      "Texts were cut to stay within {} characters: ask with a "
                                      "larger max_chars (up to {}), or for less at a time.",
                                      most, kMostChars)
                                : std::string("Texts were cut: ask for less at a time.");
    structured["cut"] = how;
    text += "\n\n" + how;
  }
  if (!note.empty()) text += "\n\n" + note;
  return {{"content", json::array{text_content(std::move(text))}},
          {"structuredContent", std::move(structured)},
          {"isError", false}};
}

json::object refused(std::string_view fault, std::string_view cure) {
  std::string text = cleaned(fault);
  if (!cure.empty()) text += "\n" + cleaned(cure);
  return {{"content", json::array{text_content(std::move(text))}}, {"isError", true}};
}

json::object refused(const Error& error, std::string_view cure) {
  return refused(error.message, cure);
}

}  // namespace weft::mcp
