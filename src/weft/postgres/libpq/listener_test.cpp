#include "weft/postgres/listener.hpp"

#include <gtest/gtest.h>

#include <string>

#include "weft/postgres/libpq/proxy_for_test.hpp"
#include "weft/postgres/postgres_for_test.hpp"

namespace weft::postgres {
namespace {

using namespace std::chrono_literals;

constexpr auto kLong = 60s;  // longer than a notice takes on any machine

TEST(PostgresListener, HearsWhatOthersNotify) {
  const TestSchema schema;
  const auto listener = open_listener(schema.url(), schema.name()).value();
  const sql::Database database = open_database(schema.url()).value();
  EXPECT_FALSE(listener->wait(0ms).value());
  const std::string notify = "NOTIFY " + schema.name();
  ASSERT_TRUE(database.script(notify.c_str()));
  EXPECT_TRUE(listener->wait(kLong).value());
  EXPECT_FALSE(listener->wait(0ms).value()) << "once";
  ASSERT_TRUE(database.script("NOTIFY somebody_else"));
  EXPECT_FALSE(listener->wait(10ms).value());
}

TEST(PostgresListener, SaysThatItsConnectionIsLost) {
  const TestSchema schema;
  Proxy proxy;
  const auto listener =
      open_listener(Url::parse(schema.text(proxy.directory())).value(), "weft").value();
  proxy.cut();
  EXPECT_EQ(listener->wait(kLong).error().code, ErrorCode::unavailable);
}

}  // namespace
}  // namespace weft::postgres
