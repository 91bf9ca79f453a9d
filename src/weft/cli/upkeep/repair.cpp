#include "weft/cli/upkeep/repair.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/ingest/recover.hpp"
#include "weft/query/verify/verify.hpp"

namespace weft::cli {
namespace {

class Repair {
 public:
  Repair(store::Store& store, const crypto::Keyring& keyring, const RepairOptions& options)
      : store_(store), keyring_(keyring), options_(options) {}

  Result<RepairReport> run() {
    WEFT_TRY(mend());
    WEFT_TRY(verify(Depth::quick));
    if (!report_.lost.empty()) WEFT_TRY(recover());
    WEFT_TRY(rebuild());
    // What could not be mended by a damaged index of names.
    if (!mended_.lost.empty() && !report_.rebuilt.empty()) WEFT_TRY(mend());
    if (options_.when_mended) WEFT_TRY(options_.when_mended());
    WEFT_TRY(verify(Depth::full));
    return std::move(report_);
  }

 private:
  enum class Depth { quick, full };

  void tell(std::string_view step, std::uint64_t done, std::uint64_t all) const {
    if (options_.progress) options_.progress(step, done, all);
  }

  Status mend() {
    tell("checking every thought", 0, 0);
    WEFT_TRY_VALUE(auto mended, store_.mending().mend(
                                    {.keyring = &keyring_,
                                     .threads = options_.threads,
                                     .progress = [this](std::uint64_t done, std::uint64_t all) {
                                       tell("searching for changed bits", done, all);
                                     }}));
    report_.repaired.insert(report_.repaired.end(), mended.mended.begin(), mended.mended.end());
    mended_.lost = std::move(mended.lost);
    return {};
  }

  Status rebuild() {
    WEFT_TRY_VALUE(
        const auto rebuilt,
        store_.derived().rebuild({.keyring = &keyring_, .index_sealed = options_.index_sealed},
                                 [this](std::uint64_t done, std::uint64_t all) {
                                   tell("checking what is derived", done, all);
                                 }));
    for (const store::StoreFinding& finding : rebuilt.mended) ++report_.rebuilt[finding.table];
    return {};
  }

  Status verify(Depth depth) {
    query::VerifyOptions question;
    question.threads = options_.threads;
    question.quick = depth == Depth::quick;
    question.control.progress = [this](std::uint64_t done, std::uint64_t all) {
      tell("verifying", done, all);
    };
    if (depth == Depth::full) {
      WEFT_TRY_VALUE(question.further, ingest::archive_checks(store_, keyring_));
    }
    WEFT_TRY_VALUE(report_.verified, query::verify(store_, &keyring_, question));
    return find_lost();
  }

  // What verify still objects to, with what is known of it.
  Status find_lost() {
    report_.lost.clear();
    const auto add = [this](std::string_view text, std::string_view reason) -> Status {
      const Result<Cid> cid = Cid::parse(text);
      const auto known = std::ranges::find(mended_.lost, cid ? std::optional(*cid) : std::nullopt,
                                           &store::LostRow::cid);
      if (cid && known != mended_.lost.end()) {
        report_.lost.push_back(*known);
        return {};
      }
      store::LostRow lost{.table = "thoughts"};
      if (cid && *cid != Cid()) {
        WEFT_TRY_VALUE(lost, store_.mending().describe(*cid));
      }
      if (!reason.empty()) lost.reason = reason;
      report_.lost.push_back(std::move(lost));
      return {};
    };
    for (const json::value& bad : report_.verified.at("bad").as_array()) {
      const json::object& entry = bad.as_object();
      WEFT_TRY(
          add(find_string(entry, "cid").value_or(""), find_string(entry, "reason").value_or("")));
    }
    for (const json::value& missing : report_.verified.at("missing").as_array()) {
      WEFT_TRY(add(view(missing.as_string()), ""));
    }
    // Rows that follow from nothing. A table with a lost thought differs from its sum, of course.
    for (const json::value& found : report_.verified.at("store").as_array()) {
      const json::object& entry = found.as_object();
      const std::string table(find_string(entry, "table").value_or(""));
      if (std::ranges::find(report_.lost, table, &store::LostRow::table) != report_.lost.end()) {
        continue;
      }
      report_.lost.push_back(
          {.table = table, .reason = std::string(find_string(entry, "what").value_or(""))});
    }
    return {};
  }

  Status recover() {
    tell("weaving sources again", 0, report_.lost.size());
    WEFT_TRY_VALUE(const auto recovered,
                   ingest::recover(store_, keyring_, report_.lost,
                                   {.scratch = options_.scratch, .human = options_.human}));
    if (recovered.empty()) return {};
    for (const ingest::RecoveredThought& thought : recovered) {
      report_.repaired.push_back({thought.cid, "thoughts",
                                  (thought.is_archived ? "woven again from the archived copy of "
                                                       : "woven again from the file ") +
                                      thought.path});
    }
    return mend();  // others may have been damaged through these alone
  }

  store::Store& store_;
  const crypto::Keyring& keyring_;
  const RepairOptions& options_;
  store::MendReport mended_;  // its `lost` is of the last pass
  RepairReport report_;
};

}  // namespace

bool RepairReport::is_sound() const {
  return lost.empty() && find_string(verified, "verdict").value_or("bad") != "bad";
}

Result<RepairReport> repair(store::Store& store, const crypto::Keyring& keyring,
                            const RepairOptions& options) {
  return Repair(store, keyring, options).run();
}

json::object to_json(const RepairReport& report) {
  json::array repaired, rebuilt, lost;
  for (const store::MendedRow& row : report.repaired) {
    json::object entry;
    if (row.cid) entry["cid"] = row.cid->str();
    entry["table"] = row.table;
    entry["how"] = row.how;
    repaired.push_back(std::move(entry));
  }
  for (const auto& [table, rows] : report.rebuilt) {
    rebuilt.push_back(json::object{{"table", table}, {"rows", rows}});
  }
  for (const store::LostRow& row : report.lost) {
    json::object entry;
    if (row.cid) entry["cid"] = row.cid->str();
    entry["table"] = row.table;
    entry["reason"] = row.reason;
    if (!row.type.empty()) entry["type"] = row.type;
    if (row.created_at) entry["created_at"] = *row.created_at;
    if (!row.conversations.empty()) entry["conversation"] = row.conversations.front().str();
    lost.push_back(std::move(entry));
  }
  return {{"repaired", std::move(repaired)},
          {"rebuilt", std::move(rebuilt)},
          {"lost", std::move(lost)},
          {"verdict", find_string(report.verified, "verdict").value_or("bad")},
          {"head", find_string(report.verified, "head").value_or("")}};
}

}  // namespace weft::cli
