// A CauseTracker as JSON and back, so that weaving goes on where it stopped.
#include <array>

#include "weft/base/hex.hpp"
#include "weft/weave/cause_rules.hpp"

namespace weft::weave {
namespace {

using transcript::Role;

constexpr std::array kKinds = {Kind::thinking,      Kind::response,          Kind::tool_request,
                               Kind::tool_result,   Kind::human_input,       Kind::human_attachment,
                               Kind::program_input, Kind::result_attachment, Kind::compaction,
                               Kind::other};

json::value to_json(const Ref& ref) {
  return json::array{to_hex(ref.cid.digest()), static_cast<std::int64_t>(ref.kind), ref.time};
}
json::value to_json(const std::optional<Ref>& ref) { return ref ? to_json(*ref) : json::value(); }
json::value to_json(const std::vector<Ref>& refs) {
  json::array out;
  for (const Ref& ref : refs) out.push_back(to_json(ref));
  return out;
}

// Each of these takes one thing out of a state; after something that does not fit it takes
// no more, and `ok` tells.
struct Unpacker {
  bool ok = true;

  Ref ref(const json::value& value) {
    const json::array* array = value.if_array();
    if (array == nullptr || array->size() != 3 || !(*array)[0].is_string() ||
        !(*array)[1].is_int64() || !(*array)[2].is_int64()) {
      ok = false;
      return {};
    }
    Digest digest;
    const bool is_cid = parse_hex(view((*array)[0].get_string()), digest);
    const std::int64_t kind = (*array)[1].get_int64();
    if (!is_cid || kind < 0 || kind >= static_cast<std::int64_t>(kKinds.size())) {
      ok = false;
      return {};
    }
    return {.cid = Cid(digest),
            .kind = static_cast<Kind>(kind),
            .time = (*array)[2].get_int64(),
            .shared = true};
  }
  std::optional<Ref> maybe_ref(const json::object& object, std::string_view key) {
    const json::value* value = find_member(object, key);
    if (value == nullptr || value->is_null()) return std::nullopt;
    return ref(*value);
  }
  std::vector<Ref> refs(const json::object& object, std::string_view key) {
    std::vector<Ref> out;
    const json::array* array = find_array(object, key);
    ok = ok && array != nullptr;
    for (std::size_t i = 0; ok && i < array->size(); ++i) out.push_back(ref((*array)[i]));
    return out;
  }
  std::string text(const json::object& object, std::string_view key) {
    const std::optional<std::string_view> found = find_string(object, key);
    ok = ok && found;
    return std::string(found.value_or(""));
  }
  bool flag(const json::object& object, std::string_view key) {
    const std::optional<bool> found = find_bool(object, key);
    ok = ok && found;
    return found.value_or(false);
  }
  template <class Take>
  void each(const json::object& object, std::string_view key, Take take) {
    const json::array* array = find_array(object, key);
    ok = ok && array != nullptr;
    for (std::size_t i = 0; ok && i < array->size(); ++i) {
      const json::object* element = (*array)[i].if_object();
      ok = ok && element != nullptr;
      if (ok) take(*element);
    }
  }
};

}  // namespace

json::object CauseTracker::save() const {
  const auto calls_json = [](const std::deque<Call>& calls) {
    json::array out;
    for (const Call& call : calls) {
      out.push_back(json::object{{"id", call.id}, {"name", call.name}, {"ref", to_json(call.ref)}});
    }
    return out;
  };
  json::array steps;
  for (const Step& step : steps_) {
    steps.push_back(json::object{{"message_id", step.message_id},
                                 {"open", step.open},
                                 {"news", to_json(step.news)},
                                 {"thinking", to_json(step.thinking)}});
  }
  json::array documents;
  for (const Cid& cid : documents_) documents.emplace_back(cid.str());
  return {{"last", to_json(last_)},
          {"turn_last", to_json(turn_last_)},
          {"turn_response", to_json(turn_response_)},
          {"turn_thinking", to_json(turn_thinking_)},
          {"prior", to_json(prior_)},
          {"opening", to_json(opening_)},
          {"model_spoke", model_spoke_},
          {"role", transcript::to_string(role_)},
          {"news", to_json(news_)},
          {"steps", std::move(steps)},
          {"last_result", to_json(last_result_)},
          {"open_calls", calls_json(open_calls_)},
          {"answered_calls", calls_json(answered_calls_)},
          {"documents", std::move(documents)}};
}

bool CauseTracker::restore(const json::object& state) {
  Unpacker from;
  CauseTracker tracker;
  tracker.last_ = from.maybe_ref(state, "last");
  tracker.turn_last_ = from.maybe_ref(state, "turn_last");
  tracker.turn_response_ = from.maybe_ref(state, "turn_response");
  tracker.turn_thinking_ = from.maybe_ref(state, "turn_thinking");
  tracker.prior_ = from.refs(state, "prior");
  tracker.opening_ = from.refs(state, "opening");
  tracker.model_spoke_ = from.flag(state, "model_spoke");
  const std::optional<Role> role = transcript::parse_role(from.text(state, "role"));
  tracker.role_ = role.value_or(Role::system);
  tracker.news_ = from.refs(state, "news");
  from.each(state, "steps", [&](const json::object& step) {
    tracker.steps_.push_back({.message_id = from.text(step, "message_id"),
                              .open = from.flag(step, "open"),
                              .news = from.refs(step, "news"),
                              .thinking = from.maybe_ref(step, "thinking")});
  });
  tracker.last_result_ = from.maybe_ref(state, "last_result");
  const auto calls = [&](std::string_view key, std::deque<Call>& into) {
    from.each(state, key, [&](const json::object& call) {
      const json::value* ref = find_member(call, "ref");
      from.ok = from.ok && ref != nullptr;
      if (!from.ok) return;
      into.push_back({from.text(call, "id"), from.text(call, "name"), from.ref(*ref)});
    });
  };
  calls("open_calls", tracker.open_calls_);
  calls("answered_calls", tracker.answered_calls_);
  const json::array* documents = find_array(state, "documents");
  from.ok = from.ok && role && documents != nullptr;
  for (std::size_t i = 0; from.ok && i < documents->size(); ++i) {
    const json::string* text = (*documents)[i].if_string();
    const Result<Cid> cid = Cid::parse(text == nullptr ? "" : view(*text));
    from.ok = cid.has_value();
    if (cid) tracker.documents_.push_back(*cid);
  }
  if (from.ok) *this = std::move(tracker);
  return from.ok;
}

}  // namespace weft::weave
