#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include "weft/base/json.hpp"

namespace weft {
namespace {

ParsedJson parsed(std::string_view text) {
  Result<ParsedJson> result = parse_json(text);
  EXPECT_TRUE(result) << text << ": " << (result ? "" : result.error().message);
  return result ? *std::move(result) : ParsedJson{};
}

json::value exactly(std::string_view text) {
  ParsedJson result = parsed(text);
  EXPECT_FALSE(result.inexact) << text;
  return std::move(result.value);
}

json::value inexactly(std::string_view text) {
  ParsedJson result = parsed(text);
  EXPECT_TRUE(result.inexact) << text;
  return std::move(result.value);
}

// The error's message, once its code is what every broken text gets.
std::string refusal(std::string_view text) {
  const Result<ParsedJson> result = parse_json(text);
  if (result) {
    ADD_FAILURE() << "accepted: " << text;
    return {};
  }
  EXPECT_EQ(result.error().code, ErrorCode::invalid_input);
  return result.error().message;
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(ParseJson, LaysTheValueIntoTheMemoryItIsGivenAndThatLivesAsLongAsAnyPartOfIt) {
  const std::string text =
      R"({"a":[1,2.5,{"deep":"a string that is longer than what fits beside its pointer"}],"b":{}})";
  std::optional<json::value> moved;
  json::value copied;
  {
    Result<ParsedJson> parsed = parse_json(text, memory_for_json(4));  // it grows
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->value, exactly(text));
    EXPECT_NE(parsed->value.storage(), json::storage_ptr());
    copied = parsed->value;  // into memory of its own, as a caller does to keep it
    moved.emplace(std::move(parsed->value.at("a")));
  }
  EXPECT_EQ(copied, exactly(text));
  EXPECT_EQ(copied.storage(), json::storage_ptr());
  EXPECT_EQ(moved->at(2), exactly(text).at("a").at(2));
}

TEST(ParseJson, ReadsEveryKindOfValue) {
  EXPECT_EQ(
      exactly(R"( {"a":[null,true,false,"x",1,-1,0.5,{},[]]} )"),
      json::value({{"a", {nullptr, true, false, "x", 1, -1, 0.5, json::object(), json::array()}}}));
  EXPECT_EQ(exactly("\t\r\n null\n"), json::value(nullptr));
  EXPECT_EQ(exactly(R"("")"), json::value(""));
}

TEST(ParseJson, KeepsTheOrderOfMembersForThoseWhoPrintIt) {
  const json::value value = exactly(R"({"z":1,"a":2,"m":3})");
  std::string keys;
  for (const auto& member : value.get_object()) keys += member.key();
  EXPECT_EQ(keys, "zam");
}

TEST(ParseJson, ReadsIntegersOf64BitsDigitForDigit) {
  EXPECT_EQ(exactly("9223372036854775807").as_int64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(exactly("-9223372036854775808").as_int64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(exactly("9223372036854775808").as_uint64(), 9223372036854775808u);
  EXPECT_EQ(exactly("18446744073709551615").as_uint64(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(exactly("9007199254740993").as_int64(), 9007199254740993);  // no double equals it
}

TEST(ParseJson, ReadsMinusZeroAsTheZeroThatCanonicalJsonWrites) {
  EXPECT_EQ(exactly("-0").as_int64(), 0);
  EXPECT_EQ(exactly("-0.0").as_double(), 0.0);
}

TEST(ParseJson, ReadsAFractionOrAnExponentAsADouble) {
  EXPECT_EQ(exactly("1.0").as_double(), 1.0);
  EXPECT_EQ(exactly("1e3").as_double(), 1000.0);
  EXPECT_EQ(exactly("1E-2").as_double(), 0.01);
  EXPECT_EQ(exactly("1e+23").as_double(), 1e23);
}

TEST(ParseJson, RoundsToTheNearestDoubleWhereBoostIsOffByOne) {
  for (const char* text :
       {"6.22521396587436e-214", "9007199254740993.0", "2.2250738585072011e-308",
        "1.7976931348623157e308", "4.9e-324", "0.1", "123456789.123456789e-30",
        "0.000000000000000000000000000000000000000000000000012345678901234567890"}) {
    double want = 0;
    std::from_chars(text, text + std::string_view(text).size(), want);
    EXPECT_EQ(exactly(text).as_double(), want) << text;
  }
}

TEST(ParseJson, ReadsAMillionRandomDoublesBackExactly) {
  const unsigned seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 1'000'000; ++i) {
    const double number = std::bit_cast<double>(random());
    if (!std::isfinite(number)) continue;
    char text[32];
    // An exponent makes every one of them a double, whole numbers too.
    const auto end =
        std::to_chars(text, text + sizeof text, number, std::chars_format::scientific).ptr;
    const Result<ParsedJson> result = parse_json({text, end});
    ASSERT_TRUE(result) << text;
    ASSERT_FALSE(result->inexact);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(result->value.as_double()),
              std::bit_cast<std::uint64_t>(number));
  }
}

TEST(ParseJson, SaysSoWhereANumberIsBeyondDouble) {
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(inexactly("1e400").as_double(), max);
  EXPECT_EQ(inexactly("-1e400").as_double(), -max);
  EXPECT_EQ(inexactly("1e-400").as_double(), 0.0);
  EXPECT_EQ(inexactly("1.7976931348623159e308").as_double(), max);
  EXPECT_EQ(inexactly("1" + std::string(400, '0')).as_double(), max);
  EXPECT_EQ(inexactly("0." + std::string(400, '0') + "1").as_double(), 0.0);
  EXPECT_EQ(exactly("0e400").as_double(), 0.0);
  EXPECT_EQ(exactly("0.0e-400").as_double(), 0.0);
}

TEST(ParseJson, ReadsExponentsOfAnyLengthBecauseJsonHasNoLimit) {
  const double max = std::numeric_limits<double>::max();
  EXPECT_EQ(inexactly("1e99999999999999999999").as_double(), max);
  EXPECT_EQ(inexactly("-1E+2147483648").as_double(), -max);
  EXPECT_EQ(inexactly("1e-99999999999999999999").as_double(), 0.0);
  EXPECT_EQ(exactly("0e99999999999999999999").as_double(), 0.0);
  EXPECT_EQ(exactly("1e000000000000000000000003").as_double(), 1000.0);
  // The rest of the text stays as it is, and offsets still hold.
  EXPECT_EQ(inexactly(R"([1e99999999999,"\"1e99999999999",2])").at(1), R"("1e99999999999)");
  EXPECT_EQ(refusal("[1e99999999999 x]"), "JSON at byte 15: unexpected character");
  EXPECT_EQ(refusal("[1e99999999999"), "JSON at byte 14: the text ends too early");
}

TEST(ParseJson, SaysSoWhereADoubleLosesDigitsOfALargeInteger) {
  EXPECT_EQ(inexactly("18446744073709551616").as_double(), 18446744073709551616.0);
  EXPECT_EQ(inexactly("-9223372036854775809").as_double(), -9223372036854775809.0);
  EXPECT_EQ(inexactly("123456789012345678901234567890").as_double(), 1.2345678901234568e29);
  // What we write ourselves for a double is read back with no complaint.
  EXPECT_EQ(exactly("18446744073709552000").as_double(), 18446744073709551616.0);
  EXPECT_EQ(exactly("-9223372036854776000").as_double(), -9223372036854775808.0);
  EXPECT_EQ(exactly("295147905179352830000").as_double(), 295147905179352825856.0);
  EXPECT_EQ(exactly("1000000000000000000000000").as_double(), 1e24);
}

TEST(ParseJson, TakesTheLastOfEqualKeysAndSaysSo) {
  EXPECT_EQ(inexactly(R"({"a":1,"b":2,"a":3})"), json::value({{"a", 3}, {"b", 2}}));
  EXPECT_EQ(inexactly(R"([{"a":1,"\u0061":2}])"), json::value({{{"a", 2}}}));
  EXPECT_EQ(inexactly(R"({"a":{"x":1},"a":null})"), json::value({{"a", nullptr}}));
  EXPECT_EQ(inexactly(R"({"a":[{"b":{"c":1,"c":1}}]})"),
            json::value({{"a", json::array{{{"b", {{"c", 1}}}}}}}));
  EXPECT_EQ(exactly(R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]})").at("a").at("a").at("a"), 1);
}

TEST(ParseJson, FindsEqualKeysInObjectsLargeEnoughToBeHashed) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"key " + std::to_string(i) + "\":0,";
  EXPECT_EQ(exactly(text + "\"end\":1}").as_object().size(), 1001u);
  EXPECT_EQ(inexactly(text + "\"key 500\":1}").as_object().size(), 1000u);
}

TEST(ParseJson, UndoesEveryEscape) {
  EXPECT_EQ(exactly(R"("\"\\\/\b\f\n\r\t")"), "\"\\/\b\f\n\r\t");
  EXPECT_EQ(exactly(R"("\u0041\u00e9\u20AC\uffff")"), "A\u00E9\u20AC\uFFFF");
  EXPECT_EQ(exactly(R"("\ud83d\ude00 \uDBFF\uDFFF")"), "\U0001F600 \U0010FFFF");
  EXPECT_EQ(exactly(R"("a\u0000b")"), json::value(json::string("a\0b", 3)));
  EXPECT_EQ(exactly(R"({"\n\u0041":1})").at("\nA"), 1);
}

TEST(ParseJson, ReadsLongStringsWithAndWithoutEscapes) {
  const std::string plain(100'000, 'x');
  EXPECT_EQ(exactly('"' + plain + '"'), json::value(plain));
  std::string escaped;
  std::string want;
  for (int i = 0; i < 10'000; ++i) {
    escaped += R"(word\n)";
    want += "word\n";
  }
  EXPECT_EQ(exactly('"' + escaped + '"'), json::value(want));
}

TEST(ParseJson, RefusesWhatIsNotJson) {
  for (const char* text : {"",
                           " ",
                           "nul",
                           "nulll",
                           "True",
                           "NaN",
                           "Infinity",
                           "-Infinity",
                           "undefined",
                           "'a'",
                           "01",
                           "-01",
                           "+1",
                           ".5",
                           "1.",
                           "1.e1",
                           "1e",
                           "1e+",
                           "-",
                           "--1",
                           "0x10",
                           "1_000",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{\"a\":1,}",
                           "{,}",
                           "{a:1}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\" 1}",
                           "{1:1}",
                           "[}",
                           "{]",
                           "]",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"tab\there\"",
                           "\"line\nend\"",
                           "// comment\n1",
                           "/* comment */1",
                           "1 2",
                           "{}{}",
                           "[]]",
                           "\xEF\xBB\xBF{}"}) {
    refusal(text);
  }
}

TEST(ParseJson, NamesTheOffsetAndTheReason) {
  EXPECT_EQ(refusal(""), "JSON at byte 0: the text ends too early");
  EXPECT_EQ(refusal("[1,2"), "JSON at byte 4: the text ends too early");
  EXPECT_EQ(refusal("[1.]"), "JSON at byte 3: unexpected character");
  EXPECT_EQ(refusal("-"), "JSON at byte 1: the text ends too early");
  EXPECT_EQ(refusal(R"({"a":nope})"), "JSON at byte 5: unexpected character");
  EXPECT_EQ(refusal("\"a\nb\""), "JSON at byte 2: unexpected control character");
  EXPECT_EQ(refusal("{} {}"), "JSON at byte 3: something follows the value");
}

TEST(ParseJson, NeverShowsTheTextBecauseErrorsAreLogged) {
  for (const char* text : {"secret", R"({"secret)", R"("secret)", R"({"a":secret})",
                           R"("secret\q")", R"(["secret" secret])"}) {
    EXPECT_EQ(refusal(text).find("secret"), std::string::npos);
  }
}

TEST(ParseJson, RefusesBrokenUtf8AndLoneSurrogatesSoThatNoValueHoldsThem) {
  for (const char* text : {"\"\xFF\"", "\"\xC3\"", "\"\xC0\xAF\"", "\"\xED\xA0\x80\"",
                           "\"\xF4\x90\x80\x80\"", "\"abc\xE2\x82\"", "{\"\x80\":1}", "\"\xE2\x82",
                           R"("\ud83d")", R"("\ude00")", R"("\ud83d\u0041")", R"("\ud83dx")"}) {
    refusal(text);
  }
}

TEST(ParseJson, GoesAThousandLevelsDeepAndNoFurther) {
  EXPECT_TRUE(parse_json(nested(kMaxJsonDepth)));
  EXPECT_EQ(refusal(nested(kMaxJsonDepth + 1)), "JSON at byte 1000: nested too deeply");
}

TEST(ParseJson, RefusesAHundredThousandLevelsWithoutRunningOutOfStack) {
  EXPECT_EQ(refusal(nested(100'000)), "JSON at byte 1000: nested too deeply");
  EXPECT_EQ(refusal(std::string(100'000, '[')), "JSON at byte 1000: nested too deeply");
  std::string objects;
  for (int i = 0; i < 100'000; ++i) objects += R"({"a":)";
  EXPECT_EQ(refusal(objects), "JSON at byte 5000: nested too deeply");
}

TEST(ParseJson, RefusesATextCutAnywhere) {
  const std::string text =
      "{\"a\\n\\u00e9\\ud83d\\ude00\":[1,-2.5e-3,18446744073709551615,true,false,null,"
      "\"\u20AC\U0001F600\"],\"b\":{}}";
  exactly(text);
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(refusal(text.substr(0, size)),
              "JSON at byte " + std::to_string(size) + ": the text ends too early");
  }
}

TEST(ParseJson, RefusesMoreValuesThanMemoryShouldHold) {
  std::string flat = "[0";
  for (std::size_t i = 0; i < kMaxJsonValues; ++i) flat += ",0";
  flat += ']';
  EXPECT_EQ(parse_json(flat).error().code, ErrorCode::invalid_input);

  std::string nested = "[";
  for (std::size_t i = 0; i <= kMaxJsonValues / 4; ++i) nested += "[0,0,0],";
  nested += "0]";
  EXPECT_EQ(parse_json(nested).error().code, ErrorCode::invalid_input);
}

}  // namespace
}  // namespace weft
