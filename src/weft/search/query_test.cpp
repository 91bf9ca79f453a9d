#include "weft/search/query.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "weft/search/terms.hpp"

namespace weft::search {
namespace {

using namespace std::string_literals;

// A query's words as one line: "cat +dog|dogs -"the end" pre*". The terms of a word are
// separated by |, those of a phrase by blanks.
std::string words(std::string_view text) {
  std::string all;
  for (const Word& word : parse_query(text).words) {
    if (!all.empty()) all += ' ';
    if (word.need == Word::Need::must) all += '+';
    if (word.need == Word::Need::not_) all += '-';
    const bool phrase = word.kind == Word::Kind::phrase;
    if (phrase) all += '"';
    for (std::size_t i = 0; i < word.terms.size(); ++i) {
      if (i > 0) all += phrase ? ' ' : '|';
      all += word.terms[i];
    }
    if (phrase) all += '"';
    if (word.kind == Word::Kind::prefix) all += '*';
  }
  return all;
}

Filters filters(std::string_view text) { return parse_query(text).filters; }

TEST(Query, IsWords) {
  EXPECT_EQ(words(""), "");
  EXPECT_EQ(words("  \t\n"), "");
  EXPECT_EQ(words("Red  cats"), "red cats");
  EXPECT_EQ(words("red\u3000cats\u00A0run"), "red cats run");
}

TEST(Query, LeavesOutStopWordsAndWhatIsGivenTwice) {
  EXPECT_EQ(words("the cat is on the mat"), "cat mat");
  EXPECT_EQ(words("to be or not to be"), "");
  EXPECT_EQ(words("cat AND dog OR NOT bird"), "cat dog bird");
  EXPECT_EQ(words("cat Cat CAT"), "cat");
  EXPECT_EQ(words("\"a cat\" \"A  cat\" -cat cat"), "\"a cat\" -cat cat");
}

TEST(Query, MakesAWordAMustIfItIsOneOnce) {
  EXPECT_EQ(words("cat dog +cat"), "+cat dog");
  EXPECT_EQ(words("+cat cat"), "+cat");
  EXPECT_EQ(words("+cat -cat"), "+cat -cat");
}

TEST(Query, TakesAWordWithAllItsTermsTheWholeFirst) {
  EXPECT_EQ(words("src/fileName.hpp"), "src/filename.hpp|src|filename.hpp|filename|file|name|hpp");
  EXPECT_EQ(words("--no-verify"), "no-verify|verify");
  EXPECT_EQ(words("a.a.b.b"), "a.a.b.b|b");
  EXPECT_EQ(words("v1.2"), "v1.2|1.2|v1|1|2");
  EXPECT_EQ(words("don\u2019t"), "don't|don|t");
}

TEST(Query, MakesSeveralWordsOfWhatIsNotJoined) {
  EXPECT_EQ(words("foo(bar)"), "foo bar");
  EXPECT_EQ(words("-foo(bar,baz-qux)"), "-foo -bar -baz-qux|baz|qux");
  EXPECT_EQ(words("abc\u6F22def"), "abc \u6F22 def");
}

TEST(Query, TakesPairsOfScriptsWithoutSpaces) {
  EXPECT_EQ(words("\u6F22"), "\u6F22");
  EXPECT_EQ(words("\u6F22\u5B57"), "\u6F22\u5B57");
  EXPECT_EQ(words("\u6F22\u5B57\u8A9E"), "\u6F22\u5B57|\u5B57\u8A9E");
  EXPECT_EQ(words("\u6F22\u5B57*"), "\u6F22\u5B57");
  EXPECT_EQ(words("\u6F22*"), "\u6F22");
}

TEST(Query, LooksForAHashByWhatLongerOnesGive) {
  EXPECT_EQ(words("1a2b3c4"), "1a2b3c4");
  EXPECT_EQ(words("1a2b3c4d"), "1a2b3c4d");
  EXPECT_EQ(words("1a2b3c4d5"), "1a2b3c4d|1a2b3c4");
  EXPECT_EQ(words("1a2b3c4d5e6f"), "1a2b3c4d5e6f|1a2b3c4|1a2b3c4d");
  EXPECT_EQ(words("1a2b3c4d5e6f7a8b"), "1a2b3c4d5e6f7a8b|1a2b3c4|1a2b3c4d|1a2b3c4d5e6f");
  // Whatever is looked for, a text with the long hash has it.
  const std::string hash = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d";
  for (std::size_t size = 7; size <= 15; ++size) {
    const std::vector<Word> typed = parse_query(hash.substr(0, size)).words;
    ASSERT_EQ(typed.size(), 1u);
    for (const std::string& wanted : typed[0].terms) {
      bool found = false;
      auto visit = [&](const Term& term) { found = found || term.text == wanted; };
      each_term(hash, visit);
      EXPECT_TRUE(found) << size << " " << wanted;
    }
  }
}

TEST(Query, TakesSignsBeforeWordsPhrasesAndPrefixes) {
  EXPECT_EQ(words("+cat -dog bird"), "+cat -dog bird");
  EXPECT_EQ(words("+\"a cat\" -\"a dog\""), "+\"a cat\" -\"a dog\"");
  EXPECT_EQ(words("+ca* -do*"), "+ca* -do*");
  EXPECT_EQ(words("--flag ++i - + cat -"), "flag i cat");
  EXPECT_EQ(words("-+cat"), "-cat");
  EXPECT_EQ(words("e-mail"), "e-mail|e|mail");
}

TEST(Query, TakesPhrasesWithTheirStopWords) {
  EXPECT_EQ(words("\"to be or not\""), "\"to be or not\"");
  EXPECT_EQ(words("\"The fileName.hpp\""), "\"the file name hpp\"");
  EXPECT_EQ(words("\"\u6F22\u5B57\""), "\"\u6F22 \u5B57\"");
  EXPECT_EQ(words("\"a cat\"\"a dog\"x"), "\"a cat\" \"a dog\" x");
  EXPECT_EQ(words("say\"a cat\""), "say \"a cat\"");
  EXPECT_EQ(words("\"open to the end"), "\"open to the end\"");
  EXPECT_EQ(words("\"a cat*\"*"), "\"a cat\"");
}

TEST(Query, TakesAPhraseOfOneForAWordAndOfNoneForNothing) {
  EXPECT_EQ(words("\"cat\""), "cat");
  EXPECT_EQ(words("+\"v2\""), "+v2|2");
  EXPECT_EQ(words("\"the\""), "");
  EXPECT_EQ(words("\"\" \" \" \"..\" \""), "");
}

TEST(Query, TakesPrefixesOfTwoCharactersOrMore) {
  EXPECT_EQ(words("Ca*"), "ca*");
  EXPECT_EQ(words("c*"), "c");
  EXPECT_EQ(words("\u00C4*"), "\u00E4");
  EXPECT_EQ(words("\u00C4r*"), "\u00E4r*");
  EXPECT_EQ(words("foo/Bar*"), "foo/bar*");
  EXPECT_EQ(words("camelCase*"), "camelcase*");
  EXPECT_EQ(words("the*"), "the*");
  EXPECT_EQ(words("foo(bar*"), "foo bar*");
  EXPECT_EQ(words("foo.** *.cpp"), "foo* cpp");
  EXPECT_EQ(words("foo*bar * **"), "foo bar");
}

TEST(Query, TakesFiltersWhateverTheirCase) {
  const Filters all = filters(
      "type:thinking TYPE:anthropic/text Tool:Bash project:weft role:assistant session:abc-1");
  EXPECT_EQ(all.types, (std::vector{"thinking"s, "anthropic/text"s}));
  EXPECT_EQ(all.tools, std::vector{"Bash"s});
  EXPECT_EQ(all.projects, std::vector{"weft"s});
  EXPECT_EQ(all.roles, std::vector{"assistant"s});
  EXPECT_EQ(all.sessions, std::vector{"abc-1"s});
  EXPECT_EQ(words("cat type:thinking dog"), "cat dog");
}

TEST(Query, TakesAFiltersValueInQuotesWithItsSpaces) {
  EXPECT_EQ(filters("project:\"my project\" cat").projects, std::vector{"my project"s});
  EXPECT_EQ(words("project:\"my project\"cat"), "cat");
  EXPECT_EQ(filters("project:\"open end").projects, std::vector{"open end"s});
  EXPECT_EQ(filters("tool:a tool:a tool:A").tools, (std::vector{"a"s, "A"s}));
}

TEST(Query, TakesAUserForAHuman) {
  EXPECT_EQ(filters("role:user role:Human role:User role:SYSTEM").roles,
            (std::vector{"human"s, "system"s}));
}

TEST(Query, TakesAFilterThatSaysNothingForWords) {
  EXPECT_EQ(words("type: cat"), "type cat");
  EXPECT_EQ(words("type:"), "type");
  EXPECT_EQ(words("tool:\"\""), "tool");
  EXPECT_EQ(words("kind:cat"), "kind:cat|kind|cat");
  EXPECT_EQ(words("mytype:cat"), "mytype:cat|mytype|cat");
  EXPECT_EQ(words("-type:cat"), "-type:cat|type|cat");
  EXPECT_TRUE(filters("type: -type:cat").empty());
}

std::vector<std::string> notes(std::string_view text) { return parse_query(text).notes; }

TEST(UxB12, ABadTimeOrRoleIsNamedAndNotSearched) {
  for (const char* text : {"since:someday annotation", "until:2026-02-30 annotation",
                           "since:\"next week\" annotation", "role:judge annotation"}) {
    EXPECT_EQ(words(text), "annotation") << text;
    EXPECT_TRUE(filters(text).empty()) << text;
    ASSERT_EQ(notes(text).size(), 1u) << text;
  }
  EXPECT_EQ(notes("role:judge"),
            std::vector{"role:judge: no such role; the roles are human, assistant and system. The "
                        "filter was left out."s});
  const std::string time = notes("since:someday cat")[0];
  EXPECT_TRUE(time.starts_with("since:someday: 'someday' is not a time: expected 2026-10-01, "))
      << time;
  EXPECT_TRUE(notes("since:yesterday until:10:30 role:user type:x tool:y project:z cat").empty());
}

TEST(UxB12, AMistypedFilterIsNamedWithTheOneThatWasMeant) {
  EXPECT_EQ(
      notes("typ:thinking"),
      std::vector{"typ:thinking: no such filter; did you mean type:thinking? It was left out."s});
  for (const auto& [typed, meant] :
       std::vector<std::pair<std::string, std::string>>{{"sesion:abc", "session:abc"},
                                                        {"Sessions:abc", "session:abc"},
                                                        {"tpye:thinking", "type:thinking"},
                                                        {"rol:human", "role:human"},
                                                        {"tools:Bash", "tool:Bash"},
                                                        {"projekt:looms", "project:looms"},
                                                        {"sinse:2w", "since:2w"},
                                                        {"untill:2w", "until:2w"}}) {
    ASSERT_EQ(notes(typed).size(), 1u) << typed;
    EXPECT_TRUE(notes(typed)[0].contains("did you mean " + meant + "?")) << notes(typed)[0];
    EXPECT_EQ(words(typed), "") << typed;
    EXPECT_TRUE(filters(typed).empty()) << typed;
  }
}

TEST(UxB12, WhatIsNoFilterStaysWords) {
  for (const char* text : {"foo:bar", "http://x", "std::sort", "util::fold", "util:fold", "rule:1",
                           "pool:main", "kind:cat", "10:30", "C:\\work", "error: no", "types::x",
                           "typ: cat", "a:b:c", "toolbox:x"}) {
    EXPECT_TRUE(notes(text).empty()) << text;
    EXPECT_NE(words(text), "") << text;
  }
}

TEST(UxB12, AnOpenQuoteIsNamed) {
  EXPECT_EQ(notes("cat \"out of memory"),
            std::vector{"\"out of memory: the quote is not closed, so all that follows it is one "
                        "phrase."s});
  EXPECT_EQ(words("cat \"out of memory"), "cat \"out of memory\"");
  EXPECT_EQ(notes("project:\"my looms").size(), 1u);
  EXPECT_TRUE(notes("cat \"out of memory\" \"").empty());
}

TEST(UxC1, StopWordsAreNamedWhereNothingElseIsLeft) {
  EXPECT_EQ(notes("the"), std::vector{"the: words as common as this are searched only inside a "
                                      "\"phrase\" of several words."s});
  EXPECT_TRUE(notes("to be or not to be")[0].starts_with("to, be, or, not, to, …: "));
  EXPECT_EQ(notes("type:thinking \"the\"").size(), 1u);
  EXPECT_TRUE(notes("the cat").empty());
  EXPECT_TRUE(notes("\"to be\" the").empty());
}

TEST(UxB6, FiltersReadTimesOnTheClockOfTheAsker) {
  const LocalClock tokyo{.now = parse_iso8601("2026-11-18T12:00:00Z").value(),
                         .zone = [](Millis) { return Millis{9 * 3'600'000}; }};
  const Filters asked = parse_query("since:2026-11-16T04:17:40 until:yesterday", tokyo).filters;
  EXPECT_EQ(asked.since, parse_iso8601("2026-11-15T19:17:40Z"));
  EXPECT_EQ(asked.until, parse_iso8601("2026-11-17T14:59:59.999Z"));
}

TEST(Query, TakesTimesFromTheFirstMomentOfADayToTheLast) {
  EXPECT_EQ(filters("since:1970-01-02").since, 86'400'000);
  EXPECT_EQ(filters("until:1970-01-02").until, 2 * 86'400'000 - 1);
  EXPECT_EQ(filters("until:1970-01-02T00:00").until, 86'400'000);
  EXPECT_EQ(filters("since:\"1970-01-02 00:00:01Z\"").since, 86'401'000);
}

TEST(Query, TakesTheWidestOfSeveralTimes) {
  const Filters both =
      filters("since:1970-01-03 since:1970-01-02 until:1970-01-04 until:1970-01-03");
  EXPECT_EQ(both.since, 86'400'000);
  EXPECT_EQ(both.until, 4 * 86'400'000LL - 1);
}

TEST(Query, IsNeverASyntaxError) {
  EXPECT_EQ(words("\""), "");
  EXPECT_EQ(words("- * + \" :"), "");
  EXPECT_EQ(words("^cat (dog) {bird} NEAR(x y)"), "cat dog bird near x y");
  EXPECT_EQ(words("'; DROP TABLE thoughts; --"), "drop table thoughts");
  EXPECT_EQ(words("cat\0dog"s), "cat dog");
  EXPECT_EQ(words("\xFF\xC3 cat\x80"), "cat");
  EXPECT_EQ(words("\U0001F44D\U0001F3FD"), "\U0001F44D");
  EXPECT_EQ(words("\u202E\u05E9\u05DC\u05D5\u05DD"), "\u05E9\u05DC\u05D5\u05DD");
  EXPECT_EQ(words("-\"\" +* -- \"*\" +\""), "");
}

TEST(Query, MayHaveTenThousandWords) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "word" + std::to_string(i) + " again ";
  EXPECT_EQ(parse_query(text).words.size(), 10001u);
}

// What it makes of anything can be looked for: no empty terms, and none that is too long.
TEST(Query, OfRandomTextHasTermsThatTextsCanHave) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  static const std::vector<std::string> kPieces = {
      "a",     "cat",    "the",    "\"",     "+",          "-",     "*",  " ",        ":",
      "type:", "since:", "until:", "2026-",  "01",         "/",     ".",  "\u6F22",   "\u00E9",
      "\xFF",  "\0"s,    "Zz",     "\u3000", "\U0001F44D", "role:", "v1", "abc12345d"};
  for (int round = 0; round < 10000; ++round) {
    std::string text;
    for (std::size_t i = random() % 16; i > 0; --i) text += kPieces[random() % kPieces.size()];
    for (const Word& word : parse_query(text).words) {
      ASSERT_FALSE(word.terms.empty());
      ASSERT_TRUE(word.kind != Word::Kind::phrase || word.terms.size() >= 2);
      ASSERT_TRUE(word.kind != Word::Kind::prefix || word.terms.size() == 1);
      for (const std::string& term : word.terms) {
        ASSERT_FALSE(term.empty());
        ASSERT_LE(term.size(), kMaxTermBytes);
      }
    }
  }
}

}  // namespace
}  // namespace weft::search
