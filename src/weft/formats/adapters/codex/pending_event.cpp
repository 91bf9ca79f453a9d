#include "weft/formats/adapters/codex/pending_event.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/state_archive.hpp"

namespace weft::formats::codex {
namespace {

using transcript::Attachment;
using transcript::Author;
using transcript::Text;
using transcript::Thinking;

// A block as it is saved: with the member "text", "thinking" or "image", by which it is known.
struct SavedBlock {
  AuthoredBlock block{};

  void archive(StateArchive& a) {
    auto author = static_cast<std::int64_t>(block.author);
    a.field("by", author);
    a.check(author >= 0 && author <= static_cast<std::int64_t>(Author::program));
    if (!a.is_ok()) return;
    block.author = static_cast<Author>(author);
    const bool is_known = archive_text(a) || archive_thinking(a) || archive_image(a);
    a.check(is_known);
  }

 private:
  // The body to write or to read; null if it is of another kind.
  template <class Body>
  Body* body_for(const StateArchive& a, std::string_view key) {
    if (a.is_writing()) return std::get_if<Body>(&block.body);
    const json::value* found = a.find(key);
    if (found == nullptr || !found->is_string()) return nullptr;
    return &block.body.emplace<Body>();
  }

  bool archive_text(StateArchive& a) {
    auto* text = body_for<Text>(a, "text");
    if (text != nullptr) a.field("text", text->text);
    return text != nullptr;
  }

  bool archive_thinking(StateArchive& a) {
    auto* thinking = body_for<Thinking>(a, "thinking");
    if (thinking == nullptr) return false;
    a.field("thinking", thinking->text);
    a.field("summaries", thinking->summaries);
    return true;
  }

  bool archive_image(StateArchive& a) {
    auto* image = body_for<Attachment>(a, "image");
    if (image == nullptr) return false;
    a.field("image", image->kind);
    a.optional("mime", image->mime);
    a.optional("data", image->data);
    a.optional("url", image->reference);
    return true;
  }
};

}  // namespace

void PendingEvent::archive(StateArchive& a) {
  a.field("voice", content.pair_kind);
  std::vector<SavedBlock> blocks;
  for (const AuthoredBlock& block : content.blocks) {
    if (a.is_writing()) blocks.push_back({block});
  }
  a.field("said", blocks);
  a.field("echoes", content.match_texts);
  a.field("line", line);
  a.field("place", place);
  a.optional("time", time);
  if (a.is_writing()) return;
  content.is_prompt = content.pair_kind == PairKind::prompt;
  content.blocks.clear();
  for (SavedBlock& saved : blocks) content.blocks.push_back(std::move(saved.block));
}

}  // namespace weft::formats::codex
