#include "weft/formats/framing/framing.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace weft::formats {
namespace {

struct RecordContent {
  std::string text;
  std::uint64_t line = 0, offset = 0;
  std::string member;
  bool cut = false, stray = false;
  friend bool operator==(const RecordContent&, const RecordContent&) = default;
};
void PrintTo(const RecordContent& content, std::ostream* out) {
  *out << "{" << content.text << " line " << content.line << " offset " << content.offset
       << " member " << content.member << (content.cut ? " cut" : "")
       << (content.stray ? " stray" : "") << "}";
}

struct Framed {
  std::vector<RecordContent> records;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> oversize;  // line, bytes
  friend bool operator==(const Framed&, const Framed&) = default;

  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    texts.reserve(records.size());
    for (const RecordContent& content : records) {
      texts.push_back(content.member.empty() ? content.text : content.member + "=" + content.text);
    }
    return texts;
  }
};

Framed frame(Framer& framer, const std::vector<std::string_view>& pieces) {
  Framed framed;
  const OnRecord record = [&](const Record& r) {
    framed.records.push_back(
        {std::string(r.text), r.line, r.offset, std::string(r.member), r.cut, r.stray});
  };
  const OnOversize oversize = [&](std::uint64_t line, std::uint64_t bytes) {
    framed.oversize.emplace_back(line, bytes);
  };
  for (const std::string_view piece : pieces) framer.push(piece, record, oversize);
  framer.end(record, oversize);
  return framed;
}

Framed lines(std::string_view text) { return frame(*line_framer(), {text}); }
Framed sections(std::string_view text) { return frame(*section_framer(), {text}); }
Framed document(std::string_view text) { return frame(*json_framer({"turns", "also"}), {text}); }

using Texts = std::vector<std::string>;

TEST(LineFramer, CutsAtLineFeedsOnly) {
  EXPECT_EQ(lines("a\vb\xC2\x85"
                  "c\r\nd\re\n")
                .texts(),
            (Texts{"a\vb\xC2\x85"
                   "c",
                   "d\re"}));
}

TEST(LineFramer, CountsEmptyLinesButDoesNotTellThem) {
  const Framed framed = lines("\n\r\nthird\n");
  ASSERT_EQ(framed.records.size(), 1u);
  EXPECT_EQ(framed.records[0], (RecordContent{.text = "third", .line = 3, .offset = 3}));
}

TEST(LineFramer, DropsAByteOrderMarkAtTheStartOnly) {
  const Framed framed = lines(
      "\xEF\xBB\xBF"
      "a\n\xEF\xBB\xBF"
      "b\n");
  EXPECT_EQ(framed.texts(), (Texts{"a",
                                   "\xEF\xBB\xBF"
                                   "b"}));
  EXPECT_EQ(framed.records[0].offset, 3u);
}

TEST(LineFramer, TellsALastLineWithoutItsEndAsCut) {
  const Framed framed = lines("a\nb");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_FALSE(framed.records[0].cut);
  EXPECT_TRUE(framed.records[1].cut);
}

TEST(LineFramer, ReportsALineBeyondTheLimitAndGoesOn) {
  const std::string piece(1 << 20, 'x');
  std::vector<std::string_view> pieces = {"first\n"};
  for (int i = 0; i < 65; ++i) pieces.push_back(piece);
  pieces.push_back("\nlast\n");
  const Framed framed = frame(*line_framer(), pieces);
  EXPECT_EQ(framed.texts(), (Texts{"first", "last"}));
  ASSERT_EQ(framed.oversize.size(), 1u);
  EXPECT_EQ(framed.oversize[0], (std::pair<std::uint64_t, std::uint64_t>{2, 65u << 20}));
  EXPECT_EQ(framed.records[1].line, 3u);
}

TEST(SectionFramer, CutsAtLinesOfTenEqualsSigns) {
  EXPECT_EQ(sections("a\n==========\nb\n=========\nc\n============  \r\nd").texts(),
            (Texts{"a", "b\n=========\nc", "d"}));
}

