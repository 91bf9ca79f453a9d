#include "weft/weave/cause_rules.hpp"

#include <algorithm>

namespace weft::weave {
namespace {

using transcript::Author;
using transcript::Block;
using transcript::Role;

// Lines of several messages may interleave; more than this many at once were never seen.
constexpr std::size_t kOpenSteps = 8;
// Open calls, and answered calls that may be answered again.
constexpr std::size_t kOpenCalls = 1024;
constexpr std::size_t kAnsweredCalls = 16;
// Inputs and results that are in no step's news yet; documents that may be cited.
constexpr std::size_t kNews = 1024;
constexpr std::size_t kDocuments = 4096;

void push_bounded(std::vector<Ref>& refs, const Ref& ref) {
  if (refs.size() >= kNews) refs.erase(refs.begin());
  refs.push_back(ref);
}

void add_unless_there(std::vector<Ref>& refs, const Ref& ref) {
  const auto same = [&](const Ref& other) { return other.cid == ref.cid; };
  if (std::none_of(refs.begin(), refs.end(), same)) refs.push_back(ref);
}

void add_all(std::vector<Ref>& refs, const std::vector<Ref>& more) {
  for (const Ref& ref : more) add_unless_there(refs, ref);
}

bool is_model_step_kind(Kind kind) {
  return kind == Kind::thinking || kind == Kind::response || kind == Kind::tool_request;
}

Kind text_kind(Author author) {
  switch (author) {
    case Author::human: return Kind::human_input;
    case Author::model: return Kind::response;
    case Author::tool:
    case Author::program: return Kind::program_input;
  }
  return Kind::program_input;
}

Kind attachment_kind(Author author) {
  switch (author) {
    case Author::human: return Kind::human_attachment;
    case Author::program: return Kind::program_input;
    case Author::tool: return Kind::result_attachment;
    case Author::model: return Kind::other;
  }
  return Kind::other;
}

}  // namespace

Kind kind_of(const Block& block) {
  struct Visitor {
    Author author;
    Kind operator()(const transcript::Text&) const { return text_kind(author); }
    Kind operator()(const transcript::Thinking&) const { return Kind::thinking; }
    Kind operator()(const transcript::RedactedThinking&) const { return Kind::thinking; }
    Kind operator()(const transcript::ToolCall&) const { return Kind::tool_request; }
    Kind operator()(const transcript::ToolResult&) const { return Kind::tool_result; }
    Kind operator()(const transcript::Attachment&) const { return attachment_kind(author); }
    Kind operator()(const transcript::Compaction&) const { return Kind::compaction; }
    Kind operator()(const transcript::Summary&) const { return Kind::other; }
    Kind operator()(const transcript::Failure&) const { return Kind::other; }
    Kind operator()(const transcript::Unknown&) const { return Kind::other; }
  };
  return std::visit(Visitor{block.author}, block.body);
}

Kind kind_of(std::string_view kind, Role role) {
  if (kind == "thinking" || kind == "redacted_thinking") return Kind::thinking;
  if (kind == "response") return Kind::response;
  if (kind == "tool_request") return Kind::tool_request;
  if (kind == "tool_result") return Kind::tool_result;
  if (kind == "human_input") return Kind::human_input;
  if (kind == "system_input") return Kind::program_input;
  if (kind == "compaction") return Kind::compaction;
  if (kind == "attachment") {
    return role == Role::human ? Kind::human_attachment : Kind::result_attachment;
  }
  return Kind::other;
}

void CauseTracker::open_turn(Role role) {
  if (role == Role::human) {
    // A person answers the last response, and everything after it.
    prior_.clear();
    if (turn_response_) prior_.push_back(*turn_response_);
    if (turn_last_) add_unless_there(prior_, *turn_last_);
  }
  const bool answers_person = role == Role::assistant && role_ == Role::human;
  if (!answers_person) opening_.clear();
  role_ = role;
  turn_last_.reset();
  turn_response_.reset();
  turn_thinking_.reset();
  model_spoke_ = false;
  end_run();
}

void CauseTracker::open_branch(Role role, const TurnEnd& after) {
  // Later blocks of other branches are unknown on this one.
  steps_.clear();
  news_.clear();
  std::erase_if(open_calls_, [](const Call& call) { return call.id.empty(); });
  last_result_.reset();
  role_ = after.role;
  last_ = after.last;
  turn_last_ = after.last;
  turn_response_ = after.response;
  opening_ = after.inputs;
  news_ = after.inputs;
  open_turn(role);
}

TurnEnd CauseTracker::end() const {
  TurnEnd end{.role = role_, .last = turn_last_, .response = turn_response_};
  if (role_ == Role::human) end.inputs = opening_;
  return end;
}

Causes CauseTracker::causes(const Block& block) {
  const Kind kind = kind_of(block);
  Causes causes;
  switch (kind) {
    case Kind::thinking: causes = of_thinking(step_of(block)); break;
    case Kind::response: causes = of_response(step_of(block)); break;
    case Kind::tool_request: causes = of_request(step_of(block)); break;
    case Kind::tool_result: return of_result(std::get<transcript::ToolResult>(block.body));
    case Kind::human_input:
    case Kind::human_attachment: return of_human(kind);
    case Kind::result_attachment:
      if (last_result_) causes.because.push_back(*last_result_);
      else if (last_) causes.because.push_back(*last_);
      return causes;
    case Kind::program_input:
    case Kind::compaction:
    case Kind::other:
      if (last_) causes.because.push_back(*last_);
      return causes;
  }
  return causes;
}

void CauseTracker::record(const Block& block, const Ref& ref) {
  if (is_model_step_kind(ref.kind)) {
    Step& step = step_of(block);
    if (ref.kind == Kind::thinking) {
      step.thinking = ref;
      turn_thinking_ = ref;
    }
    model_spoke_ = true;
  }
  switch (ref.kind) {
    case Kind::response: turn_response_ = ref; break;
    case Kind::tool_request: {
      const auto& call = std::get<transcript::ToolCall>(block.body);
      std::erase_if(open_calls_,
                    [&](const Call& open) { return !open.id.empty() && open.id == call.id; });
      open_calls_.push_back({.id = call.id, .name = call.name, .ref = ref});
      if (open_calls_.size() > kOpenCalls) open_calls_.pop_front();
      break;
    }
    case Kind::tool_result:
      answer_call(std::get<transcript::ToolResult>(block.body), ref);
      add_news(ref);
      last_result_ = ref;
      // A result inside a message is news for what follows it there.
      if (block.message_id) {
        for (Step& step : steps_) {
          if (step.message_id == *block.message_id) step.open = false;
        }
      }
      end_run();
      break;
    case Kind::human_attachment:
      if (documents_.size() < kDocuments) documents_.push_back(ref.said.value_or(ref.cid));
      [[fallthrough]];
    case Kind::human_input:
      push_bounded(opening_, ref);
      add_news(ref);
      end_run();
      break;
    case Kind::program_input:
      if (role_ == Role::assistant && !model_spoke_) push_bounded(opening_, ref);
      add_news(ref);
      end_run();
      break;
    case Kind::compaction:
      // The model no longer sees its earlier thinking: later blocks do not refer to it.
      for (Step& step : steps_) {
        step.open = false;
        step.thinking.reset();
      }
      turn_thinking_.reset();
      add_news(ref);
      break;
    default: break;
  }
  last_ = ref;
  turn_last_ = ref;
}

void CauseTracker::end_run() {
  if (!steps_.empty() && steps_.back().message_id.empty()) steps_.back().open = false;
}

CauseTracker::Step& CauseTracker::step_of(const Block& block) {
  const std::string id = block.message_id.value_or("");
  if (id.empty()) {
    if (!steps_.empty() && steps_.back().open && steps_.back().message_id.empty())
      return steps_.back();
  } else {
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (step->open && step->message_id == id) return *step;
    }
  }
  steps_.push_back({.message_id = id});
  Step& step = steps_.back();
  step.news = std::move(news_);
  news_.clear();
  if (step.news.empty() && last_) step.news.push_back(*last_);
  if (steps_.size() > kOpenSteps) steps_.pop_front();
  return steps_.back();
}

