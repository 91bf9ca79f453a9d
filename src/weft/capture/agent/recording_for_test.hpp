// A home in which conversations are recorded block by block, and one that ingests the same from
// files.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "weft/capture/agent/recorder.hpp"
#include "weft/capture/agent/script_for_test.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"
#include "weft/store/web_of_for_test.hpp"

namespace weft::capture {

enum class Restart { no, between_blocks };

struct Recording {
  std::unique_ptr<store::Store> open(const std::string& name) const {
    auto store = store::open_store(scratch.path() / name, store::Create::yes);
    EXPECT_TRUE(store) << store.error().message;
    return *std::move(store);
  }
  ingest::Options options() const {
    ingest::Options options{.model = "claude-x"};
    options.clock = [this] { return now; };
    return options;
  }

  // Each block at its moment.
  void push(Recorder& recorder, const Script& script, std::size_t n, const std::string& session) {
    now = moment(n);
    const Result<Cid> recorded = recorder.record(session, script[n].block, script[n].role);
    ASSERT_TRUE(recorded) << "block " << n << ": " << recorded.error().message;
  }
  void push_all(store::Store& store, const Script& script, const std::string& session) {
    Recorder recorder(store, keyring, options());
    ASSERT_TRUE(recorder.start(session));
    for (std::size_t i = 0; i < script.size(); ++i) push(recorder, script, i, session);
  }
  std::set<Cid> web_of_pushes(const Script& script, const std::string& session, Restart restart) {
    const std::string name = fresh_name();
    auto store = open(name);
    if (restart == Restart::no) {
      push_all(*store, script, session);
      return web_of(*store);
    }
    EXPECT_TRUE(Recorder(*store, keyring, options()).start(session));
    for (std::size_t i = 0; i < script.size(); ++i) {
      store.reset();
      store = open(name);
      Recorder recorder(*store, keyring, options());
      push(recorder, script, i, session);
    }
    return web_of(*store);
  }

  void take_file(store::Store& store, const Script& script, const std::string& session) const {
    const std::filesystem::path path = scratch.path() / (session + ".json");
    std::ofstream(path, std::ios::binary) << to_file(script, session);
    ingest::Options all = options();
    all.paths = {path};
    all.format = "anthropic-transcript";
    const auto report = ingest::ingest(store, keyring, all);
    ASSERT_TRUE(report) << report.error().message;
    ASSERT_EQ(report->conversations.size(), 1u);
  }
  std::set<Cid> web_of_file(const Script& script, const std::string& session) {
    const auto store = open(fresh_name());
    take_file(*store, script, session);
    return web_of(*store);
  }

  // All that lies in the store's files.
  std::string bytes_of(const std::string& name) const {
    std::string all;
    for (const char* suffix : {"", "-wal"}) {
      const Result<std::string> bytes = read_file((scratch.path() / (name + suffix)).string());
      all += bytes.value_or("");
    }
    EXPECT_FALSE(all.empty());
    return all;
  }
  std::string fresh_name() { return "store" + std::to_string(++stores) + ".db"; }

  store::Scratch scratch;
  crypto::Keyring keyring = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  Millis now = moment(0);
  int stores = 0;
};

}  // namespace weft::capture
