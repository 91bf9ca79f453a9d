// What git prints of commits, patches and notes, read from texts: right ones and broken ones.
#include "weft/git/commit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/git/authorship_note.hpp"
#include "weft/git/patch.hpp"

namespace weft::git {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::string kSha(40, 'a'), kOtherSha(40, 'b');

TEST(Commit, ReadsTheObjectAndPassesOverItsSignature) {
  const std::string object = "tree " + kSha + "\nparent " + kOtherSha +
                             "\nauthor Ada L. <ada@example.org> 1770000000 +0100\n"
                             "committer Bob <b> 1770000060 +0000\n"
                             "gpgsig -----BEGIN PGP SIGNATURE-----\n \n author Eve <e> 1 +0000\n"
                             " -----END PGP SIGNATURE-----\n\nWeave backwards\n\nas asked\n";
  const auto commit = parse_commit(object);
  ASSERT_TRUE(commit) << commit.error().message;
  EXPECT_EQ(commit->author, "Ada L.");
  EXPECT_EQ(commit->author_time, 1'770'000'000'000);
  EXPECT_EQ(commit->committer_time, 1'770'000'060'000);
  EXPECT_THAT(commit->parents, ElementsAre(kOtherSha));
  EXPECT_EQ(commit->subject(), "Weave backwards");
  EXPECT_EQ(commit->message, "Weave backwards\n\nas asked\n");
  for (std::size_t cut = 0; cut < object.size(); ++cut) (void)parse_commit(object.substr(0, cut));
  EXPECT_FALSE(parse_commit("tree " + kSha + "\n\nno author"));
  EXPECT_FALSE(parse_commit("author Ada 1770000000\ncommitter Ada 1\n\nx"));
}

TEST(Commit, FindsTrailersWhereverASquashLeftThem) {
  const std::string message =
      "two in one\n\nWeft-Thought: one\n\nsecond\n\nweft-thought:two \nWeft-Thought:\n"
      "Weft-Thoughts: no\nnot Weft-Thought: no\n";
  EXPECT_THAT(trailers_in(message, "Weft-Thought", 9), ElementsAre("one", "two"));
  EXPECT_THAT(trailers_in(message, "Weft-Thought", 1), ElementsAre("one"));
  EXPECT_THAT(trailers_in("", "Weft-Thought", 9), IsEmpty());
}

TEST(Patches, AreReadByCommitAndFile) {
  const std::string text =
      kSha +
      "\ndiff --git a/loom.py b/loom.py\nindex 1..2 100644\n--- a/loom.py\n"
      "+++ b/loom.py\n@@ -1,2 +1,3 @@ def weave():\n same\n-old\n+new\n+++ b/x\n"
      "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n"
      "+++ /dev/null\n@@ -1 +0,0 @@\n-line\n\\ No newline at end of file\n" +
      kOtherSha +
      "\ndiff --git \"a/q\\303\\244\" \"b/q\\303\\244\"\nnew file mode 100644\n"
      "--- /dev/null\n+++ \"b/q\\303\\244\"\n@@ -0,0 +1 @@\n+one\n"
      "diff --git a/bin b/bin\nBinary files a/bin and b/bin differ\n";
  const auto patches = parse_patches(text);
  ASSERT_TRUE(patches) << patches.error().message;
  EXPECT_THAT(
      *patches,
      ElementsAre(Patch{.commit = kSha,
                        .files = {{"loom.py", {"new", "++ b/x"}, {"old"}}, {"gone", {}, {"line"}}}},
                  Patch{.commit = kOtherSha, .files = {{"q\303\244", {"one"}, {}}}}));
  for (std::size_t cut = 0; cut < text.size(); ++cut) (void)parse_patches(text.substr(0, cut));
  EXPECT_FALSE(parse_patches("@@ -1 +1 @@\n-a\n+b\n")) << "of no file";
  EXPECT_FALSE(parse_patches("diff --git a/a b/a\n+++ b/a\n@@ -1 +1,2 @@\n-a\n")) << "too short";
  const auto ids = parse_patch_ids(kSha + " " + kOtherSha + "\n");
  ASSERT_TRUE(ids);
  EXPECT_EQ(ids->at(kOtherSha), kSha);
  EXPECT_FALSE(parse_patch_ids("something else\n"));
}

TEST(AuthorshipNote, NamesTheSessionsOfLines) {
  const std::string note =
      "src/loom.py\n  s_c9883b05a2487d::t_9f8e7d6c5b4a32 1-10,15\n  h_a1b2c3d4e5f678 11-14\n"
      "\"a file.py\"\n  c9883b05a2487d6d 3\n  s_unknown::t_1 4\n---\n"
      R"({"schema_version": "authorship/3.0.0",
          "prompts": {"c9883b05a2487d6d": {"agent_id": {"tool": "cursor", "id": "old"}}},
          "humans": {"h_a1b2c3d4e5f678": {"author": "Ada"}},
          "sessions": {"s_c9883b05a2487d": {"agent_id": {"tool": "claude", "id": "new"}}}})";
  const auto claims = parse_authorship_note(note);
  ASSERT_TRUE(claims) << claims.error().message;
  EXPECT_THAT(*claims, ElementsAre(AuthorshipClaim{"src/loom.py", 1, 10, "new"},
                                   AuthorshipClaim{"src/loom.py", 15, 15, "new"},
                                   AuthorshipClaim{"a file.py", 3, 3, "old"}));
  for (std::size_t cut = 0; cut < note.size(); ++cut) {
    (void)parse_authorship_note(note.substr(0, cut));
  }
  EXPECT_THAT(*parse_authorship_note("---\n{\"schema_version\": \"authorship/3.1.0\"}"), IsEmpty());
  EXPECT_FALSE(parse_authorship_note("---\n{\"schema_version\": \"authorship/4.0.0\"}"));
  EXPECT_FALSE(parse_authorship_note("an ordinary note"));
  const std::string records = "\n---\n{\"schema_version\": \"authorship/3.0.0\"}";
  EXPECT_FALSE(parse_authorship_note("a.py\n  h_1 9-3" + records)) << "backwards";
  EXPECT_FALSE(parse_authorship_note("  h_1 1" + records)) << "lines of no file";
}

}  // namespace
}  // namespace weft::git
