#include "weft/search/terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace weft::search {
namespace {

using namespace std::string_literals;

struct Told {
  std::string text;
  std::size_t begin, end;
  std::uint32_t position;
  bool is_leaf, is_stop;

  // As terms, wherever they stand.
  friend bool operator==(const Told& a, const Told& b) {
    return a.text == b.text && a.is_leaf == b.is_leaf && a.is_stop == b.is_stop;
  }
};

std::vector<Told> told(std::string_view text) {
  std::vector<Told> terms;
  auto visit = [&](const Term& term) {
    terms.push_back(
        {std::string(term.text), term.begin, term.end, term.position, term.is_leaf, term.is_stop});
  };
  each_term(text, visit);
  return terms;
}

// "0:whole 0:part* 1:other*": each term with its position; * marks a leaf, ~ a stop word.
std::string terms(std::string_view text) {
  std::string all;
  for (const Told& term : told(text)) {
    if (!all.empty()) all += ' ';
    all += std::to_string(term.position) + ":" + term.text;
    if (term.is_leaf) all += '*';
    if (term.is_stop) all += '~';
  }
  return all;
}

// What of the text the term `wanted` stands for; "(none)" if there is no such term.
std::string source_of(std::string_view text, std::string_view wanted) {
  for (const Told& term : told(text)) {
    if (term.text == wanted) return std::string(text.substr(term.begin, term.end - term.begin));
  }
  return "(none)";
}

TEST(Terms, AreWordsFoldedAndCounted) {
  EXPECT_EQ(terms(""), "");
  EXPECT_EQ(terms(" \t\n.,;!?-"), "");
  EXPECT_EQ(terms("hello"), "0:hello*");
  EXPECT_EQ(terms("Hello, World!"), "0:hello* 1:world*");
  EXPECT_EQ(terms("(x) = [42]; \"done\""), "0:x* 1:42* 2:done*");
  EXPECT_EQ(terms("SHOUTING"), "0:shouting*");
}

TEST(Terms, OfAPathAreTheWholeItsNamesAndTheirParts) {
  EXPECT_EQ(terms("src/base/fileName.hpp"),
            "0:src/base/filename.hpp 0:src* 1:base* 2:filename.hpp 2:filename 2:file* 3:name* "
            "4:hpp*");
  EXPECT_EQ(terms("/usr/lib"), "0:usr/lib 0:usr* 1:lib*");
  EXPECT_EQ(terms("./x"), "0:x*");
  EXPECT_EQ(terms("~/.ssh/config"), "0:ssh/config 0:ssh* 1:config*");
  EXPECT_EQ(terms("C:\\Users\\me"), "0:c* 1:users\\me 1:users* 2:me*");
  EXPECT_EQ(terms("https://example.org/a"),
            "0:https* 1:example.org/a 1:example.org 1:example* 2:org* 3:a*~");
}

TEST(Terms, FallApartAtStrongerJointsFirst) {
  // Level 1.
  EXPECT_EQ(terms("std::vector"), "0:std::vector 0:std* 1:vector*");
  EXPECT_EQ(terms("key:value"), "0:key:value 0:key* 1:value*");
  EXPECT_EQ(terms("me@host"), "0:me@host 0:me* 1:host*");
  EXPECT_EQ(terms("owner/repo#12"), "0:owner/repo#12 0:owner* 1:repo* 2:12*");
  // Level 2.
  EXPECT_EQ(terms("well-known"), "0:well-known 0:well* 1:known*");
  EXPECT_EQ(terms("c+d"), "0:c+d 0:c* 1:d*");
  EXPECT_EQ(terms("don't"), "0:don't 0:don* 1:t*");
  // Level 3.
  EXPECT_EQ(terms("snake_case"), "0:snake_case 0:snake* 1:case*");
  EXPECT_EQ(terms("3.14"), "0:3.14 0:3* 1:14*");
  // All of them.
  EXPECT_EQ(terms("x/a.b-c_d"), "0:x/a.b-c_d 0:x* 1:a.b-c_d 1:a.b 1:a*~ 2:b* 3:c_d 3:c* 4:d*");
}

TEST(Terms, AreJoinedByExactlyOneJointBetweenWords) {
  EXPECT_EQ(terms("--no-verify"), "0:no-verify 0:no*~ 1:verify*");
  EXPECT_EQ(terms("a--b"), "0:a*~ 1:b*");
  EXPECT_EQ(terms("x..y"), "0:x* 1:y*");
  EXPECT_EQ(terms("x:::y"), "0:x* 1:y*");
  EXPECT_EQ(terms("x/-y"), "0:x* 1:y*");
  EXPECT_EQ(terms("end. Next"), "0:end* 1:next*");
  EXPECT_EQ(terms("x= y"), "0:x* 1:y*");
  EXPECT_EQ(terms("-x_"), "0:x*");
  EXPECT_EQ(terms("'quoted'"), "0:quoted*");
}

TEST(Terms, KeepARunOfUnderscoresAsOneJoint) {
  EXPECT_EQ(terms("mcp__github__create_issue"),
            "0:mcp__github__create_issue 0:mcp* 1:github* 2:create* 3:issue*");
  EXPECT_EQ(terms("__init__.py"), "0:init* 1:py*");
}

TEST(Terms, TakeATypographicApostropheForTheTypedOne) {
  EXPECT_EQ(terms("don\u2019t"), "0:don't 0:don* 1:t*");
  EXPECT_EQ(terms("\u2019quoted\u2019 x"), "0:quoted* 1:x*");
  EXPECT_EQ(source_of("don\u2019t", "don't"), "don\u2019t");
}

TEST(Terms, OfHumpsAreLeaves) {
  EXPECT_EQ(terms("camelCase"), "0:camelcase 0:camel* 1:case*");
  EXPECT_EQ(terms("HTMLParser"), "0:htmlparser 0:html* 1:parser*");
  EXPECT_EQ(terms("getHTTPResponseCode"),
            "0:gethttpresponsecode 0:get* 1:http* 2:response* 3:code*");
  EXPECT_EQ(terms("Capital"), "0:capital*");
  EXPECT_EQ(terms("fooBar.bazQux"),
            "0:foobar.bazqux 0:foobar 0:foo* 1:bar* 2:bazqux 2:baz* 3:qux*");
  EXPECT_EQ(source_of("a getName()", "name"), "Name");
  EXPECT_EQ(source_of("a getName()", "getname"), "getName");
}

TEST(Terms, LeaveThePluralOfAnAcronymWhole) {
  EXPECT_EQ(terms("URLs"), "0:urls*");
  EXPECT_EQ(terms("URLsOfPRs"), "0:urlsofprs 0:urls* 1:of*~ 2:prs*");
  EXPECT_EQ(terms("HTMLsource"), "0:htmlsource 0:htm* 1:lsource*");
}

TEST(Terms, LetDigitsGoWithWhatIsBeforeThem) {
  EXPECT_EQ(terms("utf8"), "0:utf8*");
  EXPECT_EQ(terms("utf8Decode"), "0:utf8decode 0:utf8* 1:decode*");
  EXPECT_EQ(terms("SHA256Sum"), "0:sha256sum 0:sha256* 1:sum*");
  EXPECT_EQ(terms("A1B2C3"), "0:a1b2c3*");
  EXPECT_EQ(terms("3Dmodel"), "0:3dmodel*");
  EXPECT_EQ(terms("0xDEADBEEF"), "0:0xdeadbeef 0:0x* 1:deadbeef*");
}

TEST(Terms, OfAVersionAreFoundWithoutItsV) {
  EXPECT_EQ(terms("v1.2.3"), "0:v1.2.3 0:1.2.3 0:v1* 0:1 1:2* 2:3*");
  EXPECT_EQ(terms("V2"), "0:v2* 0:2");
  EXPECT_EQ(terms("v1.2-rc1"), "0:v1.2-rc1 0:v1.2 0:1.2 0:v1* 0:1 1:2* 2:rc1*");
  EXPECT_EQ(terms("lib@v4.0"), "0:lib@v4.0 0:lib* 1:v4.0 1:4.0 1:v4* 1:4 2:0*");
  EXPECT_EQ(source_of("use v1.2.3", "1.2.3"), "1.2.3");
  // Not one: more than digits, or not at the start.
  EXPECT_EQ(terms("v4l2"), "0:v4l2*");
  EXPECT_EQ(terms("x.v1"), "0:x.v1 0:x* 1:v1*");
  EXPECT_EQ(terms("value"), "0:value*");
}

TEST(Terms, OfAHashAreItsShortFormsToo) {
  EXPECT_EQ(terms("1a2b3c4"), "0:1a2b3c4*");
  EXPECT_EQ(terms("1a2b3c4d"), "0:1a2b3c4d*");
  EXPECT_EQ(terms("1a2b3c4d5"), "0:1a2b3c4d5* 0:1a2b3c4 0:1a2b3c4d");
  EXPECT_EQ(terms("1a2b3c4d5e6f7a8"), "0:1a2b3c4d5e6f7a8* 0:1a2b3c4 0:1a2b3c4d");
  EXPECT_EQ(terms("1a2b3c4d5e6f7a8b"), "0:1a2b3c4d5e6f7a8b* 0:1a2b3c4 0:1a2b3c4d 0:1a2b3c4d5e6f");
  EXPECT_EQ(terms("1A2B3C4D5E"), "0:1a2b3c4d5e* 0:1a2b3c4 0:1a2b3c4d");
  EXPECT_EQ(source_of("at 1a2b3c4d5e6f7a8b", "1a2b3c4"), "1a2b3c4");
  // A number, a word, and one letter too many.
  EXPECT_EQ(terms("1234567890123456"), "0:1234567890123456*");
  EXPECT_EQ(terms("deadbeefdeadbeef"), "0:deadbeefdeadbeef*");
  EXPECT_EQ(terms("1a2b3c4d5g"), "0:1a2b3c4d5g*");
}

TEST(Terms, BeyondAsciiAreFoldedAsUnicodeSays) {
  EXPECT_EQ(terms("Stra\u00DFe"), "0:strasse*");
  EXPECT_EQ(terms("\u00C4rger"), "0:\u00E4rger*");
  EXPECT_EQ(terms("A\u0308rger"), "0:\u00E4rger*");  // written in two characters
  EXPECT_EQ(terms("caf\u00E9 cafe"), "0:caf\u00E9* 1:cafe*");
  EXPECT_EQ(terms("\u041F\u0440\u0438\u0432\u0435\u0442"),
            "0:\u043F\u0440\u0438\u0432\u0435\u0442*");
  EXPECT_EQ(terms("\uFF26\uFF55\uFF4C\uFF4C"), "0:full*");  // full width
  EXPECT_EQ(terms("\uFB01ne"), "0:fine*");                  // a ligature
  EXPECT_EQ(terms("\u03A3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C2"),
            "0:\u03C3\u03AF\u03C3\u03C5\u03C6\u03BF\u03C3*");  // both kinds of sigma
  EXPECT_EQ(terms("\u05E9\u05DC\u05D5\u05DD \u0645\u0631\u062D\u0628\u0627"),
            "0:\u05E9\u05DC\u05D5\u05DD* 1:\u0645\u0631\u062D\u0628\u0627*");
  EXPECT_EQ(terms("\u0939\u093F\u0928\u094D\u0926\u0940"),
            "0:\u0939\u093F\u0928\u094D\u0926\u0940*");  // marks are of the word
}

TEST(Terms, BeyondAsciiHaveJointsAndHumpsToo) {
  EXPECT_EQ(terms("stra\u00DFe/k\u00F6ln.txt"),
            "0:strasse/k\u00F6ln.txt 0:strasse* 1:k\u00F6ln.txt 1:k\u00F6ln* 2:txt*");
  EXPECT_EQ(terms("get\u00DCberName"), "0:get\u00FCbername 0:get* 1:\u00FCber* 2:name*");
  EXPECT_EQ(source_of("get\u00DCberName", "\u00FCber"), "\u00DCber");
  EXPECT_EQ(terms("x-\u00E9"), "0:x-\u00E9 0:x* 1:\u00E9*");
}

TEST(Terms, HoldOfAsciiOnlyLettersDigitsAndJoints) {
  EXPECT_EQ(terms("\u2474"), "0:1*");         // folds to (1)
  EXPECT_EQ(terms("\u037Ax"), "0:\u03B9x*");  // folds to a blank and more
}

TEST(Terms, IgnoreWhatHasNoWidthWithinAWord) {
  EXPECT_EQ(terms("con\u00ADtent"), "0:content*");
  EXPECT_EQ(terms("\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645"),
            "0:\u0645\u06CC\u062E\u0648\u0627\u0647\u0645*");
  EXPECT_EQ(terms("a1\u200B b1"), "0:a1* 1:b1*");
  EXPECT_EQ(source_of("con\u00ADtent\u00AD.", "content"), "con\u00ADtent");
  EXPECT_EQ(terms("\u00AD \uFE0F \u200D"), "");
}

TEST(Terms, OfScriptsWithoutSpacesAreCharactersAndPairs) {
  EXPECT_EQ(terms("\u6F22"), "0:\u6F22*");
  EXPECT_EQ(terms("\u6F22\u5B57\u3067"),
            "0:\u6F22\u5B57 0:\u6F22* 1:\u5B57\u3067 1:\u5B57* "
            "2:\u3067*");
  EXPECT_EQ(terms("\u6F22 \u5B57"), "0:\u6F22* 1:\u5B57*");
  EXPECT_EQ(terms("\u4EBA\u3005"), "0:\u4EBA\u3005 0:\u4EBA* 1:\u3005*");
  EXPECT_EQ(terms("\uD55C\uAE00"), "0:\uD55C\uAE00 0:\uD55C* 1:\uAE00*");
  EXPECT_EQ(terms("\u0E44\u0E17\u0E22"),
            "0:\u0E44\u0E17 0:\u0E44* 1:\u0E17\u0E22 1:\u0E17* "
            "2:\u0E22*");
  EXPECT_EQ(terms("\U00020000\U00020001"), "0:\U00020000\U00020001 0:\U00020000* 1:\U00020001*");
  // Punctuation parts them, as anywhere.
  EXPECT_EQ(terms("\u6F22\u3002\u5B57"), "0:\u6F22* 1:\u5B57*");
}

TEST(Terms, OfScriptsWithoutSpacesTakeTheirMarksAlong) {
  EXPECT_EQ(terms("\u0E17\u0E35\u0E48"), "0:\u0E17\u0E35\u0E48*");
  EXPECT_EQ(terms("\u304B\u3099"), "0:\u304C*");        // が in two characters
  EXPECT_EQ(terms("\uFF76\uFF9E"), "0:\u30AC*");        // ガ in half width
  EXPECT_EQ(terms("\u1112\u1161\u11AB"), "0:\uD55C*");  // 한 letter by letter
  EXPECT_EQ(source_of("\uFF76\uFF9E", "\u30AC"), "\uFF76\uFF9E");
}

TEST(Terms, OfScriptsWithoutSpacesBreakOtherWords) {
  EXPECT_EQ(terms("abc\u6F22def"), "0:abc* 1:\u6F22* 2:def*");
  EXPECT_EQ(terms("x/\u6F22.txt"), "0:x* 1:\u6F22* 2:txt*");
}

TEST(Terms, AreEmojiOneByOne) {
  EXPECT_EQ(terms("ok\U0001F44D\U0001F3FD!"), "0:ok* 1:\U0001F44D*");
  EXPECT_EQ(terms("\u2764\uFE0F\u200D\U0001F525"), "0:\u2764* 1:\U0001F525*");
  EXPECT_EQ(terms("\u2714\u2714"), "0:\u2714* 1:\u2714*");
}

TEST(Terms, SayWhichAreStopWords) {
  EXPECT_EQ(terms("The cat and there a Will"), "0:the*~ 1:cat* 2:and*~ 3:there*~ 4:a*~ 5:will*~");
  EXPECT_EQ(terms("thee ands tha i"), "0:thee* 1:ands* 2:tha* 3:i*");
  // All of them.
  for (const Told& term :
       told("a an and are as at be but by for if in into is it no not of on or such that the their "
            "then there these they this to was will with")) {
    EXPECT_TRUE(term.is_stop) << term.text;
  }
}

TEST(Terms, PassOverDataButCountIt) {
  const std::string most(kMaxDataBytes, 'Q');
  EXPECT_EQ(terms("x " + most + " y").substr(0, 6), "0:x* 1");
  EXPECT_EQ(terms("x " + most + "Q y"), "0:x* 2:y*");
  EXPECT_EQ(terms("x.Q" + most + ".y"), "0:x* 2:y*");
  EXPECT_EQ(terms("Q" + most), "");
  // Its bytes need not be letters, nor the first ones.
  EXPECT_EQ(terms("x " + most + "= y"), "0:x* 2:y*");
  EXPECT_EQ(terms("x =" + most + " y"), "0:x* 2:y*");
  EXPECT_EQ(terms("x \u00E9Q" + most + " y"), "0:x* 1:\u00E9* 3:y*");
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += "aB/+3=_-Zz0";
  EXPECT_EQ(terms(lines + "\nend"), "1:end*");
  // Broken into lines, as data often is, it is words: none of its lines is that long.
  EXPECT_EQ(terms(most + "\n" + most),
            "0:"s + std::string(250, 'q') + "* 1:" + std::string(250, 'q') + "*");
}

TEST(Terms, FindDataWhereverItBegins) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (const std::size_t words : {0, 1, 170, 171, 172, 600}) {
      std::string text(before, ' ');
      for (std::size_t i = 0; i < words; ++i) text += "words ";
      const std::string short_enough = text + std::string(kMaxDataBytes, 'z') + " tail";
      const std::string data = text + std::string(kMaxDataBytes + 1, 'z') + " tail";
      ASSERT_EQ(told(short_enough).size(), words + 2);
      ASSERT_EQ(told(data).size(), words + 1);
      ASSERT_EQ(told(data).back().position, words + 1);
    }
  }
}

