#include "weft/formats/adapters/gemini/trail.hpp"

#include <algorithm>
#include <utility>

#include "weft/formats/reading/text.hpp"

namespace weft::formats::gemini {
namespace {

std::int64_t number_of(std::string_view id) { return static_cast<std::int64_t>(hash_of(id)); }

}  // namespace

void Trail::add(std::string_view id, std::string_view turn) {
  if (find(id)) return;
  if (runs_.empty() || runs_.back().turn != turn) runs_.push_back({std::string(turn), {}});
  runs_.back().messages.push_back(number_of(id));
  if (++count_ <= kMost) return;
  has_forgotten_ = true;
  --count_;
  std::vector<std::int64_t>& oldest = runs_.front().messages;
  oldest.erase(oldest.begin());
  if (oldest.empty()) runs_.pop_front();
}

std::optional<std::string> Trail::find(std::string_view id) const {
  const std::int64_t hash = number_of(id);
  for (auto run = runs_.rbegin(); run != runs_.rend(); ++run) {
    if (std::ranges::find(run->messages, hash) != run->messages.end()) return run->turn;
  }
  return std::nullopt;
}

std::optional<std::string> Trail::rewind(std::string_view id) {
  const std::int64_t hash = number_of(id);
  const bool is_known = find(id).has_value();
  if (!is_known && has_forgotten_) return std::nullopt;
  while (!runs_.empty()) {
    std::vector<std::int64_t>& messages = runs_.back().messages;
    const bool is_last = is_known && messages.back() == hash;
    messages.pop_back();
    --count_;
    if (messages.empty()) runs_.pop_back();
    if (is_last) break;
  }
  if (!runs_.empty()) return runs_.back().turn;
  return has_forgotten_ ? std::nullopt : std::optional(std::string());
}

json::value write_value(const Trail::Run& run) {
  json::array row{json::string(run.turn)};
  row.insert(row.end(), run.messages.begin(), run.messages.end());
  return row;
}

StateFit read_value(const json::value& from, Trail::Run& run) {
  const json::array* row = from.if_array();
  if (row == nullptr) return StateFit::other_kind;
  if (row->size() < 2 || weft::read_value((*row)[0], run.turn) != StateFit::fits) {
    return StateFit::refused;
  }
  for (std::size_t i = 1; i < row->size(); ++i) {
    if (weft::read_value((*row)[i], run.messages.emplace_back()) != StateFit::fits) {
      return StateFit::refused;
    }
  }
  return StateFit::fits;
}

void Trail::archive(StateArchive& a) {
  a.field("runs", runs_);
  a.field("forgotten", has_forgotten_);
  count_ = 0;
  for (const Run& run : runs_) count_ += run.messages.size();
  a.check(count_ <= kMost);
}

}  // namespace weft::formats::gemini
