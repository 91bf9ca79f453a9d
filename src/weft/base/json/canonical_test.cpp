#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "weft/base/json.hpp"

namespace weft {
namespace {

std::string canonical(std::string_view text) {
  const Result<ParsedJson> parsed = parse_json(text);
  EXPECT_TRUE(parsed) << text;
  return parsed ? canonical_json(parsed->value) : std::string();
}

TEST(CanonicalJson, WritesTheSampleOfRfc8785) {
  // Sections 3.2.2 and 3.2.3.
  EXPECT_EQ(canonical(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })"),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"\u20AC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
}

TEST(CanonicalJson, SortsKeysByUtf16AsTheExampleOfRfc8785Does) {
  EXPECT_EQ(canonical(R"({
    "\u20ac": "Euro Sign",
    "\r": "Carriage Return",
    "\ufb33": "Hebrew Letter Dalet With Dagesh",
    "1": "One",
    "\ud83d\ude00": "Emoji: Grinning Face",
    "\u0080": "Control",
    "\u00f6": "Latin Small Letter O With Diaeresis"
  })"),
            "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
            "\"\u00F6\":\"Latin Small Letter O With Diaeresis\",\"\u20AC\":\"Euro Sign\","
            "\"\U0001F600\":\"Emoji: Grinning Face\","
            "\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}");
}

TEST(CanonicalJson, WritesTheNumbersOfRfc8785AppendixB) {
  const struct {
    std::uint64_t bits;
    const char* text;
  } vectors[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& [bits, text] : vectors) {
    EXPECT_EQ(canonical_json(std::bit_cast<double>(bits)), text);
  }
}

TEST(CanonicalJson, WritesDoublesAsEcmaScriptDoesAtEachTurnOfItsRules) {
  EXPECT_EQ(canonical_json(1.0), "1");
  EXPECT_EQ(canonical_json(-1.5), "-1.5");
  EXPECT_EQ(canonical_json(10.0), "10");
  EXPECT_EQ(canonical_json(123.456), "123.456");
  EXPECT_EQ(canonical_json(0.1), "0.1");
  EXPECT_EQ(canonical_json(0.0001), "0.0001");
  EXPECT_EQ(canonical_json(0.00000123), "0.00000123");
  EXPECT_EQ(canonical_json(1e-6), "0.000001");
  EXPECT_EQ(canonical_json(1e-7), "1e-7");
  EXPECT_EQ(canonical_json(-1.25e-7), "-1.25e-7");
  EXPECT_EQ(canonical_json(1e20), "100000000000000000000");
  EXPECT_EQ(canonical_json(123456789012345680000.0), "123456789012345680000");
  EXPECT_EQ(canonical_json(1e21), "1e+21");
  EXPECT_EQ(canonical_json(1.5e300), "1.5e+300");
}

TEST(CanonicalJson, WritesIntegersOf64BitsDigitForDigitNeverThroughADouble) {
  EXPECT_EQ(canonical_json(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(canonical_json(std::numeric_limits<std::int64_t>::max()), "9223372036854775807");
  EXPECT_EQ(canonical_json(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(canonical_json(9007199254740993), "9007199254740993");
  EXPECT_EQ(canonical("[-0,0,-1,18446744073709551615]"), "[0,0,-1,18446744073709551615]");
}

TEST(CanonicalJson, WritesTheShortestDigitsThatReadBackForAMillionRandomDoubles) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) {
    // Half of all bit patterns, half of everyday size.
    const double number = i % 2 == 0 ? std::bit_cast<double>(random())
                                     : std::ldexp(static_cast<double>(random()),
                                                  static_cast<int>(random() % 128) - 128);
    if (!std::isfinite(number)) continue;
    text.clear();
    append_canonical(text, json::value(number));
    double back = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(read.ptr, text.data() + text.size()) << text;
    ASSERT_EQ(back, number) << text;
    // As many significant digits as the shortest form, and the same ones.
    char shortest[32];
    const auto end =
        std::to_chars(shortest, shortest + sizeof shortest, number, std::chars_format::scientific);
    const auto significant = [](std::string_view s) {
      std::string digits;
      for (const char c : s.substr(0, s.find('e'))) {
        if (c >= '0' && c <= '9' && !(digits.empty() && c == '0')) digits += c;
      }
      digits.erase(digits.find_last_not_of('0') + 1);
      return digits;
    };
    ASSERT_EQ(significant(text), significant({shortest, end.ptr})) << text;
  }
}

TEST(CanonicalJson, IsReadBackWithNoComplaintWhateverTheDouble) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 100'000; ++i) {
    const double number =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 40) - 20);
    const std::string text = canonical_json(number);
    const Result<ParsedJson> back = parse_json(text);
    ASSERT_TRUE(back) << text;
    ASSERT_FALSE(back->inexact) << text;
    ASSERT_EQ(canonical_json(back->value), text);
  }
}

