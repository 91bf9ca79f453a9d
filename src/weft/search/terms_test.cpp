#include "weft/search/terms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "weft/search/terms_for_test.hpp"

namespace weft::search {
namespace {

using namespace std::string_literals;
using test::emitted_terms;
using test::EmittedTerm;
using test::source_of;
using test::terms;

TEST(Terms, AreWordsFoldedAndCounted) {
  EXPECT_EQ(terms(""), "");
  EXPECT_EQ(terms(" \t\n.,;!?-"), "");
  EXPECT_EQ(terms("hello"), "0:hello*");
  EXPECT_EQ(terms("Hello, World!"), "0:hello* 1:world*");
  EXPECT_EQ(terms("(x) = [42]; \"done\""), "0:x* 1:42* 2:done*");
  EXPECT_EQ(terms("SHOUTING"), "0:shouting*");
}

TEST(Terms, AreNoColoursOfATerminal) {
  EXPECT_EQ(terms("\x1b[1;31merror\x1b[0m: no \x1b[mred\x1b[?25h \x1b[2Kcat"),
            "0:error* 1:no*~ 2:red* 3:cat*");
  EXPECT_EQ(terms("[31mred"), "0:31mred*");  // as somebody may have typed it
  EXPECT_EQ(terms("\x1b[31"), "0:31*");      // cut off
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

TEST(Terms, SayWhichAreStopWords) {
  EXPECT_EQ(terms("The cat and there a Will"), "0:the*~ 1:cat* 2:and*~ 3:there*~ 4:a*~ 5:will*~");
  EXPECT_EQ(terms("thee ands tha i"), "0:thee* 1:ands* 2:tha* 3:i*");
  // All of them.
  for (const EmittedTerm& term : emitted_terms(
           "a an and are as at be but by for if in into is it no not of on or such that the their "
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
    for (const std::size_t words : {0U, 1U, 170U, 171U, 172U, 600U}) {
      std::string text(before, ' ');
      for (std::size_t i = 0; i < words; ++i) text += "words ";
      const std::string short_enough = text + std::string(kMaxDataBytes, 'z') + " tail";
      const std::string data = text + std::string(kMaxDataBytes + 1, 'z') + " tail";
      ASSERT_EQ(emitted_terms(short_enough).size(), words + 2);
      ASSERT_EQ(emitted_terms(data).size(), words + 1);
      ASSERT_EQ(emitted_terms(data).back().position, words + 1);
    }
  }
}

TEST(Terms, AreCutWhereTheyAreTooLong) {
  const std::string word(300, 'y');
  ASSERT_EQ(emitted_terms(word).size(), 1u);
  EXPECT_EQ(emitted_terms(word)[0].text, std::string(kMaxTermBytes, 'y'));
  EXPECT_EQ(emitted_terms(word)[0].end, 300u);
  // Between code points: 83 of three bytes each are 249.
  std::string long_word;
  for (int i = 0; i < 90; ++i) long_word += "\u1E01";
  EXPECT_EQ(emitted_terms(long_word)[0].text.size(), 249u);
  EXPECT_EQ(terms(long_word + "x"), terms(long_word + "y"));
}

TEST(Terms, OfEndlessWholesAreBounded) {
  std::string chain = "a";
  for (int i = 0; i < 10000; ++i) chain += ".b";
  const std::vector<EmittedTerm> all = emitted_terms(chain);
  EXPECT_EQ(all.back().position, 10000u);
  EXPECT_LT(all.size(), 10100u);
  std::string word;
  for (int i = 0; i < 100000; ++i) word += "\u0436";
  EXPECT_EQ(emitted_terms(word).size(), 1u);
}

// What a query types is found in a text: the terms of a word are the same wherever it stands.
TEST(Terms, OfAWordAreTheSameAloneAndInAText) {
  for (const std::string& word :
       {"plain"s, "src/base/fileName.hpp"s, "--no-verify"s, "v1.2.3"s, "HTMLParser"s,
        "1a2b3c4d5e6f7a8b9c"s, "don\u2019t"s, "Stra\u00DFe"s, "\u6F22\u5B57"s, "\U0001F44D"s}) {
    const std::vector<EmittedTerm> alone = emitted_terms(word);
    ASSERT_FALSE(alone.empty());
    for (const std::string& text :
         {"see (" + word + "), now", "\"" + word + "\"\n", word + "; x"}) {
      const std::vector<EmittedTerm> all = emitted_terms(text);
      EXPECT_NE(std::ranges::search(all, alone).begin(), all.end()) << text;
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
