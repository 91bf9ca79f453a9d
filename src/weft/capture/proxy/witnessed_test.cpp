// What weft record heard is attested: the words of the answer, and nothing that the client
// restated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/base/hex.hpp"
#include "weft/capture/agent/recording_for_test.hpp"
#include "weft/capture/proxy/exchange_weaver.hpp"
#include "weft/crypto/sha2.hpp"
#include "weft/query/attest/witnessed.hpp"
#include "weft/store/scan_for_test.hpp"
#include "weft/thought/attestation.hpp"
#include "weft/thought/seal.hpp"

namespace weft::capture {
namespace {

using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;
using thought::Thought;

const std::string kAsked = R"({"model":"m","messages":[{"role":"user","content":"Hi."}]})";
// The client says that the model had said something before.
const std::string kResumed =
    R"({"model":"m","messages":[{"role":"user","content":"Hi."},)"
    R"({"role":"assistant","content":"I never said this."},{"role":"user","content":"Go on."}]})";
const std::string kAnswer =
    R"({"id":"msg_1","type":"message","role":"assistant","model":"m","content":[)"
    R"({"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"text","text":"Hello."}],)"
    R"("stop_reason":"end_turn"})";

RecordedExchange exchange(std::string name, std::string request, std::string answer,
                          int status = 200) {
  RecordedExchange one{
      .name = std::move(name), .method = "POST", .target = "/v1/messages", .requested_at = 1'000};
  one.request = std::move(request);
  one.is_request_complete = true;
  one.status = status;
  one.response_type = "application/json";
  one.arrivals = {{answer.size(), 2'000}};
  one.response = std::move(answer);
  one.end = ExchangeEnd::complete;
  one.last_at = 2'000;
  return one;
}

class Witnessed : public testing::Test {
 protected:
  void weave(const RecordedExchange& recorded) {
    ExchangeWeaver weaver(*store_, home_.keyring, home_.options());
    const Result<LoggedExchange> logged = to_log(recorded);
    ASSERT_TRUE(logged) << logged.error().message;
    const Result<WeaveOutcome> woven = weaver.weave(*logged);
    ASSERT_TRUE(woven) << woven.error().message;
  }
  std::vector<Thought> all_of_type(std::string_view ending) const {
    std::vector<Thought> found;
    const auto rows = store_->conversations({});
    for (const store::ConversationRow& row : *rows) {
      std::ignore = store_->each_of(row.cid, [&](Thought thought) {
        if (thought.type.ends_with(ending)) found.push_back(std::move(thought));
        return true;
      });
    }
    return found;
  }
  std::vector<thought::Attestation> attestations() const {
    std::vector<thought::Attestation> all;
    for (const Thought& thought : all_of_type("attestation"))
      all.push_back(thought::to_attestation(thought).value());
    return all;
  }

  Recording home_;
  std::unique_ptr<store::Store> store_ = home_.open("weft.db");
};

TEST_F(Witnessed, AreTheBlocksOfTheAnswerWithTheHashesOfBothBodies) {
  weave(exchange("a", kAsked, kAnswer));
  const std::vector<Thought> made = all_of_type("attestation");
  ASSERT_THAT(made, SizeIs(1));
  const Thought& said = made.front();
  EXPECT_TRUE(thought::is_witness(thought::to_attestation(said).value()));
  EXPECT_THAT(attestations().front().on,
              UnorderedElementsAre(all_of_type("/thinking").front().cid,
                                   all_of_type("/response").front().cid));
  EXPECT_FALSE(said.covered.empty()) << "its commit's checkpoint covers it";
  EXPECT_FALSE(said.content.contains(thought::kRequestHash)) << "a guess could be confirmed";
  const json::object opened = thought::open_content(said, &home_.keyring);
  EXPECT_EQ(find_string(opened, thought::kRequestHash), to_hex(crypto::sha256(kAsked)));
  EXPECT_EQ(find_string(opened, thought::kResponseHash), to_hex(crypto::sha256(kAnswer)));
}

TEST_F(Witnessed, IsNothingThatTheClientSaysOfEarlier) {
  weave(exchange("a", kResumed, kAnswer));
  ASSERT_THAT(attestations(), SizeIs(1));
  const std::vector<Cid> on = attestations().front().on;
  for (const Thought& response : all_of_type("/response")) {
    const bool is_heard = find_string(response.content, "text") == "Hello.";
    EXPECT_EQ(std::ranges::find(on, response.cid) != on.end(), is_heard);
  }
}

TEST_F(Witnessed, IsNoErrorAndNothingTwice) {
  weave(exchange("a", kAsked, R"({"type":"error","error":{"type":"api_error","message":"no"}})",
                 500));
  EXPECT_THAT(attestations(), IsEmpty());
  weave(exchange("b", kAsked, kAnswer));
  weave(exchange("b", kAsked, kAnswer));
  EXPECT_THAT(attestations(), SizeIs(1));
}

TEST_F(Witnessed, IsShownWhereTheAttestationCounts) {
  weave(exchange("a", kAsked, kAnswer));
  const Cid answer = all_of_type("/response").front().cid;
  const auto shown = [&](const crypto::Keyring* keyring) {
    const query::Library library{*store_, keyring};
    query::Attesters attesters(library);
    return query::find_witness(library, answer, attesters).value();
  };
  const auto own = shown(&home_.keyring);
  ASSERT_TRUE(own);
  EXPECT_EQ(find_string(*own, "by"), home_.keyring.owner_name());
  EXPECT_TRUE(own->contains(thought::kResponseHash));
  EXPECT_FALSE(shown(nullptr)) << "nobody's count";

  const auto other = crypto::Keyring::create("Grace", 5, crypto::SealMode::thinking).value();
  EXPECT_FALSE(shown(&other)) << "a stranger's";
  const auto trusting =
      other.with(crypto::TrustedOwner{"the recorder", home_.keyring.owner_key()}).value();
  const auto trusted = shown(&trusting);
  ASSERT_TRUE(trusted);
  EXPECT_EQ(find_string(*trusted, "by"), "the recorder");
  EXPECT_FALSE(trusted->contains(thought::kResponseHash)) << "trust opens nothing";
}

}  // namespace
}  // namespace weft::capture
