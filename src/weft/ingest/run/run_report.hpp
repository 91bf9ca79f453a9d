// The report and the progress of one ingest run. Files that conflict with another writer are read
// again in later rounds; only the first round counts and lists anything.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/ingest/ingest.hpp"
#include "weft/weave/weaver.hpp"

namespace weft::ingest {

// For the thread that runs the ingest alone.
class RunReport {
 public:
  // `on_progress` may be null and outlives it.
  explicit RunReport(const std::function<void(const Progress&)>& on_progress)
      : on_progress_(on_progress) {}

  void begin_round(int round) { is_first_round_ = round == 0; }

  // Totals of the progress, set before the first round.
  void expect_files(std::uint64_t files) { progress_.files_total = files; }
  void expect_bytes(std::uint64_t bytes) { progress_.bytes_total += bytes; }
  // Both call `on_progress`.
  void advance(std::uint64_t bytes);
  void finish_file();

  // `line` 0 stands for the file as a whole.
  void skip(const std::string& file, std::uint64_t line, std::string reason);
  // What weaving `file` skipped and repaired.
  void add(const weave::Weaver::Report& weaver, const std::string& file);
  // Lists conversations that were not listed before.
  void add_conversations(const std::vector<Cid>& conversations);
  // Of `count` read files that are in the web, `bytes` were read.
  void count_files(std::uint64_t count, std::uint64_t bytes);
  void count_unchanged();

  void stop() { report_.stopped = true; }
  bool is_stopped() const { return report_.stopped; }

  // The report, with the number of new thoughts by conversation. The last call.
  Report take(const std::map<Cid, std::uint64_t>& new_thoughts);

 private:
  const std::function<void(const Progress&)>& on_progress_;
  bool is_first_round_ = true;
  Report report_;
  Progress progress_;
  std::set<Cid> listed_;
};

}  // namespace weft::ingest
