#include "weft/store/sql/names/names.hpp"

#include <gtest/gtest.h>

#include "weft/store/scratch_for_test.hpp"
#include "weft/store/sqlite/schema.hpp"
#include "weft/store/sqlite/sqlite_backend.hpp"

namespace weft::store::sql {
namespace {

class RememberedNames : public testing::Test {
 protected:
  static Cid some_cid(std::uint8_t byte) {
    Digest digest{};
    digest.fill(byte);
    return Cid(digest);
  }
  void put(Id id, const Cid& cid) {
    ASSERT_TRUE(database_.run("INSERT INTO names (id, cid) VALUES (?, ?)", id, blob(cid.digest())));
    ASSERT_TRUE(database_.name_index().add(std::array{Name{hash_of(cid), id}}));
  }
  void take(Id id, const Cid& cid) {
    ASSERT_TRUE(database_.run("DELETE FROM names WHERE id = ?", id));
    ASSERT_TRUE(database_.name_index().remove({hash_of(cid), id}));
  }

  Scratch scratch_;
  Database database_ = to_store(open_store_file(scratch_.path() / "weft.db", Create::yes).value());
  Words words_{database_};
  Names names_{database_, words_};
};

TEST_F(RememberedNames, AreFoundWithoutTheIndexOnceTheyWereTold) {
  put(7, some_cid(1));
  ASSERT_EQ(names_.cid(7).value(), some_cid(1));
  ASSERT_TRUE(database_.name_index().remove({hash_of(some_cid(1)), 7}));
  EXPECT_EQ(names_.find_id(some_cid(1)).value(), 7);
}

TEST_F(RememberedNames, AreNotBelievedIfTheyWereForgottenAndCameBack) {
  put(7, some_cid(1));
  ASSERT_EQ(names_.find_id(some_cid(1)).value(), 7);
  take(7, some_cid(1));
  EXPECT_EQ(names_.find_id(some_cid(1)).value(), std::nullopt);
  put(9, some_cid(1));
  EXPECT_EQ(names_.find_id(some_cid(1)).value(), 9);
}

TEST_F(RememberedNames, AreToldApartWhereTheyBeginAlike) {
  Digest alike = some_cid(1).digest();
  alike.back() = 2;
  put(7, some_cid(1));
  put(8, Cid(alike));
  ASSERT_EQ(names_.cid(7).value(), some_cid(1));
  EXPECT_EQ(names_.find_id(Cid(alike)).value(), 8);
  EXPECT_EQ(names_.find_id(some_cid(1)).value(), 7);
}

}  // namespace
}  // namespace weft::store::sql
