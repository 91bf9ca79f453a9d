// What every adapter promises, tried on its fixtures: tests/fixtures/<its name>/. A file
// whose name begins with "broken-" has something malformed in it, the others have not. Where
// real files lie beside the project, those that it claims are its fixtures too.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <random>

#include "weft/base/file.hpp"
#include "weft/base/sanitized_for_test.hpp"
#include "weft/formats/adapter.hpp"
#include "weft/formats/apis/anthropic/blocks.hpp"

namespace weft::formats {
namespace {

namespace fs = std::filesystem;
using transcript::Block;
using transcript::Collector;

// Files up to this size are cut at every byte, larger ones at random.
constexpr std::size_t kSmallBytes = 4096;
constexpr int kRandomCuts = 200;

// Real files beyond this take too long to be cut everywhere.
constexpr std::uintmax_t kLargestRealBytes = 200'000;

struct Fixture {
  fs::path path;
  std::string bytes;
  bool is_real = false;  // somebody's: anything may be in it
  bool is_broken() const { return path.filename().string().starts_with("broken-"); }
  SourceInfo info() const { return {.name = path.filename().string()}; }
};

struct Values {
  std::vector<transcript::Conversation> conversations;
  std::vector<transcript::Skipped> skipped;
  std::size_t repairs = 0;
  friend bool operator==(const Values&, const Values&) = default;
};

Values values_of(Collector collector) {
  return {std::move(collector.conversations), std::move(collector.skipped), collector.repairs};
}

class AdapterContract : public testing::TestWithParam<const Adapter*> {
 protected:
  const Adapter& adapter() const { return *GetParam(); }

  std::vector<Fixture> fixtures() const {
    std::string name(adapter().name);
    std::ranges::replace(name, '-', '_');
    std::vector<Fixture> found;
    const fs::path directory = fs::path(WEFT_SOURCE_DIR) / "tests/fixtures" / name;
    for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
      found.push_back({entry.path(), read_file(entry.path()).value()});
    }
    for (const Fixture& real : real_files()) {
      const Result<const Adapter*> claimed = recognise(real.bytes);
      if (claimed && *claimed == &adapter()) found.push_back(real);
    }
    std::ranges::sort(found, {}, &Fixture::path);
    return found;
  }

  static const std::vector<Fixture>& real_files() {
    static const std::vector<Fixture> files = [] {
      std::vector<Fixture> all;
      const fs::path directory = fs::path(WEFT_SOURCE_DIR) / "../shared/fixtures";
      if (!fs::is_directory(directory)) return all;
      for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
        if (!entry.is_regular_file() || entry.file_size() > kLargestRealBytes) continue;
        all.push_back({entry.path(), read_file(entry.path()).value(), true});
      }
      return all;
    }();
    return files;
  }

  Values read(const Fixture& fixture, std::string_view bytes) const {
    Collector collector;
    read_all(adapter(), fixture.info(), bytes, collector);
    return values_of(std::move(collector));
  }

  Values read_in_pieces(const Fixture& fixture, const std::vector<std::size_t>& cuts) const {
    Collector collector;
    const auto framer = adapter().frame(head_of(fixture.bytes));
    const auto reader = adapter().open(fixture.info());
    const OnRecord record = [&](const Record& found) { reader->read(found, collector); };
    const OnOversize oversize = [&](std::uint64_t line, std::uint64_t bytes) {
      collector.skip(skipped_oversize(line, bytes));
    };
    std::size_t from = 0;
    for (const std::size_t cut : cuts) {
      framer->push(std::string_view(fixture.bytes).substr(from, cut - from), record, oversize);
      from = cut;
    }
    framer->push(std::string_view(fixture.bytes).substr(from), record, oversize);
    framer->end(record, oversize);
    reader->finish(collector);
    return values_of(std::move(collector));
  }

  // In order: every place in a small file, some in a large one. Of real files that are small there
  // are hundreds, and under a sanitizer all places of all of them take minutes.
  static std::vector<std::size_t> places(const Fixture& fixture) {
    std::vector<std::size_t> cuts;
    const bool is_small = fixture.bytes.size() <= kSmallBytes;
    if (is_small && !(is_sanitized() && fixture.is_real)) {
      for (std::size_t i = 0; i <= fixture.bytes.size(); ++i) cuts.push_back(i);
      return cuts;
    }
    const unsigned seed = test_seed();
    std::cout << fixture.path.filename() << ": seed " << seed << "\n";
    std::mt19937 random(seed);
    std::uniform_int_distribution<std::size_t> place(0, fixture.bytes.size());
    const int count = fixture.is_real && !is_small ? kRandomCuts / 10 : kRandomCuts;
    for (int i = 0; i < count; ++i) cuts.push_back(place(random));
    std::ranges::sort(cuts);
    return cuts;
  }
};

