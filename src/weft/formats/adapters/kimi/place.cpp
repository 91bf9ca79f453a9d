// Derives session and agent of a log from its path:
//
//   ~/.kimi/sessions/<md5 of the work dir>/<session>/{wire,context,context_1}.jsonl
//                                          …/subagents/<agent>/{wire,context}.jsonl
//   ~/.kimi/sessions/<md5 of the work dir>/<session>.jsonl        in the beginning
//   ~/.kimi-code/sessions/wd_<slug>_<hash>/<session>/agents/<agent>/wire.jsonl
#include <algorithm>
#include <charconv>

#include "weft/formats/adapters/kimi/kimi.hpp"
#include "weft/formats/reading/members.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::kimi {
namespace {

constexpr std::string_view kSuffix = ".jsonl";
constexpr std::string_view kWire = "wire.jsonl";
constexpr std::string_view kContext = "context";
constexpr std::string_view kRotated = "context_";
constexpr std::string_view kTaskContext = "context_sub";  // of an agent, before subagents/ was
constexpr std::string_view kOwnAgent = "main";
// A session is rotated with each compaction: more of them are not looked for.
constexpr int kMostRotations = 200;

std::string_view stem_of(std::string_view name) {
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  return name;
}

// 3 of "context_3".
std::optional<int> rotation_of(std::string_view stem) {
  if (!stem.starts_with(kRotated)) return std::nullopt;
  stem.remove_prefix(kRotated.size());
  int number = 0;
  const auto [end, error] = std::from_chars(stem.data(), stem.data() + stem.size(), number);
  const bool is_all = error == std::errc() && end == stem.data() + stem.size();
  return is_all && number > 0 ? std::optional(number) : std::nullopt;
}

std::string rotated(const std::string& session, int number) {
  return session + "/" + std::string(kRotated) + std::to_string(number);
}

bool is_uuid(std::string_view text) {
  constexpr std::string_view kShape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  return std::ranges::equal(text, kShape, [](char c, char shape) {
    const bool is_hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    return shape == '-' ? c == '-' : is_hex;
  });
}

Place place_of_code(std::string_view name, const std::vector<std::string_view>& parts) {
  Place place;
  if (name != kWire || parts.size() < 3 || parts[parts.size() - 2] != "agents") return place;
  place.session = parts[parts.size() - 3];
  if (parts.back() != kOwnAgent) place.agent = parts.back();
  return place;
}

}  // namespace

bool has_beside(const SourceInfo& info, const std::string& relative) {
  if (info.has_beside) return info.has_beside(relative);
  return info.beside && info.beside(relative).has_value();
}

Place place_of(Kind kind, const SourceInfo& info) {
  const auto parts = components(info.directory);
  if (kind == Kind::code) return place_of_code(info.name, parts);
  Place place;
  const std::string_view stem = stem_of(info.name);
  if (kind == Kind::context && is_uuid(stem)) {
    place.session = stem;
    return place;
  }
  const bool is_ours = kind == Kind::wire ? info.name == kWire : stem.starts_with(kContext);
  if (!is_ours || parts.empty()) return place;
  place.session = parts.back();
  if (parts.size() >= 3 && parts[parts.size() - 2] == "subagents") {
    place.session = parts[parts.size() - 3];
    place.agent = parts.back();
  }
  if (kind != Kind::context) return place;
  if (stem.starts_with(kTaskContext)) {
    place.agent = stem;
    place.is_aside = true;
    return place;
  }
  const std::string session = place.session;
  if (const auto number = rotation_of(stem)) {
    place.session = rotated(session, *number);
    place.is_aside = true;
    if (*number > 1) place.rotated_from = rotated(session, *number - 1);
  } else if (stem == kContext) {
    int last = 0;
    const auto is_there = [&](int rotation) {
      return has_beside(info,
                        std::string(kRotated) + std::to_string(rotation) + std::string(kSuffix));
    };
    while (last < kMostRotations && is_there(last + 1)) ++last;
    if (last > 0) place.rotated_from = rotated(session, last);
  }
  return place;
}

Place place_of_wire(Place place) {
  place.rotated_from.clear();
  const std::size_t slash = place.session.find('/');
  if (slash != std::string::npos) place.session.resize(slash);
  return place;
}

transcript::Heading heading_of(const Place& place, std::string_view program, std::string_view raw) {
  transcript::Heading heading{
      .format = std::string(kName),
      .family = "moonshot",
      .program = std::string(program),
      .provider = "moonshot",
      .session_id = place.session.empty() ? session_from(raw) : place.session};
  if (!place.agent.empty()) heading.source = "subagent:" + place.agent;
  return heading;
}

std::optional<transcript::Origin> origin_of(const Place& place) {
  using transcript::Origin;
  if (!place.agent.empty() && !place.session.empty()) {
    return Origin{.kind = Origin::Kind::spawned, .session_id = place.session, .agent = place.agent};
  }
  if (place.rotated_from.empty()) return std::nullopt;
  return Origin{.kind = Origin::Kind::continued, .session_id = place.rotated_from};
}

transcript::Facts facts_beside(const SourceInfo& info, const std::string& relative) {
  transcript::Facts facts;
  const auto text = info.beside ? info.beside(relative) : std::nullopt;
  if (!text) return facts;
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::object* state = parsed ? parsed->value.if_object() : nullptr;
  if (state == nullptr) return facts;
  facts.title = find_words(*state, "custom_title");
  if (!facts.title) facts.title = find_words(*state, "title");
  facts.cwd = find_words(*state, "workDir");
  return facts;
}

}  // namespace weft::formats::kimi
