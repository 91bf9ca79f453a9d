// Sessions of Moonshot's coding agents: kimi-cli, which keeps two logs of each, and its
// successor Kimi Code, which keeps one for each agent; see kimi.hpp. All are JSON lines.
#include "weft/formats/adapters/kimi/kimi.hpp"

#include <array>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats {
namespace {

using kimi::Kind;
using transcript::Sink;

class KimiReader final : public JsonReader {
 public:
  explicit KimiReader(const SourceInfo& info) : JsonReader(kimi::kName), info_(info) {}

  void finish(Sink& sink) override {
    if (log_) log_->finish(sink);
  }

 private:
  void read_record(JsonRecord record, Sink& sink) override {
    const json::object* line = record.object();
    if (line == nullptr) {
      sink.skip({record.line, "malformed: not an object"});
      return;
    }
    if (!log_) {
      kind_ = kimi::kind_of(*line);
      if (kind_ == Kind::none) {
        const bool is_header = find_string(*line, "type") == "metadata";
        sink.skip({record.line, is_header ? "metadata" : "malformed: no line of kimi's"});
        return;
      }
      log_ = kimi::open_log(kind_, info_);
    }
    log_->read(record, *line, sink);
  }

  std::optional<std::string_view> find_whole(std::string_view text) const override {
    constexpr std::array<std::string_view, 6> kBeginnings = {
        "{\"timestamp\":",      "{\"role\":\"",      "{\"role\": \"",
        "{\"type\":\"context.", "{\"type\":\"turn.", "{\"type\":\"usage."};
    return find_glued(text, kBeginnings);
  }

  void archive(StateArchive& a) override {
    a.field("kind", kind_);
    if (!a.is_ok() || kind_ == Kind::none) return;
    if (!log_) log_ = kimi::open_log(kind_, info_);
    a.field("log", *log_);
  }

  SourceInfo info_;
  Kind kind_ = Kind::none;
  std::unique_ptr<kimi::Log> log_;
};

std::unique_ptr<Reader> open(const SourceInfo& info) { return std::make_unique<KimiReader>(info); }

std::vector<std::string> folders(const Environment& environment) {
  std::vector<std::string> found;
  const std::string home = environment("HOME").value_or("");
  std::string code = environment("KIMI_CODE_HOME").value_or("");
  if (!home.empty()) found.push_back(home + "/.kimi/sessions");
  if (code.empty() && !home.empty()) code = home + "/.kimi-code";
  if (!code.empty()) found.push_back(code + "/sessions");
  return found;
}

std::optional<std::string> ignore_reason(std::string_view path) {
  constexpr std::array<std::string_view, 10> kSidecars = {
      "state.json",   "kimi.json",    "metadata.json", "meta.json",  "spec.json",
      "runtime.json", "control.json", "event.json",    "prompt.txt", "delivery.json"};
  // Internal requests of Kimi Work: titles, summaries of skills.
  constexpr std::array<std::string_view, 3> kInternal = {"ctitle-", "sklsum-", "dvlt-"};
  const auto parts = components(path);
  if (parts.empty()) return std::nullopt;
  for (const std::string_view part : parts) {
    for (const std::string_view internal : kInternal) {
      if (part.starts_with(internal)) return "internal";
    }
  }
  if (parts.back() == "session_index.jsonl") return "index";
  for (const std::string_view sidecar : kSidecars) {
    if (parts.back() == sidecar) return "sidecar";
  }
  return std::nullopt;
}

// "garden" for …/wd_garden_0123456789ab/…; kimi-cli's folders are named by a hash alone.
std::string project(std::string_view path, std::string_view /*head*/) {
  constexpr std::string_view kFolder = "wd_";
  for (std::string_view part : components(path)) {
    const std::size_t hash = part.rfind('_');
    if (!part.starts_with(kFolder) || hash <= kFolder.size()) continue;
    return std::string(part.substr(kFolder.size(), hash - kFolder.size()));
  }
  return {};
}

}  // namespace

std::unique_ptr<kimi::Log> kimi::open_log(Kind kind, const SourceInfo& info) {
  switch (kind) {
    case Kind::wire: return open_wire(info);
    case Kind::context: return open_context(info);
    case Kind::none:
    case Kind::code: break;
  }
  return open_code(info);
}

const Adapter& kimi_adapter() {
  static constexpr Adapter adapter{
      .name = kimi::kName,
      .family = "moonshot",
      .version = 2,
      .recognises = kimi::recognises,
      .frame = frame_lines,
      .open = open,
      .grows = true,
      .folders = folders,
      .ignore_reason = ignore_reason,
      .project = project,
      .reach = 2,
  };
  return adapter;
}

}  // namespace weft::formats
