// The Mending of a SQLite store.
#pragma once

#include "weft/store/mending.hpp"
#include "weft/store/sql/parts/connections.hpp"

namespace weft::store::sql {

class SqliteMending final : public Mending {
 public:
  SqliteMending(Connections& connections, std::string path)
      : connections_(connections), path_(std::move(path)) {}

  Result<MendReport> mend(const MendOptions& options) override;
  Result<bool> put_back(const thought::Thought& thought, const crypto::Keyring* keyring) override;
  Result<LostRow> describe(const Cid& cid) const override;

 private:
  Connections& connections_;
  const std::string path_;
};

}  // namespace weft::store::sql