TEST(CanonicalJson, EscapesWhatMustBeEscapedAndNothingElse) {
  EXPECT_EQ(canonical_json("\"\\/\b\f\n\r\t"), R"("\"\\/\b\f\n\r\t")");
  std::string all;
  for (char c = 0; c < 0x20; ++c) all += c;
  EXPECT_EQ(canonical_json(json::value(all)),
            R"("\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f)"
            R"(\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c)"
            R"(\u001d\u001e\u001f")");
  EXPECT_EQ(canonical_json("\x7F\u0080\u2028\u2029\uFEFF\U0001F600"),
            "\"\x7F\u0080\u2028\u2029\uFEFF\U0001F600\"");
}

TEST(CanonicalJson, EscapesAtEveryPlaceSoThatNoFastPathSkipsOne) {
  for (const auto& [raw, escaped] :
       {std::pair{"\"", "\\\""}, {"\\", "\\\\"}, {"\n", "\\n"}, {"\x1F", "\\u001f"}}) {
    for (std::size_t size = 1; size <= 40; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        for (const char* filler : {"x", " ", "!", "#", "[", "]", "\x7F", "\u00FF"}) {
          std::string text;
          std::string want = "\"";
          for (std::size_t i = 0; i < size; ++i) {
            text += i == at ? raw : filler;
            want += i == at ? escaped : filler;
          }
          ASSERT_EQ(canonical_json(json::value(text)), want + '"');
        }
      }
    }
  }
}

TEST(CanonicalJson, NormalisesNoUnicodeSoThatTextStaysWhatItWas) {
  EXPECT_EQ(canonical(R"({"Unnormalized Unicode":"A\u030a"})"),
            "{\"Unnormalized Unicode\":\"A\u030A\"}");
}

TEST(CanonicalJson, SortsAtEveryLevelAndKeepsArraysInOrder) {
  EXPECT_EQ(canonical(R"([56,{"d":true,"10":null,"1":[]}])"),
            R"([56,{"1":[],"10":null,"d":true}])");
  EXPECT_EQ(canonical(R"({"1":{"f":{"f":"hi","F":5},"\n":56.0},"10":{},"":"empty","a":{},)"
                      R"("111":[{"e":"yes","E":"no"}],"A":{}})"),
            R"({"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},)"
            R"("111":[{"E":"no","e":"yes"}],"A":{},"a":{}})");
}

// UTF-16 code units, spelled out: the slow and obvious way.
std::u16string to_utf16(std::u32string_view text) {
  std::u16string out;
  for (const char32_t c : text) {
    if (c >= 0x10000) {
      out += static_cast<char16_t>(0xD800 + ((c - 0x10000) >> 10));
      out += static_cast<char16_t>(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
      out += static_cast<char16_t>(c);
    }
  }
  return out;
}

std::string to_utf8(std::u32string_view text) {
  std::string out;
  for (const char32_t c : text) {
    const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xC0 | c >> 6), add(0x80 | (c & 63));
    } else if (c < 0x10000) {
      add(0xE0 | c >> 12), add(0x80 | (c >> 6 & 63)), add(0x80 | (c & 63));
    } else {
      add(0xF0 | c >> 18), add(0x80 | (c >> 12 & 63)), add(0x80 | (c >> 6 & 63));
      add(0x80 | (c & 63));
    }
  }
  return out;
}

TEST(CanonicalJson, SortsRandomKeysAsUtf16DoesBeyondTheBmpToo) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr std::u32string_view kLetters =
      U"Az\u007F\u0080\u07FF\u0800\uD7FF\uE000\uEFFF\uF000\uFFFF\U00010000\U0001F600\U0010FFFF";
  for (int round = 0; round < 2'000; ++round) {
    std::vector<std::u32string> keys;
    json::object object;
    const std::size_t count = random() % 50;  // on both sides of the room for few
    for (std::size_t i = 0; i < count; ++i) {
      std::u32string key;
      for (std::size_t size = random() % 4; size > 0; --size) {
        key += kLetters[random() % kLetters.size()];
      }
      if (object.emplace(to_utf8(key), i).second) keys.push_back(key);
    }
    std::ranges::sort(keys, {}, to_utf16);
    std::string want = "{";
    for (const std::u32string& key : keys) {
      if (want.size() > 1) want += ',';
      want += '"' + to_utf8(key) + "\":" + std::to_string(object.at(to_utf8(key)).to_number<int>());
    }
    ASSERT_EQ(canonical_json(object), want + '}');
  }
}

TEST(CanonicalJson, AppendsToWhatIsThere) {
  std::string out = "before:";
  append_canonical(out, json::object{{"b", 1}, {"a", "x"}});
  append_canonical(out, json::value(nullptr));
  append_canonical_string(out, "y");
  EXPECT_EQ(out, R"(before:{"a":"x","b":1}null"y")");
}

}  // namespace
}  // namespace weft