TEST(Terms, AreCutWhereTheyAreTooLong) {
  const std::string word(300, 'y');
  ASSERT_EQ(told(word).size(), 1u);
  EXPECT_EQ(told(word)[0].text, std::string(kMaxTermBytes, 'y'));
  EXPECT_EQ(told(word)[0].end, 300u);
  // Between code points: 83 of three bytes each are 249.
  std::string long_word;
  for (int i = 0; i < 90; ++i) long_word += "\u1E01";
  EXPECT_EQ(told(long_word)[0].text.size(), 249u);
  EXPECT_EQ(terms(long_word + "x"), terms(long_word + "y"));
}

TEST(Terms, OfEndlessWholesAreBounded) {
  std::string chain = "a";
  for (int i = 0; i < 10000; ++i) chain += ".b";
  const std::vector<Told> all = told(chain);
  EXPECT_EQ(all.back().position, 10000u);
  EXPECT_LT(all.size(), 10100u);
  std::string word;
  for (int i = 0; i < 100000; ++i) word += "\u0436";
  EXPECT_EQ(told(word).size(), 1u);
}

TEST(Terms, OfAnyBytesAreWords) {
  EXPECT_EQ(terms("x\0y"s), "0:x* 1:y*");
  EXPECT_EQ(terms("x\xFFy\xC3 z\xE2\x80"), "0:x* 1:y* 2:z*");
  EXPECT_EQ(terms("x\xED\xA0\x80y"), "0:x* 1:y*");  // a surrogate
  EXPECT_EQ(terms("\x80\xBF"), "");
  EXPECT_EQ(terms("x.\xFF"), "0:x*");
  EXPECT_EQ(terms("x\x1B[31mred"), "0:x* 1:31mred*");
}

