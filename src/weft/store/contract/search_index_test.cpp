// What every store must do: search.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/store/contract/searching_for_test.hpp"
#include "weft/store/index_terms.hpp"

namespace weft::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using thought::Thought;

TEST_P(Searching, FindsWhatEachKindOfBlockSays) {
  Talk talk("a");
  const Cid human = talk.stands(block("human_input", {{"text", "please mend the aardvark"}}));
  const Cid answer = talk.stands(says("the badger is mended"));
  const Cid call = talk.stands(block(
      "tool_request", {{"tool_name", "Bash"}, {"input", {{"command", "grep capybara *.txt"}}}}));
  const Cid result = talk.stands(
      block("tool_result",
            {{"tool_name", "Bash"}, {"result_text", "dingo: not found"}, {"is_error", 1}}));
  const Cid thinking = talk.stands(thinks("perhaps an echidna"));
  const Cid summary = talk.stands(
      block("thinking_summary", {{"summaries", json::array{"thought about flamingos"}}}));
  const Cid compaction = talk.stands(block("compaction", {{"summary", "all about gazelles"}}));
  const Cid title = talk.stands(block("summary", {{"text", "Hedgehog session"}}));
  const Cid file = talk.stands(
      block("attachment", {{"name", "ibex.txt"}, {"kind", "file"}, {"text", "a jackal\n"}}));
  const Cid failure = talk.stands(block("failure", {{"text", "overloaded by kiwis"}}));
  const Cid unknown = talk.stands(
      block("unknown", {{"block_type", "odd"}, {"raw", {{"deep", {{"er", "lemurs"}}}}}}));
  commit_indexed(talk);
  EXPECT_THAT(find("aardvark"), ElementsAre(human));
  EXPECT_THAT(find("badger"), ElementsAre(answer));
  EXPECT_THAT(find("capybara"), ElementsAre(call));
  EXPECT_THAT(find("dingo"), ElementsAre(result));
  EXPECT_THAT(find("echidna"), ElementsAre(thinking));
  EXPECT_THAT(find("flamingos"), ElementsAre(summary));
  EXPECT_THAT(find("gazelles"), ElementsAre(compaction));
  EXPECT_THAT(find("hedgehog"), ElementsAre(title));
  EXPECT_THAT(find("ibex"), ElementsAre(file));
  EXPECT_THAT(find("jackal"), ElementsAre(file));
  EXPECT_THAT(find("kiwis"), ElementsAre(failure));
  EXPECT_THAT(find("lemurs"), ElementsAre(unknown));
}

TEST_P(Searching, ALongTextIsFoundByItsFirstTermsSoThatNoneTakesGigabytes) {
  const auto word = [](std::size_t number) { return "w" + std::to_string(number); };
  std::string text;
  for (std::size_t i = 0; i <= kMaxDistinctTerms; ++i) text += word(i) + ' ';
  text += word(0) + ' ' + word(7);
  Talk talk("a");
  const Cid answer = talk.stands(says(text));
  const Cid thinking = talk.stands(thinks(text));
  commit_indexed(talk);
  const SearchAnswer twice = ask(word(7), &keyring_);
  ASSERT_EQ(twice.found.size(), 2u);
  EXPECT_EQ(twice.found[0].score, twice.found[1].score) << "each has it twice";
  EXPECT_GT(twice.found[0].score, ask(word(8), &keyring_).found[0].score);
  EXPECT_THAT(find('"' + word(0) + ' ' + word(7) + '"'), UnorderedElementsAre(answer, thinking));
  EXPECT_THAT(find(word(kMaxDistinctTerms)), IsEmpty());
}

