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

json::object Trail::save() const {
  json::array runs;
  for (const Run& run : runs_) {
    json::array row{json::string(run.turn)};
    row.insert(row.end(), run.messages.begin(), run.messages.end());
    runs.push_back(std::move(row));
  }
  return {{"runs", std::move(runs)}, {"forgotten", has_forgotten_}};
}

bool Trail::restore(const json::object* state) {
  const json::array* runs = state == nullptr ? nullptr : find_array(*state, "runs");
  const auto forgotten = state == nullptr ? std::nullopt : find_bool(*state, "forgotten");
  if (runs == nullptr || !forgotten) return false;
  Trail restored;
  restored.has_forgotten_ = *forgotten;
  for (const json::value& value : *runs) {
    const json::array* row = value.if_array();
    if (row == nullptr || row->size() < 2 || !(*row)[0].is_string()) return false;
    Run run{std::string(view((*row)[0].get_string())), {}};
    for (std::size_t i = 1; i < row->size(); ++i) {
      if (!(*row)[i].is_int64()) return false;
      run.messages.push_back((*row)[i].get_int64());
    }
    restored.count_ += run.messages.size();
    restored.runs_.push_back(std::move(run));
  }
  if (restored.count_ > kMost) return false;
  *this = std::move(restored);
  return true;
}

}  // namespace weft::formats::gemini
