// The model requests of conversations, one conversation after another: from their rows, or computed
// where one is missing.
#include <algorithm>
#include <numeric>

#include "weft/base/try.hpp"
#include "weft/store/sql/late/catalogue_table.hpp"
#include "weft/store/sql/late/request_table.hpp"
#include "weft/store/sql/read/reader.hpp"

namespace weft::store::sql {
namespace {

// Moves what is stated to `out`, whose memory it takes in exchange.
void set_requests(ConversationRequests& out, StatedRequests& stated, const ModelNames& models) {
  out.is_sealed = stated.unopened > 0;
  out.requests.clear();
  bool is_merged = stated.is_merged;
  for (std::size_t i = 0; i < kPortions; ++i) {
    out.is_sealed = out.is_sealed || stated.is_closed[i];
    if (out.requests.empty()) {
      std::swap(out.requests, stated.portions[i]);
    } else if (!stated.portions[i].empty()) {
      std::ranges::copy(stated.portions[i], std::back_inserter(out.requests));
      is_merged = false;
    }
  }
  if (!is_merged) merge_statements(out.requests, models);
}

}  // namespace

Result<std::vector<std::size_t>> Reader::oldest_first(const std::vector<ListedRow>& rows) const {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto created_at = [&](std::size_t i) { return rows[i].row.created_at; };
  // They mostly came in that order.
  if (!std::ranges::is_sorted(order, {}, created_at)) std::ranges::sort(order, {}, created_at);
  // CIDs are looked up for those of one moment alone.
  for (auto begin = order.begin(); begin != order.end();) {
    const auto end = std::find_if(
        begin, order.end(), [&](std::size_t i) { return created_at(i) != created_at(*begin); });
    std::vector<std::pair<Cid, std::size_t>> named;
    for (auto at = begin; end - begin > 1 && at != end; ++at) {
      WEFT_TRY_VALUE(const Cid cid, names_.cid(rows[*at].id));
      named.emplace_back(cid, *at);
    }
    std::ranges::sort(named);
    std::ranges::transform(named, begin, &std::pair<Cid, std::size_t>::second);
    begin = end;
  }
  return order;
}

// The sums of the conversations that may come as sums. Conversations have their numbers in the
// list.
class Reader::UsableSums {
 public:
  explicit UsableSums(std::size_t conversations)
      : repeated_(conversations), ranges_(conversations) {}

  // Adds sums of a conversation. Those of one come together.
  void add(std::size_t conversation, const RequestSums& more, bool is_usable) {
    Range& range = ranges_[conversation];
    if (!range.is_known) range = {.begin = sums_.size(), .is_known = true, .is_usable = true};
    for (const std::uint32_t name : more.names) {
      repeated_.add(name, static_cast<std::uint32_t>(conversation));
    }
    sums_.insert(sums_.end(), more.sums.begin(), more.sums.end());
    range.end = sums_.size();
    range.is_usable = range.is_usable && is_usable;
  }
  // Its sums leave something out.
  void take_back(std::size_t conversation) { ranges_[conversation] = {}; }
  bool is_known(std::size_t conversation) const { return ranges_[conversation].is_known; }

  // Empty if its requests have to be read, or it has none. Precondition: all are known.
  std::span<const RequestSum> of(std::size_t conversation) const {
    const Range& range = ranges_[conversation];
    if (!range.is_usable || repeated_.is_repeated(conversation)) return {};
    return std::span(sums_).subspan(range.begin, range.end - range.begin);
  }

 private:
  struct Range {
    std::size_t begin = 0, end = 0;
    bool is_known = false, is_usable = false;
  };
  RepeatedNames repeated_;
  std::vector<Range> ranges_;
  std::vector<RequestSum> sums_;
};

// Precondition: `listed` are all conversations, by id.
Result<Reader::UsableSums> Reader::read_sums(const RequestsRequest& request,
                                             const std::vector<ListedRow>& listed,
                                             ModelNames& models) {
  UsableSums usable(listed.size());
  WEFT_TRY_VALUE(const LateState state, late_state(database_, request_table()));
  // While some are behind, sums may be left of another version.
  Rows rows = state.done == state.all
                  ? database_.query(
                        "SELECT conversation, unopened, page, clear, metadata, content "
                        "FROM request_sums ORDER BY conversation, page")
                  : database_.query(
                        "SELECT conversation, unopened, page, clear, metadata, content "
                        "FROM request_sums WHERE conversation IN "
                        "(SELECT conversation FROM requests) "
                        "ORDER BY conversation, page");
  std::size_t at = 0;
  RequestSums read;
  while (rows.next()) {
    const Id id = rows.integer(0);
    while (at < listed.size() && listed[at].id < id) ++at;
    if (at == listed.size()) break;
    if (listed[at].id != id) continue;
    // What the writer of the row could not open, this keyring may.
    if (rows.integer(1) != 0) {
      usable.take_back(at);
      continue;
    }
    read.names.clear();
    read.sums.clear();
    WEFT_TRY_VALUE(const bool is_open,
                   read_request_sums(request.keyring, id, rows, 2, models, read));
    usable.add(at, read, is_open && std::ranges::all_of(read.sums, request.takes_sum));
  }
  WEFT_TRY(rows.status());
  LateContext with = late(request.keyring);
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (usable.is_known(i)) continue;
    WEFT_TRY_VALUE(const StatedRequests stated, read_usage_thoughts(with, listed[i].id, models));
    for (const auto& portion : stated.portions) usable.add(i, add_up(portion), false);
  }
  return usable;
}

