// claude.ai's data export (Settings, Privacy, Export data), unzipped, and chats saved by browser
// extensions. One file is one of
//
//   [{"uuid", "name", "summary", "account": {"uuid"}, "chat_messages": [
//      {"uuid", "sender", "text", "content": [blocks], "attachments", "files",
//       "created_at", "parent_message_uuid"}]}]              conversations.json
//   {"uuid", "name", …, "chat_messages"}                     one chat; or one in each line
//   {"conversations": […]}                                   what browser extensions make of it
//   {"uuid", "name", "prompt_template", "docs": […]}         projects/*.json; [...]: projects.json
//   {"conversations_memory", "project_memories": {…}}        memories.json
//   {"uuid", "title", "messages": […]}                       design_chats/*.json
//
// A record is a whole chat (a project, …), so a reader keeps no state between two records. Messages
// and facts of a chat are kept; how it was shown (settings, stars, the open branch) is not.
#include "weft/formats/adapters/claude_export/claude_export.hpp"

#include <algorithm>
#include <array>

#include "weft/base/utf8.hpp"

namespace weft::formats {
namespace {

using claude_export::Item;
using transcript::Sink;

class ExportReader final : public Reader {
 public:
  explicit ExportReader(const SourceInfo& info) : model_(info.model) {}

  void read(const Record& record, Sink& sink) override {
    std::string storage;
    std::size_t repairs = 0;
    const Item item{
        .text = repair_json(record.text, storage, repairs), .line = record.line, .cut = record.cut};
    if (repairs > 0) sink.repaired(repairs);
    if (record.stray) {
      sink.skip({record.line, "malformed: stands outside of the chats"});
    } else if (record.member.empty()) {
      claude_export::read_item(item, model_, sink);
    } else {
      read_member(record.member, item, sink);
    }
  }

  void finish(Sink&) override {}

  json::object save() const override { return {}; }
  Status restore(const json::object& /*state*/) override { return {}; }

 private:
  // Beside {"conversations": […]}.
  void read_member(std::string_view name, const Item& member, Sink& sink) {
    constexpr std::array<std::string_view, 3> kLists = {"projects", "memories", "design_chats"};
    if (member.text == "null" || member.text == "[]") return;
    const bool is_list = std::ranges::find(kLists, name) != kLists.end();
    if (!is_list || !member.text.starts_with('[')) {
      sink.skip({member.line, "unmapped member"});
      return;
    }
    for (const JsonPiece& piece : cut_json(member.text, {})) {
      claude_export::read_item(
          {.text = piece.text, .line = member.line + piece.line, .cut = piece.cut}, model_, sink);
    }
  }

  const std::optional<std::string> model_;
};

// A file of one object is one record, unless that is a list of chats with a wrapper around it.
std::unique_ptr<Framer> frame(std::string_view head) { return frame_list(head, "conversations"); }

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<ExportReader>(info);
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of('/') + 1);
  if (name == "users.json" || name == "login_history.json") return "account";
  // Lists the archives that a large export comes in, with links that worked once.
  if (name.starts_with("manifest-") && name.ends_with(".json")) return "sidecar";
  return std::nullopt;
}

}  // namespace

const Adapter& claude_export_adapter() {
  static constexpr Adapter adapter{
      .name = claude_export::kName,
      .family = "anthropic",
      .version = 1,
      .recognises = claude_export::recognises,
      .frame = frame,
      .open = open,
      .ignore_reason = ignore_reason,
  };
  return adapter;
}

}  // namespace weft::formats
