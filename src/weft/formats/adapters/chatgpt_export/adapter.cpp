// ChatGPT's data export (Settings, Data controls, Export), unzipped, and conversations saved by
// browser extensions. One file is one of
//
//   [{"conversation_id", "title", "create_time", "current_node", "mapping": {
//      "<node>": {"parent", "children": […], "message": {"author": {"role"},
//        "content": {"content_type", …}, "recipient", "create_time", "metadata"}}}}]
//                                          conversations.json, conversations-000.json, …
//   {"title", …, "mapping"}                one conversation; or one in each line
//   {"conversations": […]}                 with a wrapper around
//
// A record is a whole conversation, so a reader keeps no state between two records. Nodes form a
// tree: an edited question or a regenerated answer is a branch.
#include "weft/formats/adapters/chatgpt_export/chatgpt_export.hpp"

#include <array>

namespace weft::formats {
namespace {

using transcript::Sink;

class ChatgptReader final : public JsonReader {
 public:
  explicit ChatgptReader(const SourceInfo& info) : JsonReader(chatgpt_export::kName), info_(info) {}

  void finish(Sink& /*sink*/) override {}

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    if (!record.member.empty()) {
      sink.skip({record.line, "unmapped member"});
    } else if (const json::object* conversation = record.object()) {
      chatgpt_export::read_conversation(record, *conversation, info_, sink);
    } else {
      sink.skip({record.line, "malformed: not a conversation"});
    }
  }

  void archive(StateArchive& /*a*/) override {}

  SourceInfo info_;
};

// A file of one object is one record, unless the object only wraps a list.
std::unique_ptr<Framer> frame(std::string_view head) { return frame_list(head, "conversations"); }

std::unique_ptr<Reader> open(const SourceInfo& info) {
  return std::make_unique<ChatgptReader>(info);
}

std::optional<std::string> ignore_reason(std::string_view path) {
  const std::string_view name = path.substr(path.find_last_of("/\\") + 1);
  if (name == "user.json" || name == "user_settings.json") return "account";
  if (name == "chat.html") return "mirror";
  constexpr std::array<std::string_view, 5> kSidecars = {
      "message_feedback.json", "shared_conversations.json", "model_comparisons.json",
      "export_manifest.json", "conversation_asset_file_names.json"};
  for (const std::string_view sidecar : kSidecars) {
    if (name == sidecar) return "sidecar";
  }
  return std::nullopt;
}

}  // namespace

const Adapter& chatgpt_export_adapter() {
  static constexpr Adapter adapter{
      .name = chatgpt_export::kName,
      .family = "openai",
      .version = 1,
      .recognises = chatgpt_export::recognises,
      .frame = frame,
      .open = open,
      .ignore_reason = ignore_reason,
  };
  return adapter;
}

}  // namespace weft::formats
