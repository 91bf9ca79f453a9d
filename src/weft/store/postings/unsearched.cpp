#include "weft/store/postings/unsearched.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/store/index_terms.hpp"

namespace weft::store::sql {
namespace {

crypto::Layer layer_of(Index index) {
  return index == Index::metadata ? crypto::Layer::metadata : crypto::Layer::content;
}

// The documents that were not searched, of either layer.
class Left {
 public:
  Left(const Documents& documents) : documents_(documents), is_left_(documents.size()) {}

  void add(Document at) {
    if (at >= is_left_.size() || is_left_[at] || documents_.thought(at) == 0) return;
    is_left_[at] = true;
    ++count_;
  }
  void add(const std::vector<Posting>& postings) {
    for (const Posting& posting : postings) add(posting.document);
  }
  std::uint64_t count() const { return count_; }

 private:
  const Documents& documents_;
  std::vector<bool> is_left_;
  std::uint64_t count_ = 0;
};

// One sealed index.
class LayerSearch {
 public:
  LayerSearch(Postings& postings, const Documents& documents, const crypto::Keyring* keyring,
              Index index)
      : postings_(postings), documents_(documents), keyring_(keyring), index_(index) {}

  Status run(Left& left, Unsearched& out) {
    WEFT_TRY_VALUE(const auto ids, postings_.index_keys(index_));
    std::vector<bool> is_marked(documents_.size());
    std::size_t own = 0, own_held = 0;
    for (const std::string& id : ids) {
      const bool is_held =
          keyring_ != nullptr && keyring_->find_key(layer_of(index_), id) != nullptr;
      WEFT_TRY_VALUE(const auto closed, marked(closed_term(id)));
      WEFT_TRY_VALUE(const auto indexed, marked(indexed_term(id)));
      out.before_key = out.before_key || (is_held && !closed.empty());
      left.add(closed);
      for (const Posting& posting : indexed) {
        if (posting.document < is_marked.size()) is_marked[posting.document] = true;
      }
      if (!is_held) {
        left.add(indexed);
        out.without_key = true;
      }
      if (!closed.empty() || !indexed.empty()) continue;
      // Of the store's owner: what is sealed with it has no mark.
      ++own;
      own_held += is_held ? 1 : 0;
    }
    if (own_held == own) return {};
    // Several owners' keys look alike in the index.
    if (own_held > 0) out.sealed_thoughts.reset();
    for (Document at = 1; own_held == 0 && at < documents_.size(); ++at) {
      if (documents_.length(at, index_) > 0 && !is_marked[at]) left.add(at);
    }
    return {};
  }

 private:
  Result<std::vector<Posting>> marked(const std::string& term) {
    return postings_.find_postings(index_, {.terms = {term}});
  }

  Postings& postings_;
  const Documents& documents_;
  const crypto::Keyring* keyring_;
  const Index index_;
};

}  // namespace

Result<Matching::Keys> keys_in(Postings& postings, const crypto::Keyring* keyring) {
  Matching::Keys keys;
  if (keyring == nullptr) return keys;
  for (const Index index : {Index::metadata, Index::content}) {
    const crypto::LayerKey* own = keyring->layer(layer_of(index));
    std::vector<std::string> known;
    if (!keyring->others().empty()) {
      WEFT_TRY_VALUE(known, postings.index_keys(index));
    }
    for (const crypto::LayerKey* key : keyring->keys_of(layer_of(index))) {
      if (key != own && std::ranges::find(known, key->id()) == known.end()) continue;
      keys[static_cast<std::size_t>(index)].push_back(key);
    }
  }
  return keys;
}

Status find_unsearched(Postings& postings, const Documents& documents,
                       const crypto::Keyring* keyring, Unsearched& out) {
  Left left(documents);
  for (const Index index : {Index::metadata, Index::content}) {
    WEFT_TRY(LayerSearch(postings, documents, keyring, index).run(left, out));
  }
  if (out.sealed_thoughts) out.sealed_thoughts = left.count();
  return {};
}

}  // namespace weft::store::sql
