// PageTest: the page of a small web, asked as the server asks it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "weft/mcp/answers/garden_for_test.hpp"
#include "weft/page/page.hpp"
#include "weft/page/site/target.hpp"

namespace weft::page {

using mcp::Garden;
using mcp::Keys;

// An outlet that keeps the answer to a question, and wakes the test that waits for it.
class Kept final : public net::SiteOutlet {
 public:
  void send(std::string part) override {
    const std::lock_guard lock(mutex_);
    parts_ += part;
    changed_.notify_all();
  }
  void respond(net::HttpResponse response) override {
    const std::lock_guard lock(mutex_);
    response_ = std::move(response);
    changed_.notify_all();
  }
  net::HttpResponse response() {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, kPatience, [&] { return response_.has_value(); }));
    return response_.value_or(net::HttpResponse{.status = 0});
  }
  // All parts of a stream, once it contains `text`.
  std::string parts_with(std::string_view text) {
    std::unique_lock lock(mutex_);
    EXPECT_TRUE(changed_.wait_for(lock, kPatience, [&] { return parts_.contains(text); })) << text;
    return parts_;
  }

 private:
  static constexpr std::chrono::seconds kPatience{60};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string parts_;
  std::optional<net::HttpResponse> response_;
};

class PageTest : public testing::Test {
 protected:
  void use_keys(Keys keys) {
    page.reset();
    garden.use_keys(keys);
    page = std::make_unique<Page>(PageContext{.store = garden.store(),
                                              .keyring = garden.library().keyring,
                                              .version = "1.2.3",
                                              .file_texts = file_texts,
                                              .keeper = keeper});
  }
  void has_keeper(const std::string& says) {
    keeper = [says]() -> Result<json::object> { return parse_json(says)->value.as_object(); };
    use_keys(Keys::owner);
  }
  void serve_beyond_this_machine() {
    file_texts = FileTexts::withheld;
    use_keys(Keys::owner);
  }
  PageTest() { use_keys(Keys::owner); }

  std::shared_ptr<net::SiteQuestion> ask(const std::string& target, const std::shared_ptr<Kept>& to,
                                         net::HttpFields fields = {}) {
    return page->ask({.method = "GET", .target = target, .fields = std::move(fields)}, to);
  }
  net::HttpResponse get(const std::string& target) {
    const auto kept = std::make_shared<Kept>();
    EXPECT_EQ(page->part_of(split_target(target).path), net::Site::Part::question) << target;
    const auto question = ask(target, kept);
    return kept->response();
  }
  json::object answer(const std::string& target) {
    const net::HttpResponse response = get(target);
    EXPECT_EQ(response.status, 200u) << target << ": " << response.body;
    return parse_json(response.body)->value.as_object();
  }

  // Asks what is not answered, and returns why.
  std::string refusal(const std::string& target, unsigned status) {
    const net::HttpResponse response = get(target);
    EXPECT_EQ(response.status, status) << target << ": " << response.body;
    const json::object body = parse_json(response.body)->value.as_object();
    if (!body.contains("error")) return {};
    return std::string(view(body.at("error").as_object().at("message").as_string()));
  }

  Garden garden;
  FileTexts file_texts = FileTexts::shown;
  std::function<Result<json::object>()> keeper{};  // of a store on a server
  std::unique_ptr<Page> page;
};

}  // namespace weft::page
