// RowStore: what a store does alike in every database. A backend adds how its changes are noticed
// and how it is mended.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/store/sql/parts/connections.hpp"
#include "weft/store/store.hpp"

namespace weft::store::sql {

class RowStore : public Store {
 public:
  using OpenReader = std::function<Result<Database>()>;
  // See Connections; `scrub` is Forgetting::scrub.
  RowStore(std::string name, Database writer, OpenReader open, std::function<Result<bool>()> scrub);
  ~RowStore() override;

  std::unique_ptr<Snapshot> snapshot() const override;
  const weave::KnownWeb& known_web() const override;
  Writer& writer() override;
  const Sources& sources() const override;
  const Audit& audit() const override;
  Derived& derived() override;
  const Derived& derived() const override;
  Filling& filling() override;
  const Filling& filling() const override;
  Forgetting& forgetting() override;
  const Forgetting& forgetting() const override;
  Result<std::optional<Cid>> owner() const override;

 protected:
  Connections& database_connections() { return connections_; }

 private:
  struct Parts;

  mutable Connections connections_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace weft::store::sql