Result<RowsRead> Reader::each_requests(const RequestsRequest& request, ModelNames& models,
                                       const std::function<Status(ConversationRequests&)>& visit) {
  WEFT_TRY_VALUE(auto listed, list_rows(request.filter));
  WEFT_TRY_VALUE(const auto order, oldest_first(listed));
  RowsRead read{.all = listed.size()};
  WEFT_TRY_VALUE(const bool has_requests, has_late_table(database_, request_table()));
  UsableSums sums(listed.size());
  const bool is_about_all = !request.filter.format && !request.filter.session_id;
  if (request.takes_sum && has_requests && is_about_all) {
    WEFT_TRY_VALUE(sums, read_sums(request, listed, models));
  }
  RowSeeker table = has_requests ? RowSeeker(database_,
                                             "SELECT conversation, pages, unopened, clear, "
                                             "metadata, content FROM requests "
                                             "WHERE conversation >= ? ORDER BY conversation")
                                 : RowSeeker();
  WEFT_TRY_VALUE(RowSeeker catalogue, seek_catalogue());
  LateContext with = late(request.keyring);
  ConversationRequests one;
  StatedRequests stated;
  const auto read_requests = [&](Id id) -> Result<bool> {
    WEFT_TRY_VALUE(bool was_there, table.find(id));
    if (was_there) {
      WEFT_TRY(read_request_row(database_, request.keyring, id, table.row(), 1, models, stated));
    }
    // What the writer of the row could not open, this keyring may.
    if (!was_there || stated.unopened > 0) {
      WEFT_TRY_VALUE(stated, read_usage_thoughts(with, id, models));
    }
    set_requests(one, stated, models);
    one.stated.reset();
    if (!one.requests.empty()) return was_there;
    WEFT_TRY_VALUE(const bool is_listed, catalogue.find(id));
    WEFT_TRY_VALUE(one.stated, read_usage(id, request.keyring,
                                          is_listed ? &catalogue.row() : nullptr, was_there));
    return was_there;
  };
  std::uint64_t visited = 0;
  for (const std::size_t at : order) {
    const Id id = listed[at].id;
    one.row = std::move(listed[at].row);
    if (request.with_names) {
      WEFT_TRY_VALUE(const bool is_listed, catalogue.find(id));
      std::optional<CatalogueNames> known;
      if (is_listed) {
        WEFT_TRY_VALUE(known, read_catalogue_names(catalogue.row(), 1));
      }
      WEFT_TRY(name_row(id, known ? &*known : nullptr, one.row));
    }
    one.sums = sums.of(at);
    bool was_there = true;
    if (one.sums.empty()) {
      WEFT_TRY_VALUE(was_there, read_requests(id));
    } else {
      one.requests.clear();
      one.is_sealed = false;
      one.stated.reset();
    }
    read.done += was_there ? 1 : 0;
    WEFT_TRY(visit(one));
    if (request.go_on && !request.go_on(++visited, listed.size())) {
      return fail(ErrorCode::unavailable, "the answer was called off");
    }
  }
  return read;
}

Result<RowSeeker> Reader::seek_catalogue() {
  WEFT_TRY_VALUE(const bool has_catalogue, has_late_table(database_, catalogue_table()));
  if (!has_catalogue) return RowSeeker();
  return RowSeeker(database_,
                   "SELECT conversation, parent, clear, metadata, content FROM catalogue "
                   "WHERE conversation >= ? ORDER BY conversation");
}

}  // namespace weft::store::sql
