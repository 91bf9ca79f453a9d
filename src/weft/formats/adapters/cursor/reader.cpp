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

bool is_uuid(std::string_view text) {
  constexpr std::string_view kLike = "00000000-0000-0000-0000-000000000000";
  if (text.size() != kLike.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = (text[i] >= '0' && text[i] <= '9') ||
                          (text[i] >= 'a' && text[i] <= 'f') || (text[i] >= 'A' && text[i] <= 'F');
    if (kLike[i] == '-' ? text[i] != '-' : !is_digit) return false;
  }
  return true;
}

class EitherReader final : public Reader {
 public:
  explicit EitherReader(const SourceInfo& info) : info_(info) {}

  void read(const Record& record, transcript::Sink& sink) override {
    if (!reader_) choose(!record.text.starts_with('{'));
    reader_->read(record, sink);
  }
  void finish(transcript::Sink& sink) override {
    if (reader_) reader_->finish(sink);
  }

  std::string save() const override {
    json::object state{{"is_text", is_text_}};
    if (reader_) state["reader"] = reader_->save();
    std::string out;
    append_canonical(out, state);
    return out;
  }
  [[nodiscard]] Status restore(std::string_view state) override {
    const Result<ParsedJson> parsed = parse_json(state);
    const json::object* object = parsed ? parsed->value.if_object() : nullptr;
    const auto is_text = object == nullptr ? std::nullopt : find_bool(*object, "is_text");
    if (!is_text) {
      return fail(ErrorCode::corrupt, "restoring a reader of cursor: not its state");
    }
    reader_.reset();
    const auto inner = find_string(*object, "reader");
    if (!inner) return {};
    choose(*is_text);
    return reader_->restore(*inner);
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
  return std::make_unique<EitherReader>(info);
}

}  // namespace weft::formats::cursor
