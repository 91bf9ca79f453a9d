#include "weft/formats/writing/dialogue.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace weft::formats {
namespace {

using transcript::Block;
using transcript::ToolCall;
using transcript::ToolResult;
using Message = Dialogue::Message;
using AuthoredBlock = Dialogue::AuthoredBlock;

// A message being laid out, with the answers to its calls.
struct Draft {
  Message message{};
  struct Call {
    std::string id, name;
    const Block* result = nullptr;
  };
  std::vector<Call> calls{};
  bool is_closed = false;  // answers came: the assistant's next block begins another message
};

class Layout {
 public:
  Layout(const DialogueRules& rules, const transcript::Conversation& conversation) : rules_(rules) {
    // Ids that are used as they are: made-up ones must differ from them.
    for (const transcript::Turn& turn : conversation.turns) {
      for (const Block& block : turn.blocks) {
        if (const auto* call = std::get_if<ToolCall>(&block.body)) given_.insert(call->id);
      }
    }
  }

  void add(const Block& block, transcript::Role turn) {
    const bool is_inside = rules_.stays && rules_.stays(block);
    const auto* result = std::get_if<ToolResult>(&block.body);
    if (result != nullptr && !is_inside) {
      answer(block, *result);
      return;
    }
    const Side side = rules_.side_of(block, turn);
    if (side == Side::nowhere) return;
    if (side == Side::system) {
      out_.system.push_back(&block);
      return;
    }
    Draft& draft = draft_for(side);
    AuthoredBlock authored{.block = &block};
    if (const auto* call = std::get_if<ToolCall>(&block.body)) {
      authored.call_id = fresh_id(call->id);
      if (is_inside) inside_[call->id] = authored.call_id;
      else open(draft, *call, authored.call_id);
    } else if (const auto hidden = rules_.call_in ? rules_.call_in(block) : std::nullopt) {
      used_.insert(hidden->id);
      open(draft, *hidden, hidden->id);
    }
    if (result != nullptr) {
      const auto found = inside_.find(result->call_id);
      authored.call_id = found == inside_.end() ? result->call_id : found->second;
    }
    draft.message.blocks.push_back(std::move(authored));
  }

  Dialogue take() {
    for (Draft& draft : drafts_) {
      std::vector<AuthoredBlock> answers;
      for (const Draft::Call& call : draft.calls) {
        if (call.result == nullptr) ++out_.unanswered;
        answers.push_back({call.result, call.id});
      }
      put(std::move(draft.message));
      if (!answers.empty()) put({.side = Side::user, .blocks = std::move(answers)});
    }
    return std::move(out_);
  }

 private:
  void put(Message message) {
    auto& messages = out_.messages;
    if (!messages.empty() && messages.back().side == message.side && message.side != Side::apart) {
      std::ranges::move(message.blocks, std::back_inserter(messages.back().blocks));
    } else {
      messages.push_back(std::move(message));
    }
  }

  Draft& draft_for(Side side) {
    const bool goes_on = !drafts_.empty() && drafts_.back().message.side == side &&
                         side != Side::apart && !drafts_.back().is_closed;
    if (!goes_on) drafts_.push_back({.message = {.side = side}});
    return drafts_.back();
  }

  void open(Draft& draft, const ToolCall& call, const std::string& id) {
    waiting_[call.id].push_back({drafts_.size() - 1, draft.calls.size()});
    draft.calls.push_back({.id = id, .name = call.name});
  }

  // The call that waits for it: of its id, the first in the last message that has some; where
  // there are no ids, the first of its name, or the first of all.
  Draft::Call* waiting_for(const ToolResult& result) {
    const auto found = waiting_.find(result.call_id);
    if (found == waiting_.end() || found->second.empty()) return nullptr;
    std::vector<Place>& places = found->second;
    std::size_t at = places.size() - 1;
    while (at > 0 && places[at - 1].draft == places[at].draft) --at;
    if (result.call_id.empty()) {
      const auto named = std::ranges::find_if(
          places, [&](const Place& place) { return call_at(place).name == result.name; });
      at = named == places.end() ? 0 : static_cast<std::size_t>(named - places.begin());
    }
    const Place place = places[at];
    places.erase(places.begin() + static_cast<std::ptrdiff_t>(at));
    drafts_[place.draft].is_closed = true;
    return &call_at(place);
  }

  void answer(const Block& block, const ToolResult& result) {
    if (Draft::Call* call = waiting_for(result)) call->result = &block;
    else ++out_.stray;
  }

  std::string fresh_id(std::string_view given) {
    std::string id = plain_name(given, rules_.id_bytes);
    const auto is_free = [&] {
      return !id.empty() && (id == given || !given_.contains(id)) && used_.insert(id).second;
    };
    while (!is_free()) id = "call_" + std::to_string(++made_);
    return id;
  }

  struct Place {
    std::size_t draft, call;
  };
  Draft::Call& call_at(const Place& place) { return drafts_[place.draft].calls[place.call]; }

  const DialogueRules& rules_;
  Dialogue out_;
  std::vector<Draft> drafts_;
  std::map<std::string, std::vector<Place>> waiting_;  // by the id that the source gives
  std::map<std::string, std::string> inside_;          // ids of calls that stay
  std::set<std::string, std::less<>> given_, used_;
  std::size_t made_ = 0;
};

}  // namespace

Dialogue lay_out(const transcript::Conversation& conversation, const DialogueRules& rules) {
  Layout layout(rules, conversation);
  for (const transcript::Turn& turn : conversation.turns) {
    for (const Block& block : turn.blocks) layout.add(block, turn.head.role);
  }
  return layout.take();
}

std::string plain_name(std::string_view name, std::size_t most) {
  std::string plain;
  for (const char letter : name.substr(0, most)) {
    const bool is_plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                          (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
    plain += is_plain ? letter : '_';
  }
  return plain;
}

std::vector<std::string> Notes::lines() const {
  std::vector<std::string> lines;
  for (const auto& [what, times] : counts_) lines.push_back(std::to_string(times) + " × " + what);
  return lines;
}

}  // namespace weft::formats