TEST_P(Searching, SealedTextIsFoundByThoseWhoHoldItsKeyAlone) {
  Talk talk("a");
  const Cid thinking = talk.stands(thinks("a secret marmoset"));
  const Cid summary =
      talk.stands(block("thinking_summary", {{"summaries", json::array{"of narwhals"}}}));
  commit_indexed(talk);
  const crypto::Keyring stranger = keyring_of("eve");
  EXPECT_THAT(find("marmoset", &content_), ElementsAre(thinking));
  EXPECT_THAT(find("marmoset", &metadata_), IsEmpty());
  EXPECT_THAT(find("marmoset", nullptr), IsEmpty());
  EXPECT_THAT(find("marmoset", &stranger), IsEmpty());
  EXPECT_THAT(find("narwhals", &metadata_), ElementsAre(summary));
  EXPECT_THAT(find("narwhals", nullptr), IsEmpty());
  EXPECT_FALSE(ask("marmoset", &content_).unsearched.without_key);
  EXPECT_TRUE(ask("marmoset", &metadata_).unsearched.without_key);
  EXPECT_TRUE(ask("marmoset", nullptr).unsearched.without_key);
  EXPECT_TRUE(ask("marmoset", &stranger).unsearched.without_key);
}

TEST_P(Searching, NearTermsAreThoseOfClearTextNearestFirst) {
  Talk talk("a");
  talk.stands(says("supabase migration, supabases"));
  talk.stands(says("supabase again", 6'000));
  talk.stands(thinks("supabasi, supabasement", 7'000));
  commit_indexed(talk);
  const auto near = [&](const std::string& term, std::size_t edits) {
    const std::vector<NearTerm> found = store_->near_terms(term, edits).value();
    std::vector<std::string> out;
    for (const NearTerm& one : found) {
      out.push_back(one.text + " " + std::to_string(one.edits) + " " +
                    std::to_string(one.documents));
    }
    return out;
  };
  EXPECT_THAT(near("supabsae", 2), ElementsAre("supabase 1 2", "supabases 2 1"));
  EXPECT_THAT(near("supabsae", 1), ElementsAre("supabase 1 2"));
  EXPECT_THAT(near("uspabase", 1), ElementsAre("supabase 1 2")) << "swapped";
  EXPECT_THAT(near("xsupabase", 1), ElementsAre("supabase 1 2")) << "one too many";
  EXPECT_THAT(near("supabase", 1), ElementsAre("supabases 1 1")) << "not itself";
  EXPECT_THAT(near("supabasi", 0), IsEmpty());
  EXPECT_THAT(near("", 2), IsEmpty());
  EXPECT_THAT(near("ünlike", 2), IsEmpty());
}

TEST_P(Searching, PhrasesOfSealedTextAreCheckedOnTheText) {
  Talk talk("a");
  const Cid right = talk.stands(thinks("we keep the old parser for now"));
  talk.stands(thinks("the parser is old; keep it", 6'000));
  commit_indexed(talk);
  EXPECT_THAT(find("\"the old parser\""), ElementsAre(right));
  EXPECT_THAT(find("\"old parser for\""), ElementsAre(right));
  EXPECT_THAT(find("\"parser old\""), IsEmpty());
  EXPECT_TRUE(ask("\"for it\"", &keyring_).unsearched.by_stop_phrase);
  EXPECT_TRUE(ask("pars*", &keyring_).unsearched.by_prefix);
  EXPECT_THAT(find("pars*"), IsEmpty());
}

TEST_P(Searching, WhatIsNotIndexedIsNotFoundAndIsAfterReindexing) {
  Talk talk("a");
  const Cid thinking = talk.stands(thinks("an ocelot"));
  const Cid answer = talk.stands(says("a puffin"));
  commit(talk);  // without keys
  EXPECT_THAT(find("ocelot"), IsEmpty());
  EXPECT_THAT(find("puffin"), ElementsAre(answer));
  std::uint64_t done = 0, all = 0;
  const Status status = store_->writer().reindex({.keyring = &keyring_}, [&](auto now, auto total) {
    done = now;
    all = total;
  });
  ASSERT_TRUE(status) << status.error().message;
  EXPECT_EQ(done, all);
  EXPECT_THAT(find("ocelot"), ElementsAre(thinking));
  EXPECT_THAT(find("puffin"), ElementsAre(answer));
  ASSERT_TRUE(store_->writer().reindex({.keyring = &keyring_, .index_sealed = false}, {}));
  EXPECT_THAT(find("ocelot"), IsEmpty());
  EXPECT_FALSE(ask("ocelot", nullptr).unsearched.without_key);
}

TEST_P(Searching, EqualOnesAreToldNewestFirstAndPagesJoin) {
  Talk talk("a");
  std::vector<Cid> cids;
  for (int i = 0; i < 50; ++i) {
    cids.push_back(talk.stands(says("quokka number" + std::to_string(i), 5'000 + (i * 7) % 50)));
  }
  commit_indexed(talk);
  std::vector<std::pair<Millis, Cid>> expected;
  for (int i = 0; i < 50; ++i) expected.emplace_back(-(5'000 + (i * 7) % 50), cids[i]);
  std::ranges::sort(expected);
  std::vector<Cid> joined;
  for (std::uint64_t offset = 0; offset < 60; offset += 7) {
    const SearchAnswer page = store_
                                  ->search({.query = search::parse_query("quokka"),
                                            .keyring = &keyring_,
                                            .limit = 7,
                                            .offset = offset})
                                  .value();
    EXPECT_EQ(page.total, 50u);
    for (const Found& found : page.found) joined.push_back(found.cid);
  }
  ASSERT_EQ(joined.size(), 50u);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(joined[i], expected[i].second) << i;
}

TEST_P(Searching, TurnsAreFoundByTheirBestBlock) {
  Talk talk("a");
  talk.turn("human");
  const Cid question = talk.stands(block("human_input", {{"text", "where is the raccoon"}}));
  talk.turn("assistant");
  talk.stands(says("in the shed"));
  talk.stands(says("raccoon raccoon raccoon", 6'000));
  talk.turn("human");
  talk.stands(block("human_input", {{"text", "and the salamander"}}, 7'000));
  talk.turn("assistant");
  talk.stands(says("with the raccoon, where it is warm and where nobody looks", 8'000));
  commit_indexed(talk);
  Result<TurnAnswer> answer =
      store_->search_turns({.query = search::parse_query("raccoon"), .keyring = &keyring_});
  ASSERT_TRUE(answer) << answer.error().message;
  ASSERT_EQ(answer->found.size(), 2u);
  EXPECT_EQ(answer->total, 2u);
  const std::vector<ThoughtPlace> places_of = store_->places_of(question).value();
  ASSERT_EQ(places_of.size(), 1u);
  EXPECT_EQ(places_of[0].conversation, talk.cid());
  EXPECT_EQ(answer->found[0].turn, places_of[0].turn);
  EXPECT_EQ(answer->found[0].best.created_at, 6'000);
  EXPECT_EQ(answer->found[1].best.created_at, 8'000);
}

TEST_P(Searching, SessionsAreFoundByTheirBestBlockAndCountTheOthers) {
  Talk first("a"), second("b"), third("c");
  first.stands(says("raccoon raccoon raccoon", 6'000));
  first.stands(says("one raccoon among many other animals of the wood", 7'000));
  commit_indexed(first);
  second.stands(says("raccoon raccoon", 8'000));
  commit_indexed(second);
  third.stands(says("a salamander", 9'000));
  commit_indexed(third);
  SearchRequest request{.query = search::parse_query("raccoon"), .keyring = &keyring_};
  const SessionAnswer all = store_->search_sessions(request).value();
  EXPECT_EQ(all.total, 3u);
  EXPECT_FALSE(all.has_more);
  ASSERT_EQ(all.found.size(), 2u);
  EXPECT_EQ(all.found[0].conversation, first.cid());
  EXPECT_EQ(all.found[0].best.created_at, 6'000);
  EXPECT_EQ(all.found[0].more, 1u);
  EXPECT_EQ(all.found[1].conversation, second.cid());
  EXPECT_EQ(all.found[1].more, 0u);
  request.limit = 1;
  EXPECT_TRUE(store_->search_sessions(request).value().has_more);
  request.offset = 1;
  const SessionAnswer page = store_->search_sessions(request).value();
  ASSERT_EQ(page.found.size(), 1u);
  EXPECT_EQ(page.found[0].conversation, second.cid());
  EXPECT_FALSE(page.has_more);
}

TEST_P(Searching, ASearchAsOfAnEarlierStateFindsWhatTheIndexHadThen) {
  Talk first("a"), second("b");
  const Cid early = first.stands(says("raccoon"));
  commit_indexed(first);
  SearchRequest request{.query = search::parse_query("raccoon"), .keyring = &keyring_};
  request.as_of = store_->search(request).value().as_of;
  second.stands(says("raccoon raccoon"));
  commit_indexed(second);
  const SearchAnswer then = store_->search(request).value();
  ASSERT_EQ(then.total, 1u);
  EXPECT_EQ(then.found[0].cid, early);
  EXPECT_EQ(store_->search_sessions(request).value().total, 1u);
  EXPECT_EQ(store_->search_turns(request).value().total, 1u);
  ++request.as_of->epoch;
  const Result<SearchAnswer> outdated = store_->search(request);
  ASSERT_FALSE(outdated);
  EXPECT_EQ(outdated.error().code, ErrorCode::invalid_input);
}

TEST_P(Searching, AThoughtInTwoConversationsIsOneResultWithTwoPlaces) {
  Talk first("a"), second("b");
  const Thought shared = says("tapirs everywhere");
  const Cid cid = first.stands(shared);
  commit_indexed(first);
  second.brings(get(cid));
  second.shares(cid);
  commit_indexed(second);
  EXPECT_THAT(find("tapirs"), ElementsAre(cid));
  const std::vector<ThoughtPlace> places_of = store_->places_of(cid).value();
  ASSERT_EQ(places_of.size(), 2u);
  EXPECT_EQ(places_of[0].conversation, second.cid());
  for (const Cid& conversation : {first.cid(), second.cid()}) {
    const SearchAnswer answer = store_
                                    ->search({.query = search::parse_query("tapirs"),
                                              .conversations = std::vector{conversation}})
                                    .value();
    EXPECT_EQ(answer.total, 1u);
  }
}

TEST_P(Searching, QueriesOfNothingFindNothing) {
  Talk talk("a");
  const Cid cid = talk.stands(says("the urchin of the sea"));
  commit_indexed(talk);
  for (const char* text : {"", "   ", "the of and", "-urchin", "-", "*", "\"", "+", ":", "()"}) {
    EXPECT_EQ(ask(text, &keyring_).total, 0u) << text;
  }
  EXPECT_THAT(find("type:response"), ElementsAre(cid));
  EXPECT_THAT(find("type:response -urchin"), IsEmpty());
  EXPECT_THAT(find("type:response -viper"), ElementsAre(cid));
}

TEST_P(Searching, OfManyWordsTheRarestCount) {
  Talk talk("a");
  std::string all;
  for (int i = 0; i < 100; ++i) {
    // Word w<i> stands in i + 1 documents.
    std::string text = "filler";
    for (int w = i; w < 100; ++w) text += " w" + std::to_string(w) + "x";
    talk.stands(says(text, 5'000 + i));
    all += " w" + std::to_string(i) + "x";
  }
  commit_indexed(talk);
  std::string rarest;
  for (int i = 0; i < 64; ++i) rarest += " w" + std::to_string(i) + "x";
  const SearchAnswer many = ask(all + " nowhere1 nowhere2", &keyring_),
                     few = ask(rarest, &keyring_);
  EXPECT_EQ(many.total, 64u);
  ASSERT_EQ(many.found.size(), few.found.size());
  for (std::size_t i = 0; i < few.found.size(); ++i) {
    EXPECT_EQ(many.found[i].cid, few.found[i].cid);
    EXPECT_NEAR(many.found[i].score, few.found[i].score, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, Searching, testing::ValuesIn(every_backend()), backend_name);

}  // namespace
}  // namespace weft::store
