// Report: what a keeper says of its work. It stands on the server, for other processes, and has no
// text of any thought.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/json.hpp"
#include "weft/base/time.hpp"
#include "weft/keep/carry_out.hpp"
#include "weft/query/verify/check_ranges.hpp"
#include "weft/store/upkeep.hpp"

namespace weft::keep {

// May be used from any thread.
class Report {
 public:
  static constexpr std::size_t kMostFindings = 1'000, kMostForgotten = 100;

  explicit Report(std::string label) : label_(std::move(label)) {}

  // Goes on where the keeper before was. Anything but such a report is ignored.
  void resume(std::string_view text);
  void begin(Millis now);  // this process is the keeper from now on

  // How far it has checked. `behind` rows are left.
  void set_mark(const store::AddedMark& mark, std::uint64_t behind);
  store::AddedMark mark() const;
  void add_checked(std::uint64_t rows);
  void end_round();  // everything was checked once more
  // What was found in a range, instead of what was found in the same range before. The new ones
  // among them.
  std::vector<query::RangeFinding> set_findings(const store::ScanRange& range,
                                                const std::vector<query::RangeFinding>& found);
  std::vector<store::ScanRange> ranges_with_findings() const;
  std::size_t count_findings() const;

  void add(const CarriedOut& done, Millis now);
  void set_waiting(std::vector<CarriedOut> waiting);
  void set_wiped(bool is_wiped);
  void set_merged(Millis now);
  void set_analyzed(Millis now);
  void set_error(std::string message);  // empty: there is none

  std::string text() const;  // as it stands on the server

 private:
  const std::string label_;
  mutable std::mutex mutex_;  // guards all below
  Millis since_ = 0;
  store::AddedMark mark_{};
  std::uint64_t behind_ = 0, checked_ = 0, rounds_ = 0;
  struct Found {
    query::RangeFinding::Kind kind{};
    std::array<std::int64_t, 2> range{};
  };
  std::map<Cid, Found> findings_;
  std::deque<json::object> forgotten_;  // the newest first
  std::vector<CarriedOut> waiting_;
  bool is_wiped_ = true;
  std::optional<Millis> merged_at_, analyzed_at_;
  std::string error_;
};

// The members of an answer (keeper.hpp) out of the note on the server.
json::object to_answer(const std::optional<store::KeeperNote>& note);

}  // namespace weft::keep
