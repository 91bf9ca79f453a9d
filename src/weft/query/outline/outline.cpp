#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "weft/base/try.hpp"
#include "weft/query/ask/behind.hpp"
#include "weft/query/outline/branches.hpp"
#include "weft/query/outline/outline_selection.hpp"
#include "weft/query/questions.hpp"
#include "weft/thought/thought.hpp"

namespace weft::query {
namespace {

using store::BlockFacts;
using store::Handle;

// On the wire: the bits of the column `flags`, from the lowest.
constexpr std::string_view kFlagNames[] = {"error", "withheld", "superseded", "sealed", "branch"};

std::uint64_t flags_of(const BlockFacts& facts, bool is_superseded, bool is_other_branch) {
  const bool flags[] = {facts.stated.is_error, facts.stated.is_withheld, is_superseded,
                        facts.is_closed, is_other_branch};
  static_assert(std::size(flags) == std::size(kFlagNames));
  std::uint64_t sum = 0;
  for (std::size_t bit = 0; bit < std::size(flags); ++bit) {
    if (flags[bit]) sum |= std::uint64_t{1} << bit;
  }
  return sum;
}

// About what a block takes in the answer, and the rest of it.
constexpr std::size_t kRowBytes = 200, kAnswerBytes = 4096;

// Names in the order in which they were first asked for.
class NameList {
 public:
  std::size_t index_of(std::string_view name) {
    const auto known = numbers_.find(name);
    if (known != numbers_.end()) return known->second;
    names_.emplace_back(name);
    return numbers_.emplace(name, numbers_.size()).first->second;
  }
  json::array take() { return std::move(names_); }

 private:
  std::map<std::string, std::size_t, std::less<>> numbers_;
  json::array names_;
};

template <class Number>
void append(json::array& column, const std::optional<Number>& number) {
  if (number) column.emplace_back(*number);
  else column.emplace_back(nullptr);
}

// Finds the ordinals of causes.
class Ordinals {
 public:
  explicit Ordinals(const OutlineSelection& selection) {
    places_.reserve(selection.entries.size());
    for (std::uint64_t i = 0; i < selection.entries.size(); ++i) {
      places_.push_back({selection.entries[i].block, i});
    }
    // Handles mostly grow in reading order.
    if (!std::ranges::is_sorted(places_)) std::ranges::sort(places_);
  }
  // The nearest place of a block before `ordinal`, or else its first one.
  std::optional<std::uint64_t> find(Handle block, std::uint64_t ordinal) const {
    const auto at = std::ranges::lower_bound(places_, Place{block, ordinal});
    if (at != places_.begin() && std::prev(at)->block == block) return std::prev(at)->ordinal;
    if (at != places_.end() && at->block == block) return at->ordinal;
    return std::nullopt;
  }

 private:
  struct Place {
    Handle block = 0;
    std::uint64_t ordinal = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  std::vector<Place> places_;
};

class Columns {
 public:
  // Of so many rows. All of it is in `memory`.
  Columns(const Library& library, const OutlineSelection& selection, std::size_t rows,
          const json::storage_ptr& memory)
      : library_(library),
        selection_(selection),
        ordinals_(selection),
        kind_(memory),
        time_(memory),
        duration_(memory),
        length_(memory),
        tool_(memory),
        flags_(memory),
        turn_(memory),
        causes_(memory),
        elsewhere_(memory) {
    for (json::array* column :
         {&kind_, &time_, &duration_, &length_, &tool_, &flags_, &turn_, &causes_}) {
      column->reserve(rows);
    }
  }

  Status add(std::uint64_t ordinal, const BlockFacts& facts) {
    const store::OutlineEntry& entry = selection_.entries[ordinal];
    const std::string_view kind = thought::kind_of(facts.type);
    if (kind == "tool_request") note_call(entry.block, facts);
    WEFT_TRY_VALUE(const auto duration, duration_of(kind, facts));
    kind_.emplace_back(kinds_.index_of(kind));
    time_.emplace_back(facts.created_at);
    append(duration_, duration);
    append(length_, facts.stated.chars);
    if (facts.stated.tool) tool_.emplace_back(tools_.index_of(*facts.stated.tool));
    else tool_.emplace_back(nullptr);
    flags_.emplace_back(flags_of(facts, entry.is_superseded, selection_.is_other_branch(entry)));
    turn_.emplace_back(selection_.sequence_of(entry));
    closed_ += facts.is_closed ? 1 : 0;
    json::array& distances = causes_.emplace_back(json::array_kind).get_array();
    distances.reserve(facts.causes.size());
    for (const Handle cause : facts.causes) {
      if (const auto found = ordinals_.find(cause, ordinal)) {
        distances.emplace_back(static_cast<std::int64_t>(ordinal) -
                               static_cast<std::int64_t>(*found));
        continue;
      }
      WEFT_TRY_VALUE(const auto cid, library_.web.cid_of(cause));
      elsewhere_.push_back(json::object{{"ordinal", ordinal}, {"cid", cid.str()}});
    }
    return {};
  }

