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
  reply.notify("one");
  reply.notify("two");
  reply.answer("end", Verdict::bad_request);
  const HttpReply::Pending pending = reply.take();
  EXPECT_THAT(pending.notes, ElementsAre("one", "two"));
  ASSERT_TRUE(pending.answer);
  EXPECT_EQ(pending.answer->message, "end");
  EXPECT_EQ(pending.answer->verdict, Verdict::bad_request);
  EXPECT_FALSE(pending.is_overfull);
  EXPECT_THAT(reply.take().notes, IsEmpty());
}

TEST_F(HttpReplyTest, WakesOnceForAllThatWaits) {
  reply.notify("one");
  reply.notify("two");
  EXPECT_EQ(woken, 1);
  reply.take();
  reply.notify("three");
  EXPECT_EQ(woken, 2);
}

TEST_F(HttpReplyTest, SaysThatASlowReaderHasTooMuchWaiting) {
  reply.notify("0123456789");
  EXPECT_FALSE(reply.take().is_overfull);
  reply.notify("01234567");
  reply.notify("012");
  reply.notify("0");
  EXPECT_EQ(woken, 3);
  EXPECT_EQ(woken_as_overfull, 1);
  const HttpReply::Pending pending = reply.take();
  EXPECT_TRUE(pending.is_overfull);
  EXPECT_THAT(pending.notes, ElementsAre("01234567"));
}

TEST_F(HttpReplyTest, LetsAnAnswerBeAsLongAsItIs) {
  reply.answer(std::string(1000, 'x'), Verdict::served);
  const HttpReply::Pending pending = reply.take();
  EXPECT_EQ(pending.answer->message.size(), 1000u);
  EXPECT_FALSE(pending.is_overfull);
}

TEST_F(HttpReplyTest, SaysThatNoAnswerWillCome) {
  auto shared = std::make_shared<HttpReply>(wake, 10);
  {
    HttpOutlet outlet(shared);
    outlet.notify("one");
  }
  EXPECT_EQ(woken, 1);
  EXPECT_TRUE(shared->take().is_dropped);
  {
    HttpOutlet outlet(shared);
    outlet.answer("end", Verdict::served);
  }
  EXPECT_FALSE(shared->take().is_dropped);
}

TEST_F(HttpReplyTest, DropsEverythingOnceNobodyListens) {
  reply.notify("one");
  reply.close();
  reply.notify("two");
  reply.answer("end", Verdict::served);
  EXPECT_EQ(woken, 1);
  const HttpReply::Pending pending = reply.take();
  EXPECT_THAT(pending.notes, IsEmpty());
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
