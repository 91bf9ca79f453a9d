// A home in which a session grows and is logged.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "session_for_test.hpp"
#include "web_for_test.hpp"
#include "weft/base/file.hpp"
#include "weft/base/json/compact.hpp"
#include "weft/capture/log/session_log.hpp"
#include "weft/query/transcript/entries.hpp"
#include "weft/store/open.hpp"

namespace weft {

constexpr std::string_view kLoggedId = "0b0e5a1c-2a53-4b7e-9a55-c6f9a1de0001";

class Logged : public testing::Test {
 protected:
  Logged() : session_(std::string(kLoggedId)) { open_store("weft.db"); }

  void open_store(const std::string& name) {
    store_.reset();
    auto store = store::open_store(dir_ / name, store::Create::yes);
    ASSERT_TRUE(store) << store.error().message;
    store_ = *std::move(store);
  }
  query::Library library() const { return {*store_, &keyring_}; }
  std::filesystem::path projects() const { return dir_.path() / "projects/-home-ada-looms"; }
  std::filesystem::path logs() const { return dir_.path() / "logs"; }
  std::filesystem::path log_path() const { return logs() / (std::string(kLoggedId) + ".jsonl"); }
  std::filesystem::path note_path() const {
    return logs() / ".weft" / (std::string(kLoggedId) + ".note");
  }

  // Written as the tool does, and ingested.
  void ingest(const test::Session& session,
              const std::string& name = std::string(kLoggedId) + ".jsonl") {
    std::filesystem::create_directories((projects() / name).parent_path());
    write_text(projects() / name, session.text());
    ingest::Options options{.paths = {dir_.path() / "projects"}};
    options.clock = [] { return Millis{1'770'000'000'000}; };
    const auto report = ingest::ingest(*store_, keyring_, options);
    ASSERT_TRUE(report) << report.error().message;
  }
  void catch_up() {
    library_.emplace(library());
    Result<capture::SessionLog> log = capture::SessionLog::open(*library_, logs(), options_);
    ASSERT_TRUE(log) << log.error().message;
    const Status done = log->catch_up();
    ASSERT_TRUE(done) << done.error().message;
  }
  std::string transcript() const {
    std::string lines;
    const auto row = query::resolve_conversation(library(), kLoggedId);
    EXPECT_TRUE(row) << row.error().message;
    const auto entries = query::entries(library(), *row, {});
    EXPECT_TRUE(entries);
    for (const auto& entry : *entries) {
      append_compact(lines, to_json(entry));
      lines += '\n';
    }
    return lines;
  }
  // The file of a part: the first has the session's name alone.
  std::filesystem::path part_path(int number) const {
    return number == 1
               ? log_path()
               : logs() / (std::string(kLoggedId) + "~" + std::to_string(number) + ".jsonl");
  }
  // All parts, one after the other.
  std::string log_text() const {
    std::string all;
    for (int part = 1;; ++part) {
      const Result<std::string> text = read_file(part_path(part));
      if (!text) return all;
      all += *text;
    }
  }
  std::vector<json::object> lines() const {
    std::vector<json::object> out;
    std::istringstream text(log_text());
    for (std::string line; std::getline(text, line);) {
      out.push_back(parse_json(line).value().value.as_object());
    }
    return out;
  }
  static std::string text(const json::object& line, std::string_view key) {
    return std::string(find_string(line, key).value_or("(none)"));
  }
  static std::string text_or_empty(const json::object& line, std::string_view key) {
    const json::object* metadata = find_object(line, "metadata");
    return metadata == nullptr ? "(none)" : text(*metadata, key);
  }

  capture::LogOptions options_{};
  TempDir dir_;
  crypto::Keyring keyring_ = *crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking);
  std::unique_ptr<store::Store> store_;
  std::optional<query::Library> library_;
  test::Session session_;
};

}  // namespace weft
