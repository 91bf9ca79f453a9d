// IndexPages in memory.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

#include "weft/store/inverted/index_pages.hpp"

namespace weft::store::sql {

class MemoryPages final : public IndexPages {
 public:
  using Place = std::tuple<std::int64_t, PageKind, std::string>;
  // Tests look at all of it and may damage it.
  std::map<std::int64_t, IndexRun> all_runs;
  std::map<Place, std::string> all_pages;

  Result<std::vector<IndexRun>> runs(Index index) override {
    std::vector<IndexRun> out;
    for (const auto& [number, run] : all_runs) {
      if (run.index == index) out.push_back(run);
    }
    std::ranges::sort(
        out, {}, [](const IndexRun& run) { return std::tuple(run.first, ~run.level, run.number); });
    return out;
  }
  Result<std::int64_t> add_run(const IndexRun& run) override {
    const std::int64_t number = all_runs.empty() ? 1 : all_runs.rbegin()->first + 1;
    all_runs[number] = run;
    all_runs[number].number = number;
    return number;
  }
  Status remove_run(std::int64_t run) override {
    all_runs.erase(run);
    all_pages.erase(all_pages.lower_bound({run, PageKind::terms, ""}),
                    all_pages.lower_bound({run + 1, PageKind::terms, ""}));
    return {};
  }
  Status put_page(std::int64_t run, PageKind kind, std::string_view key,
                  std::string_view body) override {
    if (all_pages.try_emplace({run, kind, std::string(key)}, body).second) return {};
    return fail(ErrorCode::internal, "there is a page with this key");
  }
  Status drop_pages(std::int64_t run, PageKind kind, std::string_view below) override {
    all_pages.erase(all_pages.lower_bound({run, kind, ""}),
                    all_pages.lower_bound({run, kind, std::string(below)}));
    return {};
  }
  Status each_page(Index index, std::string_view from, std::string_view to,
                   const VisitPage& visit) override {
    const std::vector<IndexRun> ordered = runs(index).value();
    for (const IndexRun& run : ordered) {
      for (auto at = last_not_above({run.number, PageKind::terms, std::string(from)});
           is_of(run.number, PageKind::terms, at) && std::get<2>(at->first) < to; ++at) {
        if (Status status = visit(run, std::get<2>(at->first), at->second); !status) return status;
      }
    }
    return {};
  }
  Result<std::vector<IndexPage>> read_pages(std::int64_t run, PageKind kind, std::string_view from,
                                            std::size_t most) override {
    std::vector<IndexPage> out;
    for (auto at = last_not_above({run, kind, std::string(from)});
         out.size() < most && is_of(run, kind, at); ++at) {
      out.push_back({std::get<2>(at->first), at->second});
    }
    return out;
  }

 private:
  using At = std::map<Place, std::string>::iterator;
  bool is_of(std::int64_t run, PageKind kind, At at) const {
    return at != all_pages.end() && std::get<0>(at->first) == run && std::get<1>(at->first) == kind;
  }
  // The last page of this run and kind whose key is not above; else the first one.
  At last_not_above(const Place& place) {
    const At after = all_pages.upper_bound(place);
    if (after == all_pages.begin()) return after;
    const At before = std::prev(after);
    return is_of(std::get<0>(place), std::get<1>(place), before) ? before : after;
  }
};

}  // namespace weft::store::sql
