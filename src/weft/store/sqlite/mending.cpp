#include "weft/store/sqlite/mending.hpp"

#include "weft/base/try.hpp"
#include "weft/store/sql/mend/mender.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"

namespace weft::store::sql {
namespace {

// Calls `work` with a mender on a connection of its own.
template <class Work>
auto with_mender(Connections& connections, const std::string& path, const MendOptions& options,
                 const Work& work) {
  auto done = connections.write([&](RowWriter&) -> decltype(work(std::declval<Mender&>())) {
    WEFT_TRY_VALUE(auto database, open_store_file(path, Create::no));
    Reader reader(to_store(std::move(database)));
    Mender mender(reader, options);
    return work(mender);
  });
  connections.readers().clear();  // they remember names as they were
  return done;
}

}  // namespace

Result<MendReport> SqliteMending::mend(const MendOptions& options) {
  connections_.readers().clear();
  WEFT_TRY_VALUE(auto suspects,
                 find_damage(connections_.readers(), options.keyring, options.threads));
  if (suspects.empty()) return MendReport{};
  return with_mender(connections_, path_, options,
                     [&](Mender& mender) { return mender.mend(std::move(suspects)); });
}

Result<bool> SqliteMending::put_back(const thought::Thought& thought,
                                     const crypto::Keyring* keyring) {
  return with_mender(connections_, path_, {.keyring = keyring},
                     [&](Mender& mender) { return mender.put_back(thought); });
}

Result<LostRow> SqliteMending::describe(const Cid& cid) const {
  WEFT_TRY_VALUE(auto database, open_reader(path_));
  Reader reader(to_store(std::move(database)));
  const MendOptions options;
  const Words words(reader.database());
  WEFT_TRY_VALUE(const auto id, find_id(reader.database(), words, cid));
  if (!id) return LostRow{.cid = cid, .table = "names"};
  return Mender(reader, options).describe(*id, cid);
}

}  // namespace weft::store::sql
