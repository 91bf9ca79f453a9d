#include "weft/ingest/run/run_report.hpp"

#include <algorithm>
#include <iterator>

namespace weft::ingest {
namespace {

// Above this many skipped records in all, one entry stands for the others of its file and reason.
constexpr std::size_t kListedSkips = 20'000;

}  // namespace

void RunReport::advance(std::uint64_t bytes) {
  if (is_first_round_) progress_.bytes += bytes;
  if (on_progress_) on_progress_(progress_);
}

void RunReport::finish_file() {
  if (is_first_round_) ++progress_.files;
  advance(0);
}

void RunReport::skip(const std::string& file, std::uint64_t line, std::string reason) {
  if (is_first_round_) report_.skipped.push_back({file, line, std::move(reason)});
}

void RunReport::add(const weave::Weaver::Report& weaver, const std::string& file) {
  if (!is_first_round_) return;
  std::vector<Skipped> listed;
  for (const auto& [reason, skips] : weaver.skipped) {
    const bool list_all = report_.skipped.size() < kListedSkips;
    const std::size_t many = list_all ? skips.lines.size() : 1;
    for (std::size_t i = 0; i < many; ++i) listed.push_back({file, skips.lines[i], reason});
    listed.back().count += skips.count - many;
  }
  std::ranges::stable_sort(listed, {}, &Skipped::line);
  std::ranges::move(listed, std::back_inserter(report_.skipped));
  if (weaver.repairs > 0) {
    report_.warnings.push_back(file + ": " + std::to_string(weaver.repairs) +
                               " broken characters were replaced by U+FFFD");
  }
}

void RunReport::add_conversations(const std::vector<Cid>& conversations) {
  for (const Cid& cid : conversations) {
    if (listed_.insert(cid).second) report_.conversations.push_back({.cid = cid});
  }
}

void RunReport::count_files(std::uint64_t count, std::uint64_t bytes) {
  if (!is_first_round_) return;
  report_.files += count;
  report_.bytes += bytes;
}

void RunReport::count_unchanged() {
  if (is_first_round_) ++report_.unchanged;
}

Report RunReport::take(const std::map<Cid, std::uint64_t>& new_thoughts) {
  for (IngestedConversation& conversation : report_.conversations) {
    const auto found = new_thoughts.find(conversation.cid);
    conversation.new_thoughts = found == new_thoughts.end() ? 0 : found->second;
    report_.new_thoughts += conversation.new_thoughts;
  }
  return std::move(report_);
}

}  // namespace weft::ingest