TEST_P(AdapterContract, HasFixtures) { EXPECT_FALSE(fixtures().empty()); }

TEST_P(AdapterContract, ReadsItsFixturesWithNothingMalformedUnlessTheyAreBroken) {
  for (const Fixture& fixture : fixtures()) {
    if (fixture.is_real) continue;
    const Values values = read(fixture, fixture.bytes);
    EXPECT_FALSE(values.conversations.empty()) << fixture.path;
    const bool has_malformed = std::ranges::any_of(values.skipped, [](const auto& skipped) {
      return skipped.reason.starts_with("malformed");
    });
    EXPECT_EQ(has_malformed, fixture.is_broken()) << fixture.path;
    for (const transcript::Conversation& conversation : values.conversations) {
      EXPECT_EQ(conversation.heading.format, adapter().name);
      EXPECT_EQ(conversation.heading.family, adapter().family);
      EXPECT_FALSE(conversation.heading.session_id.empty()) << fixture.path;
      EXPECT_FALSE(conversation.turns.empty()) << fixture.path;
    }
  }
}

TEST_P(AdapterContract, ClaimsItsFixturesMoreSurelyThanAnyOther) {
  for (const Fixture& fixture : fixtures()) {
    const Result<const Adapter*> claimed = recognise(fixture.bytes);
    if (!claimed && fixture.is_broken()) continue;
    ASSERT_TRUE(claimed) << fixture.path << ": " << claimed.error().message;
    EXPECT_EQ(*claimed, &adapter()) << fixture.path;
    for (const Adapter* other : all_adapters()) {
      if (other == &adapter()) continue;
      const std::string_view head = head_of(fixture.bytes);
      EXPECT_LT(other->recognises(head), adapter().recognises(head))
          << other->name << " claims " << fixture.path;
    }
  }
}

TEST_P(AdapterContract, GivesEachBlockAPlaceOfItsOwn) {
  for (const Fixture& fixture : fixtures()) {
    for (const transcript::Conversation& conversation :
         read(fixture, fixture.bytes).conversations) {
      std::vector<std::pair<std::string, std::uint32_t>> places;
      for (const transcript::Turn& turn : conversation.turns) {
        for (const transcript::Block& block : turn.blocks) {
          places.emplace_back(block.source_id, block.index);
        }
      }
      std::ranges::sort(places);
      EXPECT_EQ(std::ranges::adjacent_find(places), places.end()) << fixture.path;
    }
  }
}

TEST_P(AdapterContract, GivesTheSameValuesForTheSameBytes) {
  for (const Fixture& fixture : fixtures()) {
    EXPECT_EQ(read(fixture, fixture.bytes), read(fixture, fixture.bytes)) << fixture.path;
  }
}

TEST_P(AdapterContract, GivesTheSameValuesHoweverTheBytesComeIn) {
  for (const Fixture& fixture : fixtures()) {
    const Values whole = read(fixture, fixture.bytes);
    for (const std::size_t place : places(fixture)) {
      EXPECT_EQ(read_in_pieces(fixture, {place}), whole) << fixture.path << " cut at " << place;
    }
  }
}

TEST_P(AdapterContract, ReturnsFromAnyTruncation) {
  for (const Fixture& fixture : fixtures()) {
    for (const std::size_t place : places(fixture)) {
      const std::string_view cut = std::string_view(fixture.bytes).substr(0, place);
      read(fixture, cut);
      adapter().recognises(head_of(cut));
    }
  }
}

// The more of a file there is, the more of it is taken: a tailer never has to take back. But
// that a stream broke off, it may say of the cut itself.
TEST_P(AdapterContract, LosesNoBlockToATruncationBehindIt) {
  for (const Fixture& fixture : fixtures()) {
    if (fixture.is_broken()) continue;
    std::size_t most = 0;
    for (const std::size_t place : places(fixture)) {
      const Values values = read(fixture, std::string_view(fixture.bytes).substr(0, place));
      std::size_t blocks = 0;
      for (const auto& conversation : values.conversations) {
        for (const auto& turn : conversation.turns) {
          blocks += static_cast<std::size_t>(
              std::ranges::count_if(turn.blocks, [](const transcript::Block& block) {
                return !std::holds_alternative<transcript::Failure>(block.body);
              }));
        }
      }
      EXPECT_GE(blocks, most) << fixture.path << " cut at " << place;
      most = std::max(most, blocks);
    }
  }
}

