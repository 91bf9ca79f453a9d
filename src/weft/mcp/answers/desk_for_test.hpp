// A server context with a store of its own, on which tests call tools directly.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weft/capture/agent/recorder.hpp"
#include "weft/mcp/answers/server_context.hpp"
#include "weft/mcp/protocol/tool.hpp"
#include "weft/store/open.hpp"
#include "weft/store/scratch_for_test.hpp"

namespace weft::mcp {

class Desk {
 public:
  Desk()
      : keyring(*crypto::Keyring::create("Ada", 1'000, crypto::SealMode::thinking)),
        store(*store::open_store(scratch.path() / "weft.db", store::Create::yes)),
        recorder(*store, keyring, options()),
        context{.store = *store, .keyring = &keyring, .sources = options(), .recorder = &recorder} {
  }

  static ingest::Options options() {
    ingest::Options options;
    options.clock = [] { return Millis{1'770'000'000'000}; };
    return options;
  }
  static const Tool& tool(std::string_view name) {
    const auto tools = all_tools();
    const auto found =
        std::ranges::find_if(tools, [&](const Tool* one) { return one->name == name; });
    EXPECT_NE(found, tools.end()) << name;
    return **found;
  }

  // The result of a right call, or of one whose values are refused.
  json::object call(std::string_view name, const json::object& given) {
    const Tool& called = tool(name);
    auto arguments = read_arguments(called.parameters, given);
    EXPECT_TRUE(arguments) << arguments.error();
    Call request(json::object{{"_meta", {{"progressToken", 1}}}}, {}, &context, stop.get_token(),
                 [this](std::string_view method, json::object params) {
                   notifications.emplace_back(method, std::move(params));
                 });
    request.set_arguments(*std::move(arguments));
    Served<> served = called.call(request);
    EXPECT_TRUE(served) << served.error().message;
    return *std::move(served);
  }
  // The answer, which must not be a refusal.
  json::object ask(std::string_view name, const json::object& given) {
    json::object result = call(name, given);
    EXPECT_EQ(result.at("isError"), false) << text_of(result);
    return result.contains("structuredContent") ? result.at("structuredContent").as_object()
                                                : json::object();
  }
  // Why it is refused.
  std::string refusal(std::string_view name, const json::object& given) {
    const json::object result = call(name, given);
    EXPECT_EQ(result.at("isError"), true) << text_of(result);
    return text_of(result);
  }
  static std::string text_of(const json::object& result) {
    return std::string(
        view(result.at("content").as_array().at(0).as_object().at("text").as_string()));
  }
  std::filesystem::path write(const std::string& name, std::string_view text) const {
    const std::filesystem::path path = scratch.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  store::Scratch scratch;
  crypto::Keyring keyring;
  std::unique_ptr<store::Store> store;
  capture::Recorder recorder;
  ServerContext context;
  std::stop_source stop;
  std::vector<std::pair<std::string, json::object>> notifications;
};

}  // namespace weft::mcp
