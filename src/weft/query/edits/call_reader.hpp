// CallReader: the edits that the tool calls of conversations made, in the order of `walk`. It
// enters the subagents that a call spawned.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/query/ask/foreigners.hpp"
#include "weft/query/library.hpp"
#include "weft/query/query_control.hpp"

namespace weft::query {

// An edit, and the call that made it.
struct MadeEdit {
  edits::Edit edit;
  std::size_t number = 0;  // of its file among those that the call changed
  Cid conversation, request;
  std::optional<Cid> result{};  // empty if none is known: whether the edit was made is not, either
  Millis time = 0;
};

class CallReader {
 public:
  using OnEdit = std::function<void(MadeEdit)>;
  // Both outlive it.
  CallReader(const Library& library, const QueryControl& control, OnEdit on_edit)
      : library_(library), control_(control), on_edit_(std::move(on_edit)), foreigners_(library) {}

  // Reads a conversation: all of it, or only the exchange that holds `block`, from the words of a
  // person to the next. not_found if the block is not in it.
  Status read(const store::ConversationRow& conversation, const std::optional<Cid>& block = {});

  std::size_t sealed() const { return sealed_; }  // calls that the keyring does not open

 private:
  struct Request {
    json::object thought;  // as `walk` shows it
    Cid cid;
    Millis time = 0;
  };
  Status read_turn(const json::object& turn);
  Status take(const json::object& thought);
  Status enter_subagents(const Cid& request);
  void finish(const Request& request, const json::object* result);
  void finish_all();

  const Library& library_;
  const QueryControl& control_;
  OnEdit on_edit_;
  Foreigners foreigners_;
  Cid conversation_{};               // that is being read
  std::vector<Request> open_;        // requests whose results have not come
  std::unordered_set<Cid> entered_;  // conversations
  std::size_t sealed_ = 0;
};

}  // namespace weft::query