TEST_P(AdapterContract, GoesOnFromItsStateBetweenAnyTwoRecords) {
  for (const Fixture& fixture : fixtures()) {
    Collector collector;
    std::string state = canonical_json(adapter().open(fixture.info())->save());
    const auto reopen = [&] {
      std::unique_ptr<Reader> reader = adapter().open(fixture.info());
      EXPECT_TRUE(reader->restore(parse_json(state)->value.get_object())) << fixture.path;
      return reader;
    };
    const OnRecord record = [&](const Record& found) {
      const std::unique_ptr<Reader> reader = reopen();
      reader->read(found, collector);
      state = canonical_json(reader->save());
    };
    const OnOversize oversize = [](std::uint64_t, std::uint64_t) {};
    const auto framer = adapter().frame(head_of(fixture.bytes));
    framer->push(fixture.bytes, record, oversize);
    framer->end(record, oversize);
    reopen()->finish(collector);
    EXPECT_EQ(values_of(std::move(collector)), read(fixture, fixture.bytes)) << fixture.path;
  }
}

TEST_P(AdapterContract, CallsAStateThatIsNotItsOwnCorrupt) {
  json::object state = adapter().open({})->save();
  if (state.empty()) GTEST_SKIP() << "its state has no fields";
  for (const std::string_view key : {"number", "is_text"}) {
    if (state.contains(key)) state[key] = "not a number";
  }
  const Status status = adapter().open({})->restore(state);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::corrupt);
}

// What the blocks say and who says it, as far as what `form` writes can hold it:
//  - requests name calls by ids that may be made anew, for an API takes not every one;
//  - a result in them has neither its tool's name nor its structured form, which for OpenAI
//    takes the place of its words where there are none;
//  - those of OpenAI's have neither citations nor a mark for results that are errors.
std::vector<std::string> blocks_in(const transcript::Conversation& conversation,
                                   std::string_view form) {
  std::map<std::string, std::string> ids;
  const auto rename = [&](std::string& id) {
    if (id.empty()) return;
    id = ids.try_emplace(id, "id" + std::to_string(ids.size())).first->second;
  };
  std::vector<std::string> authored;
  for (const transcript::Turn& turn : conversation.turns) {
    for (Block block : turn.blocks) {
      block.start = block.stop = {};
      if (form != "anthropic-transcript") {
        if (auto* call = std::get_if<transcript::ToolCall>(&block.body)) rename(call->id);
        if (auto* result = std::get_if<transcript::ToolResult>(&block.body)) {
          rename(result->call_id);
          result->name.clear();
          if (form == "openai-messages" && result->text.empty() && result->details) {
            result->text = canonical_json(*result->details);
          }
          result->details.reset();
          if (form == "openai-messages") result->is_error = false;
        }
        auto* text = std::get_if<transcript::Text>(&block.body);
        if (form == "openai-messages" && text != nullptr) text->citations.clear();
      }
      std::string json;
      anthropic::append_block(json, block, anthropic::WithModel::no);
      authored.push_back(std::to_string(static_cast<int>(block.author)) + " " +
                         canonical_json(parse_json(json)->value));
    }
  }
  return authored;
}

TEST_P(AdapterContract, ReadsBackWhatItWrites) {
  if (adapter().write == nullptr) GTEST_SKIP() << "it does not write";
  const std::string_view form = adapter().writes_as.empty() ? adapter().name : adapter().writes_as;
  EXPECT_EQ(find_form(form), &adapter());
  for (const Fixture& fixture : fixtures()) {
    for (const transcript::Conversation& conversation :
         read(fixture, fixture.bytes).conversations) {
      SCOPED_TRACE(fixture.path);
      const Result<Written> written = adapter().write(conversation);
      if (!written) {
        EXPECT_EQ(written.error().code, ErrorCode::invalid_input) << "nothing can be said in it";
        continue;
      }
      Collector again, twice;
      read_all(adapter(), fixture.info(), written->text, again);
      ASSERT_EQ(again.conversations.size(), 1u);
      const std::vector<std::string> blocks = blocks_in(again.conversations[0], form);
      // Where nothing was left out or made up, nothing is lost.
      if (written->notes.empty()) {
        EXPECT_EQ(blocks, blocks_in(conversation, form)) << written->text;
      }
      const Result<Written> rewritten = adapter().write(again.conversations[0]);
      ASSERT_TRUE(rewritten);
      read_all(adapter(), fixture.info(), rewritten->text, twice);
      ASSERT_EQ(twice.conversations.size(), 1u);
      EXPECT_EQ(blocks_in(twice.conversations[0], form), blocks);
    }
  }
}

std::string name_of(const testing::TestParamInfo<const Adapter*>& param) {
  std::string name(param.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Every, AdapterContract,
                         testing::ValuesIn(all_adapters().begin(), all_adapters().end()), name_of);

}  // namespace
}  // namespace weft::formats
