#include "weft/mcp/transports/http_reply.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::mcp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct HttpReplyTest : testing::Test {
  int woken = 0;
  int woken_as_overfull = 0;
  HttpReply::Wake wake = [this](HttpReply::Reason reason) {
    ++woken;
    if (reason == HttpReply::Reason::overfull) ++woken_as_overfull;
  };
  HttpReply reply{wake, 10};
};

TEST_F(HttpReplyTest, HandsOnWhatWasSaidInItsOrder) {
  reply.send("one");
  reply.send("two");
  reply.answer({.status = 400, .body = "end"});
  const HttpReply::Pending pending = reply.take();
  EXPECT_THAT(pending.parts, ElementsAre("one", "two"));
  ASSERT_TRUE(pending.answer);
  EXPECT_EQ(pending.answer->body, "end");
  EXPECT_EQ(pending.answer->status, 400u);
  EXPECT_FALSE(pending.is_overfull);
  EXPECT_THAT(reply.take().parts, IsEmpty());
}

TEST_F(HttpReplyTest, WakesOnceForAllThatWaits) {
  reply.send("one");
  reply.send("two");
  EXPECT_EQ(woken, 1);
  reply.take();
  reply.send("three");
  EXPECT_EQ(woken, 2);
}

TEST_F(HttpReplyTest, SaysThatASlowReaderHasTooMuchWaiting) {
  reply.send("0123456789");
  EXPECT_FALSE(reply.take().is_overfull);
  reply.send("01234567");
  reply.send("012");
  reply.send("0");
  EXPECT_EQ(woken, 3);
  EXPECT_EQ(woken_as_overfull, 1);
  const HttpReply::Pending pending = reply.take();
  EXPECT_TRUE(pending.is_overfull);
  EXPECT_THAT(pending.parts, ElementsAre("01234567"));
}

TEST_F(HttpReplyTest, LetsAnAnswerBeAsLongAsItIs) {
  reply.answer({.body = std::string(1000, 'x')});
  const HttpReply::Pending pending = reply.take();
  EXPECT_EQ(pending.answer->body.size(), 1000u);
  EXPECT_FALSE(pending.is_overfull);
}

TEST_F(HttpReplyTest, SaysThatNoAnswerWillCome) {
  auto shared = std::make_shared<HttpReply>(wake, 20);
  {
    HttpOutlet outlet(shared, Era::modern);
    outlet.notify("one");
  }
  EXPECT_EQ(woken, 1);
  EXPECT_TRUE(shared->take().is_dropped);
  {
    HttpOutlet outlet(shared, Era::modern);
    outlet.answer("end", Verdict::served);
  }
  EXPECT_FALSE(shared->take().is_dropped);
}

TEST_F(HttpReplyTest, DropsEverythingOnceNobodyListens) {
  reply.send("one");
  reply.close();
  reply.send("two");
  reply.answer({.body = "end"});
  EXPECT_EQ(woken, 1);
  const HttpReply::Pending pending = reply.take();
  EXPECT_THAT(pending.parts, IsEmpty());
  EXPECT_FALSE(pending.answer);
}

TEST(HttpReply, StatusTellsAModernClientWhatWasWrong) {
  EXPECT_EQ(status_of(Verdict::served, Era::modern), 200u);
  EXPECT_EQ(status_of(Verdict::bad_request, Era::modern), 400u);
  EXPECT_EQ(status_of(Verdict::no_such_method, Era::modern), 404u);
  EXPECT_EQ(status_of(Verdict::no_such_method, Era::legacy), 200u);
  EXPECT_EQ(status_of(Verdict::bad_request, Era::legacy), 200u);
}

}  // namespace
}  // namespace weft::mcp
