// The Mending of a SQLite store.
#pragma once

#include "weft/store/mending.hpp"
#include "weft/store/sqlite/connections.hpp"

namespace weft::store::sql {

class SqliteMending final : public Mending {
 public:
  explicit SqliteMending(Connections& connections) : connections_(connections) {}

  Result<MendReport> mend(const MendOptions& options) override;
  Result<bool> put_back(const thought::Thought& thought, const crypto::Keyring* keyring) override;
  Result<LostRow> describe(const Cid& cid) const override;

 private:
  Connections& connections_;
};

}  // namespace weft::store::sql
