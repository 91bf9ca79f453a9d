// CallEdits: what one tool call changed in files, as the index of edits keeps it: without the
// texts. The one rule for it, for commits, recounts and checks alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/edits/edit.hpp"
#include "weft/store/searchable.hpp"
#include "weft/thought/thought.hpp"

namespace weft::store {

// edits::Edit, with the hashes of the lines that it wrote in place of texts.
struct CallEdit {
  edits::Edit::Kind kind = edits::Edit::Kind::change;
  std::string path{};        // as the call names it
  std::string moved_from{};  // of a move
  bool is_user_modified = false;
  std::vector<std::uint32_t> lines{};  // edits::written_lines

  friend bool operator==(const CallEdit&, const CallEdit&) = default;
};

enum class CallPart : std::uint8_t { none, request, result };
// Which part of a tool call thoughts of this type are.
CallPart call_part(std::string_view type);

// A thought, and those of its layers that are open.
struct OpenBlock {
  const thought::Thought& thought;
  const OpenLayers& layers;
};

// Whether the arguments of a request state an edit, whatever its result says.
bool states_edits(const OpenBlock& request);
// The edits of a call, in order. None if its result is an error.
std::vector<CallEdit> edits_of_call(const OpenBlock& request,
                                    const std::optional<OpenBlock>& result);

// A call with the result that came in the same commit.
struct CallEdits {
  std::optional<Cid> result{};
  std::vector<CallEdit> edits{};
};
// The calls of a commit, for each of its thoughts: of a request whose arguments state an edit.
// `layers` are those of the thoughts, in their order.
std::vector<std::optional<CallEdits>> prepare_calls(const std::vector<thought::Thought>& thoughts,
                                                    const std::vector<OpenLayers>& layers);

// The last component of a path: what the index finds conversations by. Of "/" it is empty.
std::string_view file_name_of(std::string_view path);

}  // namespace weft::store
