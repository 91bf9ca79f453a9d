#include "weft/remote/store_remote.hpp"

#include <algorithm>

#include "weft/base/json.hpp"
#include "weft/base/try.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/ingest/import.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/remote/updates.hpp"
#include "weft/remote/web_id.hpp"
#include "weft/store/open.hpp"
#include "weft/store/upkeep.hpp"
#include "weft/thought/tombstone.hpp"

namespace weft::remote {
namespace {

constexpr std::string_view kIdSuffix = ".web-id";

class StoreRemote final : public Remote {
 public:
  StoreRemote(store::StoreUrl url, std::unique_ptr<store::Store> store, Settings settings)
      : url_(std::move(url)), store_(std::move(store)), settings_(std::move(settings)) {}

  Result<std::optional<std::string>> find_web_id() const override {
    if (url_.server()) return store::web_id_on(*url_.server());
    return read_web_id(url_.file(kIdSuffix));
  }
  Result<std::string> web_id() override {
    if (url_.server()) return store::web_id_on(*url_.server());
    return read_or_make_web_id(url_.file(kIdSuffix), 0600);
  }

  std::string place_of(const Tip& tip) const override {
    return "conversation " + tip.conversation.brief() + " in " + url_.shown();
  }

  Result<std::vector<Tip>> tips() const override {
    std::vector<Tip> tips;
    WEFT_TRY_VALUE(const auto rows, store_->conversations({}));
    for (const store::ConversationRow& row : rows) {
      if (const auto tip = tip_of(row)) tips.push_back(*tip);
    }
    return tips;
  }

  Result<std::vector<Tip>> tips_of(std::span<const Cid> conversations) const override {
    std::vector<Tip> tips;
    const std::unique_ptr<store::Snapshot> web = store_->snapshot();
    for (const Cid& conversation : conversations) {
      WEFT_TRY_VALUE(const auto tip, find_tip(*web, conversation));
      if (tip) tips.push_back(*tip);
    }
    return tips;
  }

  // `since` may be a state that this store has not: then all is read.
  Result<ingest::ThoughtsFile> read(const std::vector<Update>& updates) const override {
    const std::unique_ptr<store::Snapshot> web = store_->snapshot();
    std::vector<Update> known = updates;
    for (Update& update : known) {
      if (!update.since) continue;
      WEFT_TRY_VALUE(const bool is_ours,
                     has_passed(*web, {update.tip.conversation, *update.since}));
      if (!is_ours) update.since.reset();
    }
    WEFT_TRY_VALUE(const Copy copied, copy(*web, known));
    return to_thoughts_file(copied.file);
  }

  Result<Sent> write(const store::Web& web, const std::vector<Update>& updates) override {
    WEFT_TRY_VALUE(const auto given_up, find_given_up(web, updates));
    std::vector<Update> sent = updates;
    if (given_up) sent.front().since.reset();
    WEFT_TRY_VALUE(const Copy copied, copy(web, sent));
    WEFT_TRY_VALUE(const auto file, to_thoughts_file(copied.file));
    const Tip& tip = sent.front().tip;
    const auto written =
        given_up ? ingest::import_instead(
                       *store_, nullptr, file,
                       {.conversation = tip.conversation, .now = *given_up, .tip = tip.checkpoint},
                       false)
                 : ingest::import_thoughts(*store_, nullptr, file, false, ingest::Rest::is_refused);
    WEFT_TRY_VALUE(const auto report, written);
    WEFT_TRY(check_whole(report));
    return copied.sent;
  }

  Result<Sent> rewrite(const store::Web& web, const Tip& tip) override {
    WEFT_TRY_VALUE(const Copy copied, copy(web, {{.tip = tip}}));
    WEFT_TRY_VALUE(const auto file, to_thoughts_file(copied.file));
    // First what is missing, which the rest rests on.
    std::ignore = ingest::import_thoughts(*store_, nullptr, file, false, ingest::Rest::is_refused);
    WEFT_TRY_VALUE(const auto report, ingest::import_instead(*store_, nullptr, file,
                                                             {.conversation = tip.conversation,
                                                              .now = tip.checkpoint,
                                                              .tip = tip.checkpoint},
                                                             false));
    WEFT_TRY(check_whole(report));
    return copied.sent;
  }

