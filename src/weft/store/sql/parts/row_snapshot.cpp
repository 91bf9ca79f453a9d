#include "weft/store/sql/parts/row_snapshot.hpp"

#include "weft/base/try.hpp"
#include "weft/store/postings/ranking.hpp"

namespace weft::store::sql {

Result<Reader*> RowSnapshot::pin() const {
  if (is_visiting_) {
    return fail(ErrorCode::internal, "a snapshot was asked while it visits a conversation");
  }
  if (!reader_) {
    WEFT_TRY_VALUE(auto reader, connections_.readers().take());
    reader_.emplace(std::move(reader));
  }
  if (!state_) {
    WEFT_TRY_VALUE(auto state, (*reader_)->look());
    state_.emplace(std::move(state));
  }
  return reader_->operator->();
}

template <class Answer, class... Params, class... Args>
Answer RowSnapshot::ask(Answer (Reader::*question)(Params...), const Args&... args) const {
  WEFT_TRY_VALUE(Reader* const reader, pin());
  has_read_ = true;
  return (reader->*question)(args...);
}

// All snapshots of a store share one copy of the documents in memory. Another one may have read a
// later state into it. Then this one moves on to that state, too, if nothing was read through it
// yet; otherwise it reads the documents of its own state for itself, which is rare.
Result<DocumentsView> RowSnapshot::documents(Reach reach) const {
  constexpr int kMaxTries = 8;  // while others commit and search
  for (int tries = 0;; ++tries) {
    WEFT_TRY_VALUE(Reader* const reader, pin());
    if (own_documents_ == nullptr) {
      WEFT_TRY_VALUE(auto view, connections_.search_room().documents.view(*reader, reach));
      if (view) {
        has_read_ = true;
        return *std::move(view);
      }
      if (!has_read_ && tries < kMaxTries) {
        state_.reset();
        continue;
      }
      has_read_ = true;
      own_documents_ = std::make_unique<Documents>();
      WEFT_TRY(own_documents_->refresh(*reader));
    }
    own_documents_->need_lengths(reach);
    return DocumentsView(*own_documents_);
  }
}

Result<bool> RowSnapshot::has(const Cid& cid) const { return ask(&Reader::has, cid); }
Result<thought::Thought> RowSnapshot::get(const Cid& cid) const { return ask(&Reader::get, cid); }
Result<thought::Thought> RowSnapshot::get_without_path(const Cid& cid) const {
  return ask(&Reader::get_without_path, cid);
}
Result<std::optional<Cid>> RowSnapshot::sealed_as(const Cid& clear) const {
  return ask(&Reader::sealed_as_by_anyone, clear);
}
Result<std::vector<Cid>> RowSnapshot::find_by_prefix(std::string_view hex,
                                                     std::size_t limit) const {
  return ask(&Reader::find_by_prefix, hex, limit);
}

Result<std::vector<thought::Connection>> RowSnapshot::connections(
    const Cid& cid, std::optional<std::string_view> relation, Direction direction) const {
  return ask(&Reader::connections, cid, relation, direction);
}
Result<std::vector<Cid>> RowSnapshot::neighbours(const Cid& cid, std::string_view relation,
                                                 Direction direction) const {
  return ask(&Reader::neighbours, cid, relation, direction);
}
Result<std::vector<Cid>> RowSnapshot::neighbours_by(const Cid& creator, const Cid& cid,
                                                    std::string_view relation,
                                                    Direction direction) const {
  return ask(&Reader::neighbours_by, creator, cid, relation, direction);
}
Result<std::vector<Cid>> RowSnapshot::effects(const Cid& cid) const {
  return ask(&Reader::effects, cid);
}

Result<std::vector<ConversationRow>> RowSnapshot::conversations(
    const ConversationFilter& filter) const {
  return ask(&Reader::conversations, filter);
}
Result<ConversationRow> RowSnapshot::conversation(const Cid& cid) const {
  return ask(&Reader::conversation, cid);
}
Result<std::vector<Cid>> RowSnapshot::conversations_of(const Cid& thought) const {
  return ask(&Reader::conversations_of, thought);
}
Result<std::vector<Cid>> RowSnapshot::usage_of(const Cid& conversation) const {
  return ask(&Reader::usage_of, conversation);
}

Result<std::vector<Cid>> RowSnapshot::find_blocks(const Cid& conversation, std::string_view kind,
                                                  std::size_t limit) const {
  return ask(&Reader::find_blocks, conversation, kind, limit);
}
Result<std::vector<PlacedBlock>> RowSnapshot::placed_blocks(const Cid& conversation,
                                                            std::uint64_t mark,
                                                            std::size_t limit) const {
  return ask(&Reader::placed_blocks, conversation, mark, limit);
}
Result<ConversationOutline> RowSnapshot::outline(const Cid& conversation) const {
  return ask(&Reader::outline, conversation);
}
Status RowSnapshot::each_facts(std::span<const Handle> blocks, const crypto::Keyring* keyring,
                               const std::function<void(BlockFacts)>& visit) const {
  return ask(&Reader::each_facts, blocks, keyring, visit);
}
Status RowSnapshot::outline_facts(const ConversationOutline& outline,
                                  std::span<const OutlineEntry> entries,
                                  const crypto::Keyring* keyring,
                                  const std::function<void(BlockFacts)>& visit) const {
  return ask(&Reader::outline_facts, outline, entries, keyring, visit);
}
Result<Cid> RowSnapshot::cid_of(Handle handle) const { return ask(&Reader::name_of, handle); }
Result<std::optional<Handle>> RowSnapshot::find_handle(const Cid& cid) const {
  return ask(&Reader::find_id, cid);
}
Result<ChangesSince> RowSnapshot::changes_since(const std::optional<Cid>& checkpoint) const {
  return ask(&Reader::changes_since, checkpoint);
}

Status RowSnapshot::each_of(const std::vector<Cid>& conversations,
                            const std::function<bool(thought::Thought)>& visit) const {
  WEFT_TRY_VALUE(Reader* const reader, pin());
  has_read_ = true;
  is_visiting_ = true;  // its statements are in use
  Status status = reader->each_of(conversations, visit);
  is_visiting_ = false;
  return status;
}

Result<Catalogue> RowSnapshot::catalogue(const std::optional<std::string>& format,
                                         const crypto::Keyring* keyring) const {
  return ask(&Reader::catalogue, format, keyring);
}
Result<TallySum> RowSnapshot::sum_tallies(const TallyRequest& request) const {
  return ask(&Reader::sum_tallies, request);
}
Result<RowsRead> RowSnapshot::each_requests(
    const RequestsRequest& request, ModelNames& models,
    const std::function<Status(ConversationRequests&)>& visit) const {
  WEFT_TRY_VALUE(Reader* const reader, pin());
  has_read_ = true;
  is_visiting_ = true;  // its statements are in use
  auto rows = reader->each_requests(request, models, visit);
  is_visiting_ = false;
  return rows;
}
Result<EditList> RowSnapshot::edits(const EditsRequest& request) const {
  return ask(&Reader::edits, request);
}
Result<SecretTable> RowSnapshot::secrets(const SecretsRequest& request) const {
  return ask(&Reader::secrets, request);
}

Result<SearchAnswer> RowSnapshot::search(const SearchRequest& request) const {
  WEFT_TRY_VALUE(const auto view, documents(reach_with(request.keyring)));
  WEFT_TRY_VALUE(Reader* const reader, pin());
  return rank_thoughts(*reader, *view, connections_.search_room().scores, request);
}

Result<SessionAnswer> RowSnapshot::search_sessions(const SearchRequest& request) const {
  WEFT_TRY_VALUE(const auto view, documents(reach_with(request.keyring)));
  WEFT_TRY_VALUE(Reader* const reader, pin());
  return rank_sessions(*reader, *view, connections_.search_room().scores, request);
}

Result<TurnAnswer> RowSnapshot::search_turns(const SearchRequest& request) const {
  WEFT_TRY_VALUE(const auto view, documents(reach_with(request.keyring)));
  WEFT_TRY_VALUE(Reader* const reader, pin());
  return rank_exchanges(*reader, *view, connections_.search_room().scores, request);
}

Result<std::vector<NearTerm>> RowSnapshot::near_terms(const std::string& term,
                                                      std::size_t max_edits) const {
  return ask(&Reader::near_terms, term, max_edits);
}

// By its own places; else by those of the turn that the index has for it.
Result<std::vector<ThoughtPlace>> RowSnapshot::places_of(const Cid& thought) const {
  WEFT_TRY_VALUE(auto places, ask(&Reader::places_of, thought));
  if (!places.empty()) return places;
  WEFT_TRY_VALUE(const auto view, documents(reach_of(Index::clear)));
  return ask(&Reader::places_beside, thought, *view);
}

}  // namespace weft::store::sql
