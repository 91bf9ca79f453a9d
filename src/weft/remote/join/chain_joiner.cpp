#include "weft/remote/join/chain_joiner.hpp"

#include "weft/base/try.hpp"
#include "weft/remote/describe.hpp"
#include "weft/remote/join/join_chains.hpp"
#include "weft/remote/join/joined_side.hpp"
#include "weft/remote/thoughts_out.hpp"
#include "weft/remote/updates.hpp"
#include "weft/thought/identities.hpp"
#include "weft/thought/statements/joining.hpp"

namespace weft::remote {
namespace {

// Whether a statement by `creator` in a file gives up a checkpoint. Its signature is checked when
// the file is imported.
Result<bool> gives_up(const ingest::ThoughtsFile& file, const Cid& creator, const Tip& tip) {
  bool found = false;
  WEFT_TRY(file.each_line([&](const ingest::ThoughtsFile::Line& line) {
    if (found || line.text.find(R"("type":"joining")") == std::string_view::npos) return Status();
    const Result<thought::Thought> thought = ingest::parse_thought_line(line.text);
    if (!thought || thought->created_by != creator) return Status();
    const Result<thought::Joining> joining = thought::to_joining(*thought);
    found =
        joining && joining->conversation == tip.conversation && joining->gives_up(tip.checkpoint);
    return Status();
  }));
  return found;
}

}  // namespace

Result<ChainJoiner::Outcome> ChainJoiner::join(const Tip& theirs) {
  const std::unique_ptr<store::Snapshot> web = store_.snapshot();
  WEFT_TRY_VALUE(const auto row, web->conversation(theirs.conversation));
  const std::optional<Tip> ours = tip_of(row);
  WEFT_TRY_VALUE(const bool is_known, has_passed(*web, theirs));
  if (!ours || is_known) return Outcome();
  WEFT_TRY_VALUE(const bool is_given_up, was_given_up(*web, theirs));
  if (is_given_up) return Outcome();
  WEFT_TRY_VALUE(const auto file, remote_.read({{.tip = theirs}}));
  WEFT_TRY_VALUE(const bool is_ours_given_up, gives_up(file, row.created_by, *ours));
  if (is_ours_given_up) return follow(*ours, theirs, file);
  if (is_own(row.created_by)) return join_both(*web, *ours, theirs, file);
  return Outcome{.diverged = PullReport::Diverged{.named = named(theirs.conversation),
                                                  .ours = ours->checkpoint,
                                                  .theirs = theirs.checkpoint}};
}

// All that our chain had is in theirs.
Result<ChainJoiner::Outcome> ChainJoiner::follow(const Tip& ours, const Tip& theirs,
                                                 const ingest::ThoughtsFile& file) {
  Outcome outcome;
  WEFT_TRY_VALUE(outcome.report, ingest::import_instead(store_, keyring_, file,
                                                        {.conversation = ours.conversation,
                                                         .now = ours.checkpoint,
                                                         .tip = theirs.checkpoint},
                                                        options_.index_sealed));
  if (!is_whole(*outcome.report)) return outcome;
  outcome.joined = PullReport::Joining{
      .named = named(ours.conversation), .kept = theirs.checkpoint, .given_up = ours.checkpoint};
  return outcome;
}

Result<ChainJoiner::Outcome> ChainJoiner::join_both(const store::Web& web, const Tip& ours,
                                                    const Tip& theirs,
                                                    const ingest::ThoughtsFile& file) {
  Outcome outcome;
  // Before anything of it is signed again.
  WEFT_TRY_VALUE(const auto checked,
                 ingest::check_instead(store_, keyring_, file, ours.conversation));
  if (!is_whole(checked)) {
    outcome.report = checked;
    return outcome;
  }
  WEFT_TRY_VALUE(const Fd here, open_nameless_file(options_.scratch));
  ThoughtsOut out(here.get());
  WEFT_TRY(each_thought(web, {{.tip = ours}},
                        [&](const thought::Thought& thought) { out.add(thought); }));
  WEFT_TRY(out.finish());
  WEFT_TRY_VALUE(const auto our_file, to_thoughts_file(here));
  WEFT_TRY_VALUE(const Joined joined, join_chains({.file = our_file, .tip = ours.checkpoint},
                                                  {.file = file, .tip = theirs.checkpoint},
                                                  ours.conversation, *keyring_, options_.scratch));
  WEFT_TRY_VALUE(const auto joined_file, to_thoughts_file(joined.file));
  const bool is_ours_kept = joined.kept == Kept::ours;
  auto imported = is_ours_kept
                      ? ingest::import_thoughts(store_, keyring_, joined_file,
                                                options_.index_sealed, ingest::Rest::is_refused)
                      : ingest::import_instead(store_, keyring_, joined_file,
                                               {.conversation = ours.conversation,
                                                .now = ours.checkpoint,
                                                .tip = joined.tip.checkpoint,
                                                .turns = joined.turns},
                                               options_.index_sealed);
  WEFT_TRY_VALUE(outcome.report, std::move(imported));
  if (!is_whole(*outcome.report)) return outcome;
  outcome.joined =
      PullReport::Joining{.named = named(ours.conversation),
                          .kept = is_ours_kept ? ours.checkpoint : theirs.checkpoint,
                          .given_up = is_ours_kept ? theirs.checkpoint : ours.checkpoint,
                          .is_ours_kept = is_ours_kept,
                          .brought = joined.brought};
  return outcome;
}

bool ChainJoiner::is_own(const Cid& creator) const {
  return keyring_ != nullptr && keyring_->can_sign() &&
         thought::owner_identity(*keyring_).cid == creator;
}

Named ChainJoiner::named(const Cid& conversation) const {
  const Result<store::ConversationRow> row = store_.conversation(conversation);
  if (!row) return {.conversation = conversation};
  return describe_conversation({.web = store_, .keyring = keyring_}, *row).named;
}

}  // namespace weft::remote
