#include "weft/formats/adapters/cursor/reader.hpp"

#include <algorithm>

#include "weft/formats/reading/json_reader.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::cursor {
namespace {

constexpr std::string_view kTranscripts = "agent-transcripts";

// The folder above `path`, without its name.
std::string_view folder_of(std::string_view path) {
  const std::string_view name = last_component(path);
  if (name.empty()) return {};
  return path.substr(0, static_cast<std::size_t>(name.data() - path.data()));
}

class ConversationReader final : public Reader {
 public:
  explicit ConversationReader(const SourceInfo& info) : info_(info) {}

  void read(const Record& record, transcript::Sink& sink) override {
    if (!reader_) choose(!record.text.starts_with('{'));
    reader_->read(record, sink);
  }
  void finish(transcript::Sink& sink) override {
    if (reader_) reader_->finish(sink);
  }

  json::object save() const override { return save_object(*this); }
  [[nodiscard]] Status restore(const json::object& state) override {
    StateArchive a(state);
    archive(a);
    return check_restored(a, kName);
  }
  void archive(StateArchive& a) {
    a.field("is_text", is_text_);
    if (a.is_writing()) {
      if (reader_) a.put("reader", reader_->save());
      return;
    }
    reader_.reset();
    const json::value* saved = a.find("reader");
    if (!a.is_ok() || saved == nullptr) return;
    choose(is_text_);
    const std::optional<json::object> state = parse_reader_state(*saved);
    a.check(state && reader_->restore(*state));
  }

 private:
  void choose(bool is_text) {
    is_text_ = is_text;
    reader_ = is_text ? open_text(info_) : open_lines(info_);
  }

  SourceInfo info_;
  bool is_text_ = false;
  std::unique_ptr<Reader> reader_;
};

}  // namespace

Place place_of(const SourceInfo& info) {
  std::string_view stem = info.name;
  for (const std::string_view suffix : {".jsonl", ".txt"}) {
    if (stem.ends_with(suffix)) stem.remove_suffix(suffix.size());
  }
  const std::string_view folder = last_component(info.directory);
  const std::string_view above = folder_of(info.directory);
  if (folder == "subagents") {
    const std::string_view parent = last_component(above);
    if (!parent.empty()) return {std::string(stem), std::string(parent)};
  }
  const bool is_named = folder == kTranscripts || last_component(above) == kTranscripts;
  return {is_named || is_uuid(stem) ? std::string(stem) : std::string(), {}};
}

transcript::Heading heading_of(const Place& place, std::string_view first) {
  transcript::Heading heading{.format = std::string(kName),
                              .family = "cursor",
                              .program = "cursor",
                              .provider = {},
                              .session_id = place.id};
  if (heading.session_id.empty()) heading.session_id = session_from(first);
  if (!place.parent.empty()) {
    heading.source = "subagent:" + heading.session_id;
    heading.session_id = place.parent;
  }
  return heading;
}

std::unique_ptr<Reader> open_conversation(const SourceInfo& info) {
  return std::make_unique<ConversationReader>(info);
}

}  // namespace weft::formats::cursor