// What a query types is found in a text: the terms of a word are the same wherever it stands.
TEST(Terms, OfAWordAreTheSameAloneAndInAText) {
  for (const std::string& word :
       {"plain"s, "src/base/fileName.hpp"s, "--no-verify"s, "v1.2.3"s, "HTMLParser"s,
        "1a2b3c4d5e6f7a8b9c"s, "don\u2019t"s, "Stra\u00DFe"s, "\u6F22\u5B57"s, "\U0001F44D"s}) {
    const std::vector<Told> alone = told(word);
    ASSERT_FALSE(alone.empty());
    for (const std::string& text :
         {"see (" + word + "), now", "\"" + word + "\"\n", word + "; x"}) {
      const std::vector<Told> all = told(text);
      EXPECT_NE(std::ranges::search(all, alone).begin(), all.end()) << text;
    }
  }
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"a",
                                                   "B",
                                                   "z",
                                                   "Zz",
                                                   "7",
                                                   "v1",
                                                   "abcdef0123",
                                                   " ",
                                                   "  ",
                                                   "\n",
                                                   ".",
                                                   "_",
                                                   "__",
                                                   "-",
                                                   "/",
                                                   ":",
                                                   "::",
                                                   "'",
                                                   "@",
                                                   "=",
                                                   "\u2019",
                                                   "\u00E9",
                                                   "\u00C9",
                                                   "\u0301",
                                                   "\u00AD",
                                                   "\u200D",
                                                   "\uFE0F",
                                                   "\u6F22",
                                                   "\u5B57",
                                                   "\uFF76",
                                                   "\uFF9E",
                                                   "\u1112",
                                                   "\u1161",
                                                   "\u0E17",
                                                   "\u0E35",
                                                   "\u2474",
                                                   "\uFDFA",
                                                   "\uFB01",
                                                   "\u0436",
                                                   "\u0130",
                                                   "\u0345",
                                                   "\u115F",
                                                   "\xFF",
                                                   "\xC3",
                                                   "\xE2\x80",
                                                   "\0"s,
                                                   "\U0001F44D",
                                                   "\U0001F3FD",
                                                   "the",
                                                   "URLs",
                                                   "\u05E9",
                                                   std::string(400, 'x'),
                                                   std::string(700, '=')};
  std::string text;
  for (std::size_t i = random() % 24; i > 0; --i) text += kPieces[random() % kPieces.size()];
  return text;
}