TEST(SectionFramer, LeavesOutWhiteSpaceAroundAndEmptySections) {
  const Framed framed =
      sections("\xEF\xBB\xBF\r\n \n  a\r\nb  \r\n\n==========\n\n==========\n\nc\n");
  EXPECT_EQ(framed.texts(), (Texts{"a\r\nb", "c"}));
  EXPECT_EQ(framed.records[0].line, 3u);
  EXPECT_EQ(framed.records[0].offset, 9u);
  EXPECT_EQ(framed.records[1].line, 10u);
}

TEST(SectionFramer, KeepsEqualsSignsWithinALine) {
  EXPECT_EQ(sections("x ==========\n========== y\n").texts(),
            (Texts{"x ==========\n========== y"}));
}

TEST(SectionFramer, TellsALastSectionWithoutSeparatorAsCut) {
  const Framed framed = sections("a\n==========\nb");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_FALSE(framed.records[0].cut);
  EXPECT_TRUE(framed.records[1].cut);
  EXPECT_FALSE(sections("a\n==========").records[0].cut);
}

TEST(SectionFramer, ReportsASectionBeyondTheLimitAndGoesOn) {
  const std::string line(1 << 20, '=');
  std::vector<std::string_view> pieces = {"a\n==========\n"};
  for (int i = 0; i < 65; ++i) {
    pieces.push_back("x");
    pieces.push_back(line);
    pieces.push_back("\n");
  }
  pieces.push_back("==========\nb\n");
  const Framed framed = frame(*section_framer(), pieces);
  EXPECT_EQ(framed.texts(), (Texts{"a", "b"}));
  ASSERT_EQ(framed.oversize.size(), 1u);
  EXPECT_EQ(framed.oversize[0].first, 3u);
}

TEST(JsonFramer, TellsTheElementsOfAnArray) {
  const Framed framed = document("\xEF\xBB\xBF [1, \"a,]\\\"\" ,\n{\"b\":[2,3]},[4] , true]\n");
  EXPECT_EQ(framed.texts(), (Texts{"1", "\"a,]\\\"\"", "{\"b\":[2,3]}", "[4]", "true"}));
  EXPECT_EQ(framed.records[2].line, 2u);
  for (const RecordContent& content : framed.records) EXPECT_FALSE(content.cut || content.stray);
}

TEST(JsonFramer, TellsMembersBeforeElementsWhateverTheirOrder) {
  EXPECT_EQ(document(R"({"a":1,"turns":[2,3],"title":"x","b":{"c":[]}})").texts(),
            (Texts{"a=1", "title=\"x\"", "b={\"c\":[]}", "2", "3"}));
}

TEST(JsonFramer, CutsUpTheFirstArrayUnderItsKeysOnly) {
  EXPECT_EQ(document(R"({"turns":"no","also":[1,2],"turns":[3]})").texts(),
            (Texts{"turns=\"no\"", "turns=[3]", "1", "2"}));
}

TEST(JsonFramer, LetsABrokenElementHarmOnlyItself) {
  EXPECT_EQ(document(R"([{"a":[1}, {"b" 2]}, nonsense here, {"c":3}])").texts(),
            (Texts{R"({"a":[1})", R"({"b" 2]})", "nonsense here", R"({"c":3})"}));
}

TEST(JsonFramer, TellsWhatFollowsTheDocumentAsStray) {
  const Framed framed = document("[1]\n{\"a\":2}\n");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_FALSE(framed.records[0].stray);
  EXPECT_TRUE(framed.records[1].stray);
  EXPECT_EQ(framed.records[1].text, "{\"a\":2}");
  EXPECT_EQ(framed.records[1].line, 2u);
}

TEST(JsonFramer, TellsWhatIsNoDocumentAsStray) {
  const Framed framed = document(" plain text\n");
  ASSERT_EQ(framed.records.size(), 1u);
  EXPECT_TRUE(framed.records[0].stray);
  EXPECT_EQ(framed.records[0].text, "plain text");
}

