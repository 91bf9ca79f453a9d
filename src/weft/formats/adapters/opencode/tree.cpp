// The files of storage/, up to 1.1:
//
//   session/<project>/<session>.json          stands for the conversation
//   message/<session>/<message>.json          who speaks; written again when the answer is done
//   part/<message>/<part>.json                what they say
//
// and before 0.6 session/info/<session>.json with session/message/<session>/ and
// session/part/<session>/<message>/ beside it.
//
// A message's file is written when the message begins, after each step and when it ends: that is
// how a change is noticed. Not noticed is a part that is written after the last of these, when
// OpenCode is killed in the midst of an answer, until the session continues.
#include <algorithm>
#include <tuple>
#include <utility>

#include "weft/base/json.hpp"
#include "weft/formats/adapters/opencode/parts.hpp"
#include "weft/formats/adapters/opencode/places.hpp"
#include "weft/formats/adapters/opencode/record.hpp"
#include "weft/formats/reading/text.hpp"

namespace weft::formats::opencode {
namespace {

using OnLine = std::function<void(std::string_view)>;

constexpr int kMostAncestors = 16;

// A name that leads nowhere else.
bool is_plain(std::string_view name) {
  return !name.empty() && !name.starts_with('.') &&
         name.find_first_of(std::string_view("/\\\0", 3)) == std::string_view::npos;
}

// White space outside of strings is all that a line end can be in JSON.
std::string on_one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  std::ranges::replace(text, '\r', ' ');
  return text;
}

std::string text_of(const json::value& value, std::string_view key) {
  const json::object* object = value.if_object();
  return object == nullptr ? "" : std::string(find_string(*object, key).value_or(""));
}

json::value parse(std::string_view text) {
  Result<ParsedJson> parsed = parse_json(text);
  return parsed ? std::move(parsed->value) : json::value();
}

// A subagent's subagent is of the session that it all began with.
std::string find_root(const SourceInfo& info, std::string parent) {
  for (int i = 0; i < kMostAncestors && is_plain(parent); ++i) {
    const auto text = info.beside(parent + ".json");
    std::string next = text ? text_of(parse(*text), "parentID") : std::string();
    if (next.empty()) break;
    parent = std::move(next);
  }
  return parent;
}

// Stands for a part that is too large, or gone meanwhile.
std::string unreadable(std::string_view file, std::string_view message, std::string_view session) {
  return canonical_json(json::object{
      {"id", file}, {"messageID", message}, {"sessionID", session}, {"type", "unreadable"}});
}

std::string folder(std::string_view path) {
  const std::string_view name = last_component(path), own = parent_folder(path);
  constexpr std::string_view kSuffix = ".json";
  if (!name.ends_with(kSuffix) || last_component(parent_folder(own)) != "session") return {};
  const std::string stem(name.substr(0, name.size() - kSuffix.size()));
  if (!is_plain(stem)) return {};
  return (last_component(own) == "info" ? "../message/" : "../../message/") + stem;
}

void lines(const SourceInfo& info, std::string_view text, const OnLine& line) {
  const json::value session = parse(text);
  const std::string id = text_of(session, "id");
  std::string own = on_one_line(std::string(text));
  const std::string parent = text_of(session, "parentID");
  if (info.beside && !parent.empty()) {
    const std::string root = find_root(info, parent);
    const std::size_t open = own.find('{');
    if (root != parent && open != std::string::npos) {
      std::string member = "\"rootID\":";
      append_canonical_string(member, root);
      own.insert(open + 1, member + ",");
    }
  }
  line(own);
  if (!info.beside || !info.list || !is_plain(id)) return;
  const bool is_old = last_component(info.directory) == "info";
  const std::string messages = (is_old ? "../message/" : "../../message/") + id + "/";
  const std::string parts = is_old ? "../part/" + id + "/" : "../../part/";

  // By time, for only names that OpenCode gave them sort by it.
  std::vector<std::pair<Millis, std::string>> order;
  for (std::string& name : info.list(messages)) {
    const auto message = info.beside(messages + name);
    if (!message) continue;
    const json::value value = parse(*message);
    const json::object* object = value.if_object();
    const json::object* time = object == nullptr ? nullptr : find_object(*object, "time");
    const auto created = time == nullptr ? std::nullopt : find_time(*time, "created");
    order.emplace_back(created.value_or(0), std::move(name));
  }
  std::ranges::sort(order);
  for (const auto& [created, name] : order) {
    const auto message = info.beside(messages + name);
    if (!message) continue;
    line(on_one_line(*message));
    const std::string message_id = text_of(parse(*message), "id");
    if (!is_plain(message_id)) continue;
    const std::string its_parts = parts + message_id + "/";
    for (const std::string& part : info.list(its_parts)) {
      const auto blocks = info.beside(its_parts + part);
      line(blocks ? on_one_line(*blocks) : unreadable(part, message_id, id));
    }
  }
}

}  // namespace

constinit const TreeShape kTree{.folder = folder, .lines = lines};

}  // namespace weft::formats::opencode