  Result<std::vector<Forgotten>> forgotten() const override {
    std::vector<Forgotten> all;
    WEFT_TRY_VALUE(const auto tombstones, store_->forgetting().tombstones());
    for (const Cid& cid : tombstones) {
      WEFT_TRY_VALUE(auto tombstone, store_->get_without_path(cid));
      WEFT_TRY_VALUE(auto identity, store_->get_without_path(tombstone.created_by));
      all.push_back({.tombstone = std::move(tombstone), .identity = std::move(identity)});
    }
    return all;
  }

  // The tombstone there is a new one: it lists what remains there and refers to what went. A server
  // may allow this user to add only: then the tombstone is added.
  Result<Removal> forget(const Tip& tip, const Forgotten& /*statement*/, Millis now) override {
    if (settings_.keyring == nullptr || !settings_.keyring->can_sign()) {
      return fail(ErrorCode::denied,
                  "forgetting leaves a signed tombstone, and this keyring cannot "
                  "sign");
    }
    const Result<store::ConversationRow> row = store_->conversation(tip.conversation);
    if (!row && row.error().code == ErrorCode::not_found) return Removal::done;
    if (!row) return fail(Error(row.error()));
    if (may_remove_) {
      const auto forgotten = ingest::forget(*store_, *settings_.keyring, *row, now, false);
      if (forgotten || forgotten.error().code == ErrorCode::not_found) return Removal::done;
      const bool may_ask = url_.server() && forgotten.error().code == ErrorCode::denied;
      if (!may_ask) return fail(Error(forgotten.error()));
      may_remove_ = false;
    }
    const Status asked = ask(*row, now);
    // Meanwhile the keeper carried out what was asked before.
    if (!asked && asked.error().code == ErrorCode::not_found) return Removal::done;
    if (!asked) return fail(Error(asked.error()));
    return Removal::asked;
  }

  Result<bool> is_wiped() const override {
    if (!url_.server()) return true;
    WEFT_TRY_VALUE(const auto upkeep, store::open_upkeep(*url_.server()));
    WEFT_TRY_VALUE(const bool is_due, upkeep->is_wipe_due());
    return !is_due;
  }

 private:
  // Adds a tombstone for the keeper of the web, unless one is there that it can carry out.
  Status ask(const store::ConversationRow& row, Millis now) const {
    WEFT_TRY_VALUE(const auto request,
                   ingest::sign_forgetting(*store_, *settings_.keyring, row, now));
    WEFT_TRY_VALUE(const bool is_asked, is_asked_for(row.cid, request));
    if (is_asked) return {};
    WEFT_TRY_VALUE(const Fd file, open_nameless_file(settings_.scratch));
    ThoughtsOut out(file.get());
    out.add(request.owner);
    out.add(request.tombstone);
    WEFT_TRY(out.finish());
    WEFT_TRY_VALUE(const auto lines, to_thoughts_file(file));
    WEFT_TRY_VALUE(const auto report, ingest::import_thoughts(*store_, nullptr, lines, false,
                                                              ingest::Rest::is_refused));
    if (!report.refused.empty()) {
      return fail(ErrorCode::invalid_input, report.refused.front().reason);
    }
    return {};
  }