TEST(JsonFramer, TellsTheElementInWhichTheFileEndsAsCut) {
  const Framed framed = document(R"({"turns":[{"a":1},{"b":"}])");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_FALSE(framed.records[0].cut);
  EXPECT_TRUE(framed.records[1].cut);
  EXPECT_EQ(framed.records[1].text, R"({"b":"}])");
}

TEST(JsonFramer, TakesAMillionBracketsInItsStride) {
  const std::string deep = std::string(1'000'000, '[') + std::string(1'000'000, ']');
  EXPECT_EQ(document("[" + deep + ",1]").texts(), (Texts{deep, "1"}));
}

TEST(JsonFramer, ReportsAnElementBeyondTheLimitAndGoesOn) {
  const std::string piece(1 << 20, 'x');
  std::vector<std::string_view> pieces = {"[1,\n\""};
  for (int i = 0; i < 65; ++i) pieces.push_back(piece);
  pieces.push_back("\",2]");
  const Framed framed = frame(*json_framer({}), pieces);
  EXPECT_EQ(framed.texts(), (Texts{"1", "2"}));
  ASSERT_EQ(framed.oversize.size(), 1u);
  EXPECT_EQ(framed.oversize[0].first, 2u);
}

TEST(JsonFramer, TellsElementsAsTheyStandOnceTheyAreTooManyToHold) {
  const std::string element = "\"" + std::string(1 << 20, 'x') + "\",";
  std::vector<std::string_view> pieces = {"{\"turns\":["};
  for (int i = 0; i < 70; ++i) pieces.push_back(element);
  pieces.push_back("0],\"title\":1}");
  const Framed framed = frame(*json_framer({"turns"}), pieces);
  ASSERT_EQ(framed.records.size(), 72u);
  EXPECT_EQ(framed.records.back().member, "title");
}

// Two ways, one answer: whole, and in pieces cut anywhere.
TEST(Framers, GiveTheSameRecordsHoweverTheBytesComeIn) {
  const std::vector<std::string> inputs = {
      "\xEF\xBB\xBFx\r\n\r\n==========\r\nb\n=====x\n  ==========\nc",
      R"({"a":"x\"}","turns":[1 , {"b":[2,"]"]},"c\\"],"d":null} tail )",
      "\xEF\xBB\xBF[1,\n[2,[3]],{\"a\":{}},\"s\\\"\"\n]\n",
      R"([{"a":[1},]{"b"]]} x)",
      "=========\n==========\n\n\n===========",
      "{\"\":1,\"a\",\"b\":,:2}",
  };
  using Make = std::unique_ptr<Framer> (*)();
  const Make makers[] = {line_framer, section_framer, [] { return json_framer({"turns"}); },
                         [] { return json_framer({}); }};
  for (const std::string& input : inputs) {
    for (const Make make : makers) {
      const Framed whole = frame(*make(), {input});
      for (std::size_t cut = 0; cut <= input.size(); ++cut) {
        const std::string_view text = input;
        EXPECT_EQ(frame(*make(), {text.substr(0, cut), text.substr(cut)}), whole) << input << cut;
      }
      std::vector<std::string_view> bytes;
      bytes.reserve(input.size());
      for (std::size_t i = 0; i < input.size(); ++i) {
        bytes.push_back(std::string_view(input).substr(i, 1));
      }
      EXPECT_EQ(frame(*make(), bytes), whole) << input;
    }
  }
}