  void finish(json::object& answer) {
    answer["kinds"] = kinds_.take();
    answer["tools"] = tools_.take();
    answer["flags"] = json::array(std::begin(kFlagNames), std::end(kFlagNames));
    // One by one: a list of them would be copied.
    json::object& columns = answer["columns"].emplace_object();
    columns["kind"] = std::move(kind_);
    columns["time"] = std::move(time_);
    columns["duration_ms"] = std::move(duration_);
    columns["length"] = std::move(length_);
    columns["tool"] = std::move(tool_);
    columns["flags"] = std::move(flags_);
    columns["turn"] = std::move(turn_);
    columns["causes"] = std::move(causes_);
    answer["elsewhere"] = std::move(elsewhere_);
    if (closed_ == 0) return;
    answer["sealed"] = closed_;
    answer["notes"] = json::array{std::to_string(closed_) +
                                  " of these blocks have layers that the keyring does not open; "
                                  "what only those state is null"};
  }

 private:
  // A result took the time since its call.
  Result<std::optional<std::int64_t>> duration_of(std::string_view kind, const BlockFacts& facts) {
    if (facts.stated.duration_ms || kind != "tool_result" || facts.causes.empty()) {
      return facts.stated.duration_ms;
    }
    const Handle call = facts.causes.front();
    if (!calls_.contains(call)) {
      // It stands before the piece that was asked for, or in another conversation.
      const Status read = library_.web.each_facts(
          {&call, 1}, library_.keyring, [&](const BlockFacts& other) { note_call(call, other); });
      if (!read && read.error().code != ErrorCode::not_found) return fail(Error(read.error()));
    }
    const auto called = calls_.find(call);
    if (called == calls_.end() || called->second == 0) return std::nullopt;
    return std::max<Millis>(0, facts.created_at - called->second);
  }
  void note_call(Handle block, const BlockFacts& facts) {
    calls_[block] = thought::kind_of(facts.type) == "tool_request" ? facts.created_at : 0;
  }

  const Library& library_;
  const OutlineSelection& selection_;
  Ordinals ordinals_;
  NameList kinds_, tools_;
  std::unordered_map<Handle, Millis> calls_;  // the times of tool calls; 0: it is none
  json::array kind_, time_, duration_, length_, tool_, flags_, turn_, causes_, elsewhere_;
  std::uint64_t closed_ = 0;
};

}  // namespace

Result<json::object> outline(const Library& library, const store::ConversationRow& conversation,
                             const OutlineOptions& options) {
  WEFT_TRY_VALUE(const auto selection,
                 select_outline(library, conversation, options.branch, options.all));
  const std::uint64_t count = selection.entries.size();
  const std::uint64_t begin = std::min(options.from, count);
  const std::uint64_t end = begin + std::min(options.limit, count - begin);
  // A long outline is allocated and released at once.
  const json::storage_ptr memory = memory_for_json((end - begin) * kRowBytes + kAnswerBytes);
  Columns columns(library, selection, end - begin, memory);
  const auto entries = std::span(selection.entries).subspan(begin, end - begin);
  std::uint64_t ordinal = begin;
  Status added;
  WEFT_TRY(library.web.outline_facts(selection.outline, entries, library.keyring,
                                     [&](const BlockFacts& facts) {
                                       if (added) added = columns.add(ordinal, facts);
                                       ++ordinal;
                                     }));
  if (!added) return fail(std::move(added).error());
  json::object answer(
      {{"conversation_cid", conversation.cid.str()}, {"count", count}, {"from", begin}}, memory);
  columns.finish(answer);
  note_behind(answer, selection.rows());
  return answer;
}

}  // namespace weft::query
