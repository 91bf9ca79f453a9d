// Nothing leaks around the seal.
#include <zstd.h>

#include "web_for_test.hpp"
#include "weft/query/transcript/rebuild.hpp"
#include "weft/store/scan_for_test.hpp"

namespace weft {
namespace {

constexpr std::string_view kSecrets[] = {"zanzibar", "quokka"};
constexpr std::string_view kSummary = "Considering a listing.";

void expect_no_secret(const std::string& text, const std::string& where) {
  for (const std::string_view secret : kSecrets) {
    EXPECT_EQ(text.find(secret), std::string::npos) << secret << " shows in " << where;
  }
}

// Every frame of zstd in the bytes, opened; for a word may hide in a compressed body.
void expect_no_secret_in_frames(const std::string& bytes, const std::string& where) {
  const std::string magic = "\x28\xB5\x2F\xFD";
  std::string out(1u << 20, '\0');
  for (std::size_t at = bytes.find(magic); at != std::string::npos;
       at = bytes.find(magic, at + 1)) {
    ZSTD_DCtx* context = ZSTD_createDCtx();
    ZSTD_inBuffer in{bytes.data() + at, bytes.size() - at, 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    ZSTD_decompressStream(context, &to, &in);
    ZSTD_freeDCtx(context);
    expect_no_secret(out.substr(0, to.pos), where + " (compressed)");
  }
}

TEST(SealedWeb, NoFileUnderTheHomeHoldsAWordOfTheReasoning) {
  const Web web;
  const auto open_store = web.open();  // with its WAL still there
  std::filesystem::remove(web.dir / "talk.txt");
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(web.dir.path())) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string bytes = read_text(entry.path());
    expect_no_secret(bytes, entry.path().filename());
    expect_no_secret_in_frames(bytes, entry.path().filename());
  }
  EXPECT_GT(files, 0u);
  const Tool tool(web.store_path());
  for (const auto& row : tool.rows("SELECT body, content, metadata FROM thoughts")) {
    for (const std::string& column : row) expect_no_secret(column, "a column");
  }
}

TEST(SealedWeb, MetadataKeyringShowsThatThinkingHappenedAndNothingOfIt) {
  const Web web;
  const auto metadata = *crypto::Keyring::parse(*web.keyring.exported(crypto::Reach::metadata), {});
  const auto store = web.open();
  const query::Library library{*store, &metadata};
  std::string seen;
  bool thinking_seen = false;
  for (const thought::Thought& thought : store::scan(*store).thoughts) {
    const json::object shown = *query::get(library, thought.cid, query::Layers::open);
    seen += canonical_json(shown);
    if (thought.type != "anthropic/thinking") continue;
    const json::object& content = shown.at("content").get_object();
    EXPECT_TRUE(content.contains("duration_ms"));
    EXPECT_TRUE(content.contains("cut_off"));
    EXPECT_TRUE(content.contains("chars"));
    EXPECT_TRUE(content.contains("withheld"));
    thinking_seen = true;
  }
  EXPECT_TRUE(thinking_seen);
  EXPECT_NE(seen.find(kSummary), std::string::npos);
  expect_no_secret(seen, "what the metadata keyring opens");
  const auto row =
      *query::resolve_conversation(library, store->conversations({})->at(0).session_id);
  const auto conversation = *query::rebuild(library, row);
  for (const auto& turn : conversation.turns) {
    for (const auto& block : turn.blocks) {
      if (const auto* thinking = std::get_if<transcript::Thinking>(&block.body)) {
        EXPECT_TRUE(thinking->text.empty());
      }
    }
  }
}

TEST(SealedWeb, ContentKeyringOpensEverythingAndSignsNothing) {
  const Web web;
  const auto content = *crypto::Keyring::parse(*web.keyring.exported(crypto::Reach::content), {});
  EXPECT_FALSE(content.can_sign());
  const auto store = web.open();
  std::string seen;
  for (const thought::Thought& thought : store::scan(*store).thoughts) {
    seen += canonical_json(*query::get({*store, &content}, thought.cid, query::Layers::open));
  }
  for (const std::string_view secret : kSecrets) EXPECT_NE(seen.find(secret), std::string::npos);
}

TEST(SealedWeb, ModeAllHidesEveryWordOfTheConversation) {
  const auto keyring = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::all);
  const Web web(kTalk, &keyring);
  std::filesystem::remove(web.dir / "talk.txt");
  const auto open_store = web.open();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(web.dir.path())) {
    if (!entry.is_regular_file()) continue;
    const std::string bytes = read_text(entry.path());
    for (const std::string_view word : {"How many files", "There are 42", "example.org",
                                        "Counting files", "And folders", "None at all", "wc -l"}) {
      EXPECT_EQ(bytes.find(word), std::string::npos) << word << " in " << entry.path();
    }
  }
  EXPECT_EQ(web.verify().at("verdict"), "valid");
}

}  // namespace
}  // namespace weft
