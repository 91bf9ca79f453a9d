#include "weft/capture/resume/next_session.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "weft/base/try.hpp"
#include "weft/capture/resume/copied_blocks.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/formats/reading/text.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/secrets/secret.hpp"
#include "weft/thought/identities.hpp"
#include "weft/weave/block_copies.hpp"

namespace weft::capture {
namespace {

using transcript::Block;
using transcript::Conversation;

constexpr int kMaxTries = 100;

// Removes everything before the last compaction. False if the conversation has no compaction.
bool begin_with_compaction(query::Rebuilt& rebuilt) {
  std::vector<transcript::Turn>& turns = rebuilt.conversation.turns;
  const auto is_compaction = [](const Block& block) {
    const auto* compaction = std::get_if<transcript::Compaction>(&block.body);
    return compaction != nullptr && !compaction->summary.empty();
  };
  std::size_t after = 0;  // blocks of the turns that stay
  for (std::size_t turn = turns.size(); turn-- > 0;) {
    std::vector<Block>& blocks = turns[turn].blocks;
    const auto last = std::find_if(blocks.rbegin(), blocks.rend(), is_compaction);
    if (last == blocks.rend()) {
      after += blocks.size();
      continue;
    }
    blocks.erase(blocks.begin(), last.base() - 1);
    after += blocks.size();
    turns.erase(turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(turn));
    rebuilt.cids.erase(rebuilt.cids.begin(),
                       rebuilt.cids.end() - static_cast<std::ptrdiff_t>(after));
    return true;
  }
  return false;
}

std::size_t count_secrets(std::string_view text) {
  std::set<std::string_view> values;
  for (const secrets::Finding& found : secrets::find_secrets(text)) {
    values.insert(text.substr(found.offset, found.length));
  }
  return values.size();
}

Conversation read_back(const formats::Agent& agent, const formats::NativeSession& native) {
  const std::filesystem::path path(native.path);
  transcript::Collector read;
  formats::read_all(*formats::find_adapter(agent.format),
                    {.name = path.filename().string(), .directory = path.parent_path().string()},
                    native.text, read);
  return read.conversations.empty() ? Conversation() : std::move(read.conversations.front());
}

void describe_copies(NextSession& next, const query::Rebuilt& rebuilt, const Conversation& copy,
                     const crypto::Keyring& keyring) {
  for (const transcript::Turn& turn : copy.turns) next.blocks += turn.blocks.size();
  const std::string& format = copy.heading.format;
  next.marks = {weave::resumed_session_key(keyring, format, copy.heading.session_id)};
  for (const CopiedBlock& pair : pair_copies(rebuilt.conversation, rebuilt.cids, copy)) {
    if (next.resumption.copies.empty() && formats::is_uuid(pair.copy->source_id)) {
      next.marks.push_back(weave::resumed_record_key(keyring, format, pair.copy->source_id));
    }
    next.resumption.copies.push_back({weave::copy_key(keyring, *pair.copy), pair.original});
    next.last = pair.original;
  }
  next.resumption.format = format;
  next.resumption.session_id = copy.heading.session_id;
}

// Other processes may add to the conversation meanwhile.
Status commit_marks(store::Store& store, weave::CommitUnit unit) {
  store::Batch batch{.units = {std::move(unit)}, .sync = store::Sync::now};
  Status status;
  for (int tries = 0; tries < kMaxTries; ++tries) {
    WEFT_TRY_VALUE(const auto row, store.conversation(batch.units.front().conversation));
    batch.units.front().previous = row.checkpoint;
    const Result<store::Committed> committed = store.writer().commit(batch);
    if (committed) return {};
    status = fail(Error(committed.error()));
    if (committed.error().code != ErrorCode::conflict) break;
  }
  return status;
}

}  // namespace

Result<NextSession> write_session(const query::Library& library, const store::ConversationRow& row,
                                  const formats::Agent& agent, const SessionRequest& request) {
  WEFT_TRY_VALUE(auto rebuilt,
                 query::rebuild(library, row, {.upto = request.upto, .leave_out_sealed = true}));
  NextSession next;
  WEFT_TRY_VALUE(next.native, agent.write(rebuilt.conversation, request.session));
  const auto is_long = [&] { return next.native.text.size() > agent.most_bytes; };
  if (is_long() && begin_with_compaction(rebuilt)) {
    next.from_compaction = true;
    WEFT_TRY_VALUE(next.native, agent.write(rebuilt.conversation, request.session));
  }
  next.is_long = is_long();
  if (rebuilt.sealed > 0) {
    next.native.notes.push_back(std::to_string(rebuilt.sealed) +
                                " × block that the keyring cannot open, left out");
  }
  next.is_other_provider = rebuilt.conversation.heading.family != agent.family;
  next.secrets = count_secrets(next.native.text);
  next.resumption.conversation = row.cid;
  describe_copies(next, rebuilt, read_back(agent, next.native), *library.keyring);
  return next;
}

Result<Cid> note_session(store::Store& store, const crypto::Keyring& keyring,
                         const Cid& conversation, const NextSession& next, Millis now) {
  const thought::Identities identities(keyring);
  thought::Thought note;
  note.type = thought::kResumptionType;
  note.created_by = identities.owner().cid;
  note.created_at = now;
  note.because = {{.thought = next.last.value_or(next.resumption.conversation)}};
  note.content = to_content(next.resumption);
  note.cid = cid_of(note);
  note.signature = identities.owner_key().sign(crypto::bytes_of(note.cid.digest()));
  WEFT_TRY_VALUE(auto imported, store.writer().import({identities.owner(), note}, {&keyring}));
  weave::CommitUnit unit{.conversation = conversation};
  for (const weave::PlaceKey& key : next.marks) unit.marks.push_back({key, note.cid, now});
  WEFT_TRY(commit_marks(store, std::move(unit)));
  return note.cid;
}

}  // namespace weft::capture
