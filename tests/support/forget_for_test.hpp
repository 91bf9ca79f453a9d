// Helpers for the tests of `weft forget`: transcripts with recognisable words, and checks of a home
// afterwards.
#pragma once

#include <zstd.h>

#include <cstdio>
#include <functional>
#include <string>

#include "web_for_test.hpp"
#include "weft/ingest/forget.hpp"
#include "weft/store/body.hpp"

namespace weft {

// --- transcripts ------------------------------------------------------------------------

inline std::string heading(const std::string& session) {
  return "Title: the title of " + session + "\nModel: claude-x\nSession: " + session + "\n\n";
}

// A prompt and its answer at a minute of their own, every word with `salt`.
inline std::string round_of(const std::string& salt, int minute) {
  const auto time = [&](int second) {
    char text[64];
    std::snprintf(text, sizeof text, "2026-02-01T14:%02d:%02d.000Z", minute, second);
    return "\"start_timestamp\":\"" + std::string(text) + "\",\"stop_timestamp\":\"" + text + "\"";
  };
  const std::string id = "toolu_" + std::to_string(minute) + salt;
  const std::string bar = "\n\n" + std::string(80, '=') + "\n";
  return "Human:\nContent:\n[{\"type\":\"text\",\"text\":\"asked " + salt + "\"," + time(1) + "}]" +
         bar + "Assistant:\nContent:\n[{\"type\":\"thinking\",\"thinking\":\"thought " + salt +
         "\",\"summaries\":[{\"summary\":\"summed " + salt + "\"}]," + time(2) +
         "},{\"type\":\"tool_use\",\"id\":\"" + id +
         "\",\"name\":\"ls\",\"input\":{\"path\":\"in " + salt + "\"}," + time(3) +
         "},{\"type\":\"tool_result\",\"tool_use_id\":\"" + id +
         "\",\"name\":\"ls\",\"content\":\"out " + salt + "\"," + time(4) +
         "},{\"type\":\"text\",\"text\":\"answered " + salt + "\"," + time(5) + "}]" + bar;
}

// Two that begin with the same rounds: the second is a fork of the first.
struct Forks {
  Forks() : web(heading("origin") + common() + round_of("origin-only", 20)) {
    write_text(web.dir / "fork.txt", heading("fork") + common() + round_of("fork-only", 30));
    web.ingest(web.dir / "fork.txt");
  }
  static std::string common() { return round_of("shared-a", 1) + round_of("shared-b", 2); }
  Web web;
};

// --- asking -----------------------------------------------------------------------------

inline store::ConversationRow row_of(const store::Store& store, const std::string& session,
                                     const std::string& source = "primary") {
  const auto rows = store.conversations({.session_id = session});
  for (const store::ConversationRow& row : *rows) {
    if (row.source == source) return row;
  }
  ADD_FAILURE() << "no conversation " << session << " " << source;
  return {};
}

inline ingest::ForgetReport forget(const Web& web, const std::string& session,
                                   const std::string& source = "primary") {
  const auto store = web.open();
  auto report =
      ingest::forget(*store, web.keyring, row_of(*store, session, source), 1'800'000'000'000);
  EXPECT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report && report->is_wiped);
  return report.value_or(ingest::ForgetReport{});
}

inline void expect_sound(const Web& web) {
  for (const crypto::Keyring* keyring :
       {&web.keyring, static_cast<const crypto::Keyring*>(nullptr)}) {
    const json::object answer = web.verify(keyring);
    EXPECT_EQ(answer.at("verdict"), keyring != nullptr ? "valid" : "consistent")
        << pretty_json(answer);
  }
}

inline bool holds(const json::object& answer) {
  return answer.at("bad").get_array().empty() && answer.at("missing").get_array().empty();
}

// Whether a file of the home contains this, as it is or compressed.
inline bool files_say(const std::filesystem::path& home, const std::string& words) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".txt") continue;
    const std::string bytes = read_text(entry.path());
    if (bytes.find(words) != std::string::npos) return true;
    const std::string magic = "\x28\xb5\x2f\xfd";
    for (auto at = bytes.find(magic); at != std::string::npos; at = bytes.find(magic, at + 1)) {
      const std::string_view rest = std::string_view(bytes).substr(at);
      const std::size_t frame = ZSTD_findFrameCompressedSize(rest.data(), rest.size());
      if (at == 0 || ZSTD_isError(frame)) continue;
      // A body; the byte before it may mark it as compressed with the dictionary.
      for (const std::size_t before : {0u, 1u}) {
        std::string room;
        const auto plain =
            store::unpack_text(std::string_view(bytes).substr(at - before, frame + before), room);
        if (plain && plain->find(words) != std::string_view::npos) return true;
      }
    }
  }
  return false;
}

inline pid_t in_child(const std::function<bool()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(work() ? 0 : 1);
  return pid;
}

}  // namespace weft