void CauseTracker::add_news(const Ref& ref) { push_bounded(news_, ref); }

// The call that a result answers: by id, or the next open one of that name.
template <class Found, class Tracker>
Found* CauseTracker::find_call_in(Tracker& tracker, const transcript::ToolResult& result) {
  if (result.call_id.empty()) {
    const auto found = std::ranges::find_if(tracker.open_calls_, [&](const Call& call) {
      return call.id.empty() && call.name == result.name;
    });
    return found == tracker.open_calls_.end() ? nullptr : &*found;
  }
  for (auto* calls : {&tracker.open_calls_, &tracker.answered_calls_}) {
    const auto found = std::find_if(calls->rbegin(), calls->rend(),
                                    [&](const Call& call) { return call.id == result.call_id; });
    if (found != calls->rend()) return &*found;
  }
  return nullptr;
}

const CauseTracker::Call* CauseTracker::find_call(const transcript::ToolResult& result) const {
  return find_call_in<const Call>(*this, result);
}
CauseTracker::Call* CauseTracker::find_call(const transcript::ToolResult& result) {
  return find_call_in<Call>(*this, result);
}

void CauseTracker::answer_call(const transcript::ToolResult& result, const Ref& ref) {
  Call* const call = find_call(result);
  if (call != nullptr) call->result = ref;
  const auto found =
      std::ranges::find_if(open_calls_, [&](const Call& open) { return &open == call; });
  if (found == open_calls_.end()) return;  // it came before its call, or for the second time
  if (!found->id.empty()) answered_calls_.push_back(std::move(*found));
  if (answered_calls_.size() > kAnsweredCalls) answered_calls_.pop_front();
  open_calls_.erase(found);
}