// The offset leads to the record in the file.
TEST(Framers, TellEachRecordWhereItStands) {
  const std::string input = "\xEF\xBB\xBF{\"a\": 1,\n\"turns\": [ 2,\n 3 ]}\n==========\n  b \n";
  for (const auto& framer : {line_framer(), section_framer(), json_framer({"turns"})}) {
    for (const RecordContent& content : frame(*framer, {input}).records) {
      EXPECT_EQ(input.substr(content.offset, content.text.size()), content.text);
      const auto before = std::string_view(input).substr(0, content.offset);
      EXPECT_EQ(content.line, 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n')));
    }
  }
}

Framed events(std::string_view text) { return frame(*sse_framer(), {text}); }

TEST(SseFramer, TellsTheDataOfEachEventUnderItsName) {
  const Framed framed = events("event: one\ndata: {\"a\":1}\n\ndata:2\n\n");
  EXPECT_EQ(framed.texts(), (Texts{"one={\"a\":1}", "2"}));
  EXPECT_EQ(framed.records[0].line, 2u);
  EXPECT_EQ(framed.records[0].offset, 17u);  // of the data, not of the event
  EXPECT_EQ(framed.records[1].line, 4u);
}

TEST(SseFramer, JoinsSeveralDataLinesAndTakesOneBlankOff) {
  EXPECT_EQ(events("data: a\ndata:  b\ndata\ndata: c\n\n").texts(), (Texts{"a\n b\n\nc"}));
}

TEST(SseFramer, EndsLinesAsTheStandardDoes) {
  EXPECT_EQ(events("data: a\r\ndata: b\r\n\r\ndata: c\r\rdata: d\n\n").texts(),
            (Texts{"a\nb", "c", "d"}));
}

TEST(SseFramer, PassesOverCommentsIdsAndEventsWithoutData) {
  EXPECT_EQ(events("\xEF\xBB\xBF: hello\nid: 7\nretry: 10\nevent: ping\n\ndata:\n\n:x\ndata: a\n\n")
                .texts(),
            (Texts{"a"}));
}

TEST(SseFramer, TellsWhatIsNoFieldAsAStrayRecord) {
  const Framed framed = events("HTTP/1.1 200 OK\ndata: a\n\n");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_TRUE(framed.records[0].stray);
  EXPECT_EQ(framed.records[0].text, "HTTP/1.1 200 OK");
  EXPECT_FALSE(framed.records[1].stray);
}

TEST(SseFramer, TellsAnEventThatTheFileEndsInAsCut) {
  const Framed framed = events("data: a\n\ndata: b");
  ASSERT_EQ(framed.records.size(), 2u);
  EXPECT_FALSE(framed.records[0].cut);
  EXPECT_TRUE(framed.records[1].cut);
  EXPECT_EQ(framed.records[1].text, "b");
}

TEST(SseFramer, GivesTheSameRecordsHoweverTheBytesComeIn) {
  constexpr std::string_view kText =
      "event: one\r\ndata: {\"a\":1}\r\n\r\n: c\r\nodd\r\rdata: x\ndata: y\n\ndata: z";
  const Framed whole = events(kText);
  for (std::size_t i = 0; i <= kText.size(); ++i) {
    EXPECT_EQ(frame(*sse_framer(), {kText.substr(0, i), kText.substr(i)}), whole) << i;
  }
}

TEST(SseFramer, NeverHoldsWhatIsTooLarge) {
  const std::string large(kMaxRecordBytes, 'x');
  const Framed framed = frame(*sse_framer(), {"data: ", large, "y\n\ndata: a\n\n"});
  EXPECT_EQ(framed.texts(), (Texts{"a"}));
  ASSERT_EQ(framed.oversize.size(), 1u);
  EXPECT_EQ(framed.oversize[0].first, 1u);
}

TEST(ValuesFramer, CutsBetweenValuesWhateverStandsBetween) {
  const Framed framed = frame(*values_framer(), {"{\"a\":\n1} [2]\n,{\"b\":\"}\"}{\"c\":"});
  EXPECT_EQ(framed.texts(), (Texts{"{\"a\":\n1}", "[2]", "{\"b\":\"}\"}", "{\"c\":"}));
  EXPECT_TRUE(framed.records.back().cut);
  EXPECT_EQ(framed.records[1].line, 2u);
}

}  // namespace
}  // namespace weft::formats
