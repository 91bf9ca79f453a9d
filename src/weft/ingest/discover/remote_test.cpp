// Which file systems belong to another machine.
#include "weft/ingest/discover/remote.hpp"

#include <gtest/gtest.h>

namespace weft::ingest {
namespace {

TEST(Remote, Security13IsNfsAndNotALocalDisk) {
  EXPECT_TRUE(is_remote_type(0x6969));
  EXPECT_TRUE(is_remote_type(0xFE534D42));
  EXPECT_FALSE(is_remote_type(0xEF53)) << "ext4";
  EXPECT_FALSE(is_remote_type(0x01021994)) << "tmpfs";
  EXPECT_FALSE(is_remote("/proc"));
  EXPECT_FALSE(is_remote("/nowhere at all"));
}

}  // namespace
}  // namespace weft::ingest