  Result<bool> is_asked_for(const Cid& conversation, const store::ForgetRequest& request) const {
    WEFT_TRY_VALUE(const auto listed, store_->forgetting().tombstones_of(conversation));
    if (listed.empty()) return false;
    WEFT_TRY_VALUE(const auto carried_out, store_->forgetting().tombstones());
    WEFT_TRY_VALUE(const auto returned, returned_by_keeper());
    for (const Cid& cid : listed) {
      const auto is_it = [&](const Cid& other) { return other == cid; };
      if (std::ranges::any_of(carried_out, is_it) || std::ranges::any_of(returned, is_it)) continue;
      WEFT_TRY_VALUE(const auto thought, store_->get_without_path(cid));
      const Result<thought::Tombstone> content = thought::to_tombstone(thought);
      if (!content || thought.created_by != request.owner.cid) continue;
      const auto names = [&](const Cid& other) { return content->lists(other); };
      const bool is_enough =
          std::ranges::find(content->conversations, conversation) != content->conversations.end() &&
          std::ranges::all_of(request.plan.spoken_of, names);
      if (is_enough) return true;
    }
    return false;
  }

  // The tombstones that the keeper cannot carry out, as it says (keep/report.hpp).
  Result<std::vector<Cid>> returned_by_keeper() const {
    std::vector<Cid> all;
    WEFT_TRY_VALUE(const auto upkeep, store::open_upkeep(*url_.server()));
    const auto note = upkeep->note();
    const auto report =
        note && *note ? parse_json((*note)->report) : fail(ErrorCode::not_found, "");
    const json::object* object = report ? report->value.if_object() : nullptr;
    const json::array* waiting = object == nullptr ? nullptr : find_array(*object, "waiting");
    if (waiting == nullptr) return all;
    for (const json::value& one : *waiting) {
      const json::object* entry = one.if_object();
      if (entry == nullptr) continue;
      if (const auto cid = Cid::parse(find_string(*entry, "tombstone").value_or(""))) {
        all.push_back(*cid);
      }
    }
    return all;
  }

  static Status check_whole(const ingest::ImportReport& report) {
    if (!report.refused.empty())
      return fail(ErrorCode::invalid_input, report.refused.front().reason);
    if (report.incomplete.empty()) return {};
    return fail(ErrorCode::invalid_input, "thoughts that its checkpoints cover are missing");
  }

  // The state that a conversation has here, if its creator gave that up.
  Result<std::optional<Cid>> find_given_up(const store::Web& web,
                                           const std::vector<Update>& updates) const {
    if (updates.size() != 1) return std::nullopt;
    const Tip& tip = updates.front().tip;
    WEFT_TRY_VALUE(const auto here, find_tip(*store_, tip.conversation));
    if (!here) return std::nullopt;
    WEFT_TRY_VALUE(const bool goes_on, leads_to(web, here->checkpoint, tip));
    if (goes_on) return std::nullopt;
    WEFT_TRY_VALUE(const bool is_given_up, was_given_up(web, *here));
    return is_given_up ? std::optional(here->checkpoint) : std::nullopt;
  }

  struct Copy {
    Fd file;
    Sent sent{};
  };
  Result<Copy> copy(const store::Web& web, const std::vector<Update>& updates) const {
    WEFT_TRY_VALUE(Fd file, open_nameless_file(settings_.scratch));
    ThoughtsOut out(file.get());
    WEFT_TRY(
        each_thought(web, updates, [&](const thought::Thought& thought) { out.add(thought); }));
    WEFT_TRY_VALUE(const Sent sent, out.finish());
    return Copy{.file = std::move(file), .sent = sent};
  }

  const store::StoreUrl url_;
  const std::unique_ptr<store::Store> store_;
  const Settings settings_;
  bool may_remove_ = true;  // until the server refuses it
};

}  // namespace

Result<std::unique_ptr<Remote>> open_store_remote(const std::string& url,
                                                  const Settings& settings) {
  WEFT_TRY_VALUE(store::StoreUrl parsed, store::StoreUrl::parse(url));
  auto opened = settings.access == Access::write ? store::open_store(parsed, store::Create::yes)
                                                 : store::open_store_to_read(parsed);
  if (!opened) return fail(std::move(opened).error());
  return std::make_unique<StoreRemote>(std::move(parsed), *std::move(opened), settings);
}

}  // namespace weft::remote