CauseTracker::Spawning CauseTracker::Call::spawning() const {
  return {.call = ref, .result = is_in_background ? std::nullopt : result};
}

std::optional<CauseTracker::Spawning> CauseTracker::note_spawning(std::string_view id,
                                                                  bool in_background) {
  if (id.empty()) return std::nullopt;
  Call* const call = find_call({.call_id = std::string(id)});
  if (call == nullptr) return std::nullopt;
  call->is_spawning = true;
  call->is_in_background = call->is_in_background || in_background;
  return call->spawning();
}

std::optional<CauseTracker::Spawning> CauseTracker::spawning(std::string_view id) const {
  if (id.empty()) return std::nullopt;
  const Call* call = find_call({.call_id = std::string(id)});
  if (call == nullptr || !call->is_spawning) return std::nullopt;
  return call->spawning();
}

void CauseTracker::add_prompt_edges(Causes& causes, std::string_view label) const {
  if (model_spoke_) return;
  // The person's text; otherwise their attachments; otherwise the program's text.
  for (const Kind kind : {Kind::human_input, Kind::human_attachment, Kind::program_input}) {
    for (const Ref& input : opening_) {
      if (input.kind == kind) causes.edges.push_back({"causes", input, label});
    }
    if (!causes.edges.empty()) return;
  }
}

Causes CauseTracker::of_thinking(Step& step) const {
  Causes causes;
  add_prompt_edges(causes, "prompt triggered reasoning");
  if (step.thinking) {
    causes.because.push_back(*step.thinking);
  } else {
    add_all(causes.because, step.news);
  }
  if (turn_thinking_) causes.edges.push_back({"sequence", *turn_thinking_, "continued reasoning"});
  for (const Ref& ref : causes.because) {
    if (ref.kind != Kind::tool_result) continue;
    causes.edges.push_back({"causes", ref, "result informed next reasoning"});
  }
  return causes;
}

Causes CauseTracker::of_response(const Step& step) const {
  Causes causes;
  add_prompt_edges(causes, "prompt triggered response");
  if (turn_thinking_) causes.because.push_back(*turn_thinking_);
  const bool thought_in_step =
      turn_thinking_ && step.thinking && step.thinking->cid == turn_thinking_->cid;
  if (!thought_in_step) add_all(causes.because, step.news);
  add_all(causes.because, opening_);
  for (const Ref& ref : causes.because) {
    if (ref.kind == Kind::thinking) {
      causes.edges.push_back({"causes", ref, "reasoning produced response"});
    } else if (ref.kind == Kind::tool_result) {
      causes.edges.push_back({"causes", ref, "result informed response"});
    }
  }
  return causes;
}

Causes CauseTracker::of_request(const Step& step) const {
  Causes causes;
  add_prompt_edges(causes, "prompt triggered tool call");
  if (step.thinking) {
    causes.because.push_back(*step.thinking);
  } else {
    add_all(causes.because, step.news);
    if (turn_thinking_) add_unless_there(causes.because, *turn_thinking_);
  }
  for (const Ref& ref : causes.because) {
    if (ref.kind != Kind::thinking) continue;
    causes.edges.push_back({"causes", ref, "reasoning led to tool call"});
  }
  return causes;
}

Causes CauseTracker::of_result(const transcript::ToolResult& result) const {
  Causes causes;
  causes.tool_name = result.name;
  if (const Call* call = find_call(result)) {
    causes.because.push_back(call->ref);
    if (causes.tool_name.empty()) causes.tool_name = call->name;
  } else if (last_) {
    causes.because.push_back(*last_);
  }
  return causes;
}

Causes CauseTracker::of_human(Kind kind) const {
  Causes causes{.because = prior_, .edges = {}, .tool_name = {}};
  if (kind == Kind::human_input) {
    for (const Ref& ref : prior_) {
      if (ref.kind != Kind::response) continue;
      causes.edges.push_back({"causes", ref, "response prompted next input"});
    }
  }
  return causes;
}

}  // namespace weft::weave
