// The fixture of the contract tests of search: blocks of every kind, committed with their terms,
// and what a query finds among them.
#pragma once

#include <string>
#include <vector>

#include "weft/store/contract/contract_for_test.hpp"
#include "weft/thought/seal.hpp"

namespace weft::store {

inline crypto::Keyring keyring_of(const std::string& name) {
  return crypto::Keyring::create(name, 1'000, crypto::SealMode::thinking).value();
}
inline crypto::Keyring exported(const crypto::Keyring& keyring, crypto::Reach reach) {
  return crypto::Keyring::parse(keyring.exported(reach).value(), {}).value();
}

class Searching : public StoreContract {
 protected:
  thought::Thought block(std::string type, json::object members, Millis time = 5'000) {
    thought::Thought thought;
    thought.type = "test/" + type;
    thought.created_by = speaker("ada").identity.cid;
    thought.created_at = time;
    thought::set_content(thought, std::move(members), keyring_);
    return thought;
  }
  thought::Thought says(const std::string& text, Millis time = 5'000) {
    return block("response", {{"text", text}}, time);
  }
  thought::Thought thinks(const std::string& text, Millis time = 5'000) {
    return block("thinking", {{"reasoning", text}, {"chars", text.size()}}, time);
  }
  void commit_indexed(Talk& talk) {
    Batch batch = talk.batch();
    store_->writer().prepare(batch, {.keyring = &keyring_});
    commit(batch);
  }
  SearchAnswer ask(const std::string& text, const crypto::Keyring* keyring) {
    Result<SearchAnswer> answer =
        store_->search({.query = search::parse_query(text), .keyring = keyring});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer.value_or(SearchAnswer{});
  }
  std::vector<Cid> find(const std::string& text, const crypto::Keyring* keyring) {
    std::vector<Cid> cids;
    for (const Found& found : ask(text, keyring).found) cids.push_back(found.cid);
    return cids;
  }
  std::vector<Cid> find(const std::string& text) { return find(text, &keyring_); }

  const crypto::Keyring keyring_ = keyring_of("ada");
  const crypto::Keyring metadata_ = exported(keyring_, crypto::Reach::metadata);
  const crypto::Keyring content_ = exported(keyring_, crypto::Reach::content);
};

}  // namespace weft::store
