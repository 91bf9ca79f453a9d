#include "weft/formats/adapters/kimi/mirror.hpp"

#include <optional>

#include "weft/formats/adapter.hpp"
#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::kimi {
namespace {

using transcript::Author;

// Texts are compared by their beginnings: either log may have cut one.
constexpr std::size_t kBeginningBytes = 200;

std::string beginning(char kind, std::string_view text) {
  return kind + std::string(text.substr(0, kBeginningBytes));
}

// By which a block is known in both logs; empty for what cannot be compared.
std::optional<std::string> key_of(Author author, const transcript::Body& body) {
  if (const auto* text = std::get_if<transcript::Text>(&body)) {
    return beginning(author == Author::human ? 'h' : 't', text->text);
  }
  if (const auto* thinking = std::get_if<transcript::Thinking>(&body)) {
    return beginning('k', thinking->text);
  }
  if (const auto* call = std::get_if<transcript::ToolCall>(&body)) {
    if (!call->id.empty()) return "c" + call->id;
  }
  if (const auto* result = std::get_if<transcript::ToolResult>(&body)) {
    if (!result->call_id.empty()) return "r" + result->call_id;
  }
  if (const auto* file = std::get_if<transcript::Attachment>(&body)) {
    return "a" + file->mime.value_or("") + file->data.value_or("") + file->reference.value_or("");
  }
  return std::nullopt;
}

// Keeps the texts of the session's own agent and of its person.
class Listener final : public transcript::Sink {
 public:
  Listener(std::unordered_set<std::uint64_t>& words, bool& has_commands)
      : words_(words), has_commands_(has_commands) {}

  void heading(const transcript::Heading& heading) override {
    is_own_ = heading.source == "primary";
  }
  void turn(const transcript::TurnHead&) override {}
  void block(transcript::Block&& block) override {
    if (!is_own_) return;
    const auto* text = std::get_if<transcript::Text>(&block.body);
    if (block.author == Author::human && text != nullptr && text->text.starts_with('/')) {
      has_commands_ = true;
    }
    if (const auto key = key_of(block.author, block.body)) words_.insert(hash_of(*key));
  }
  void facts(const transcript::Facts&) override {}
  void request(const transcript::Request&) override {}
  void origin(const transcript::Origin&) override {}
  void spawned(const transcript::Spawned&) override {}
  void skip(transcript::Skipped) override {}
  void repaired(std::size_t) override {}

 private:
  std::unordered_set<std::uint64_t>& words_;
  bool& has_commands_;
  bool is_own_ = true;
};

}  // namespace

Mirror::Mirror(std::string_view wire) {
  Listener listener(words_, has_commands_);
  read_all(*find_adapter(kName), {.name = "wire.jsonl"}, wire, listener);
}

bool Mirror::has(const AuthoredBlock& block) const {
  if (block.author == Author::human && has_commands_) return true;
  const auto key = key_of(block.author, block.body);
  return !key || words_.contains(hash_of(*key));
}

}  // namespace weft::formats::kimi