TEST(Terms, OfRandomTextKeepTheirPromises) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 10000; ++round) {
    const std::string text = random_text(random);
    const bool may_hold_data = text.size() > kMaxDataBytes;
    std::uint32_t position = 0, leaves = 0;
    std::size_t leaf_end = 0;
    for (const Told& term : told(text)) {
      ASSERT_LT(term.begin, term.end);
      ASSERT_LE(term.end, text.size());
      ASSERT_FALSE(term.text.empty());
      ASSERT_LE(term.text.size(), kMaxTermBytes);
      ASSERT_GE(term.position, position);
      position = term.position;
      if (!term.is_leaf) continue;
      ASSERT_GE(term.begin, leaf_end);
      leaf_end = term.end;
      ASSERT_TRUE(may_hold_data ? position >= leaves : position == leaves);
      leaves = position + 1;
    }
  }
}

TEST(ToolTerm, IsFoldedAndLikeNoTermOfAText) {
  EXPECT_EQ(tool_term("Bash"), "tool=bash");
  EXPECT_EQ(tool_term("mcp__github__Create-Issue"), "tool=mcp__github__create-issue");
  EXPECT_EQ(tool_term("My \"Tool\"\n'x'"), "tool=my__tool___x_");
  EXPECT_EQ(tool_term("\u00DCber\u00A0Werkzeug"), "tool=\u00FCber_werkzeug");
  EXPECT_EQ(tool_term("x\xFF"), "tool=x\uFFFD");
  EXPECT_EQ(tool_term(""), "tool=");
  EXPECT_EQ(tool_term(std::string(2000, 'x')).size(), kMaxTermBytes);
}

}  // namespace
}  // namespace weft::search
