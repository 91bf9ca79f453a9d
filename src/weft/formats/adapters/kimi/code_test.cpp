// Kimi Code's logs, and where the logs of both programs lie.
#include "weft/formats/adapters/kimi/kimi_for_test.hpp"

namespace weft::formats::kimi {
namespace {

constexpr std::string_view kPrompt =
    R"("input":[{"type":"text","text":"Hi."}],"origin":{"kind":"user"})";
constexpr std::string_view kUsage =
    R"("usage":{"inputOther":1,"output":2,"inputCacheRead":3,"inputCacheCreation":4})";

std::string part(std::string_view id, std::string_view body) {
  return loop("content.part",
              "\"uuid\":\"" + std::string(id) + R"(","stepUuid":"s1","part":)" + std::string(body));
}

TEST(KimiCode, APromptIsToldOnceThoughItIsThereTwice) {
  const Collector all = read(code("turn.prompt", kPrompt) + message("Hi.") +
                             code("turn.prompt", kPrompt) + message("Hi.") + message("Hi."));
  EXPECT_EQ(outline(only(all)), "human #1: Hi. Hi. Hi.");
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"mirror", 2}}));
}

TEST(KimiCode, APromptWithoutAMessageIsTold) {
  const Collector all =
      read(code("turn.prompt", kPrompt) + part("p", R"({"type":"text","text":"Ho."})"));
  EXPECT_EQ(outline(only(all)), "human #1: Hi. | assistant p: Ho.");
}

TEST(KimiCode, APromptThatAnotherOneFollowedIsNotWaitedFor) {
  const Collector all =
      read(code("turn.prompt", kPrompt) +
           code("turn.prompt", R"("input":[{"type":"text","text":"Ho."}])") + message("Hi."));
  EXPECT_EQ(outline(only(all)), "human #1: Hi. Ho. Hi.");
}

TEST(KimiCode, WhatIsPutInIsTheProgramsAndACommandThePersons) {
  const Collector all = read(
      code(
          "turn.prompt",
          R"("input":[{"type":"text","text":"/tidy"}],"origin":{"kind":"skill_activation","trigger":"user-slash"})") +
      message("How to tidy.", R"(,"origin":{"kind":"skill_activation","trigger":"user-slash"})") +
      message("<system-reminder>x</system-reminder>"));
  EXPECT_EQ(outline(only(all)), "human #1: /tidy | assistant #2: *How to tidy. *text");
}

TEST(KimiCode, StepsAreMessagesAndTheModelIsTheOneThatWasAsked) {
  const Collector all = read(
      message("Hi.") + code("config.update", R"("modelAlias":"alias/k")") +
      loop("step.begin", R"("uuid":"s1","step":1)") +
      code("llm.request", R"("model":"k-1","modelAlias":"alias/k")") +
      part("p1", R"({"type":"think","think":"Hm."})") +
      loop(
          "tool.call",
          R"("uuid":"Bash_0","stepUuid":"s1","toolCallId":"Bash_0","name":"Bash","args":{"x":1},"description":"Running")") +
      loop("tool.result",
           R"("toolCallId":"Bash_0","result":{"output":"o","isError":true,"note":"n"})"));
  EXPECT_EQ(outline(only(all)), "human #1: Hi. | assistant p1: thinking call result");
  const auto blocks = only(all).turns[1].blocks;
  EXPECT_EQ(blocks[0].message_id, "s1");
  EXPECT_EQ(blocks[1].message_id, "s1");
  EXPECT_EQ(blocks[1].source_id, "#6");
  EXPECT_EQ(blocks[1].model, "k-1");
  const auto call = std::get<ToolCall>(blocks[1].body);
  EXPECT_EQ(call.input, (json::object{{"x", 1}}));
  EXPECT_EQ(call.display_text, "Running");
  const auto result = std::get<ToolResult>(blocks[2].body);
  EXPECT_EQ(result.call_id, "Bash_0");
  EXPECT_TRUE(result.is_error);
  EXPECT_EQ(result.details, (json::object{{"note", "n"}}));
}

TEST(KimiCode, CountsStepsAndCompactionsOnce) {
  const Collector all =
      read(message("Hi.") + loop("step.end", "\"uuid\":\"s1\"," + std::string(kUsage)) +
           code("usage.record", R"("usageScope":"turn",)" + std::string(kUsage)) +
           code("usage.record", R"("usageScope":"session",)" + std::string(kUsage)));
  EXPECT_EQ(only(all).facts.usage, (Usage{2, 4, 6, 8}));
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"mirror", 1}}));
}

TEST(KimiCode, SaysWhatIsSetUp) {
  const std::string config = code("config.update", R"("cwd":"/w","systemPrompt":"Be kind.")");
  const Collector all = read(config + code("tools.set_active_tools", R"("names":["Bash"])") +
                             message("Hi.") + config + code("plan_mode.enter", R"("id":"x")"));
  EXPECT_EQ(outline(only(all)), "system #1: *Be kind. | human #3: Hi.");
  EXPECT_EQ(only(all).facts.cwd, "/w");
  EXPECT_EQ(only(all).facts.tools, std::vector<std::string>{"Bash"});
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"duplicate", 1}, {"internal", 1}}));
}

TEST(KimiCode, WhatIsRepeatedOrUnknownIsNotLost) {
  const std::string same = part("p", R"({"type":"text","text":"Ho."})");
  const Collector all = read(same + same + part("q", R"({"type":"odd"})") +
                             loop("odd.event", R"("x":1)") + code("odd", R"("x":1)"));
  EXPECT_EQ(kinds_of(only(all)), (Counts{{"text", 1}, {"unknown", 3}}));
  EXPECT_EQ(reasons_of(all.skipped), (Counts{{"duplicate", 1}}));
}

TEST(KimiCode, FeedbackIsAPersons) {
  const Collector all = read(code("permission.record_approval_result",
                                  R"("result":{"decision":"rejected","feedback":"No."})"));
  EXPECT_EQ(outline(only(all)), "human #1: No.");
}

TEST(KimiCode, KeepsMediaAndMessagesOfAssistants) {
  const Collector all = read(
      code(
          "context.append_message",
          R"("message":{"role":"user","content":[{"type":"image_url","imageUrl":{"url":"data:image/png;base64,AA"}},{"type":"video_url","videoUrl":{"url":"https://v/"}}]})") +
      code(
          "context.append_message",
          R"("message":{"role":"assistant","content":[{"type":"text","text":"Ho."}],"toolCalls":[{"id":"c","function":{"name":"Bash","arguments":"{}"}}]})"));
  EXPECT_EQ(outline(only(all)), "human #1: attachment attachment | assistant #2: Ho. call");
  const auto image = std::get<transcript::Attachment>(only(all).turns[0].blocks[0].body);
  EXPECT_EQ(image.mime, "image/png");
  EXPECT_EQ(image.data, "AA");
}

TEST(KimiCode, AgentsAreJoinedByTheirNames) {
  const Collector main = read(
      loop("tool.call", R"("uuid":"Agent_0","toolCallId":"Agent_0","name":"Agent","args":{})") +
          loop("tool.result",
               R"("toolCallId":"Agent_0","result":{"output":"agent_id: agent-0\nx"})"),
      lies_in("/c/sessions/wd_garden_0123/session_1/agents/main", "wire.jsonl",
              {{"../../state.json", R"({"title":"Figs","workDir":"/home/me/garden"})"}}));
  EXPECT_EQ(only(main).heading.session_id, "session_1");
  EXPECT_EQ(only(main).heading.source, "primary");
  EXPECT_EQ(only(main).heading.program, "kimi-code");
  EXPECT_EQ(only(main).facts.title, "Figs");
  EXPECT_EQ(only(main).facts.cwd, "/home/me/garden");
  EXPECT_EQ(only(main).spawned, (std::vector<Spawned>{{.call_id = "Agent_0"},
                                                      {.call_id = "Agent_0", .agent = "agent-0"}}));
  const Conversation agents =
      only(read(message("Count.", R"(,"origin":{"kind":"system_trigger"})"),
                lies_in("/c/sessions/wd_garden_0123/session_1/agents/agent-0", "wire.jsonl")));
  EXPECT_EQ(agents.heading.source, "subagent:agent-0");
  EXPECT_EQ(outline(agents), "system #1: *Count.");
  EXPECT_EQ(agents.origins, (std::vector<Origin>{{.session_id = "session_1", .agent = "agent-0"}}));
}

TEST(KimiPlaces, KnowsItsFoldersAndWhatIsNoLog) {
  const Adapter& adapter = *find_adapter("kimi");
  const auto with = [](std::string_view code_home) {
    return [code_home](std::string_view name) -> std::optional<std::string> {
      if (name == "HOME") return "/home/me";
      if (name == "KIMI_CODE_HOME" && !code_home.empty()) return std::string(code_home);
      return std::nullopt;
    };
  };
  using Strings = std::vector<std::string>;
  EXPECT_EQ(adapter.folders(with("")),
            (Strings{"/home/me/.kimi/sessions", "/home/me/.kimi-code/sessions"}));
  EXPECT_EQ(adapter.folders(with("/k")), (Strings{"/home/me/.kimi/sessions", "/k/sessions"}));
  EXPECT_EQ(adapter.ignore_reason("/k/s/state.json"), "sidecar");
  EXPECT_EQ(adapter.ignore_reason("/k/session_index.jsonl"), "index");
  EXPECT_EQ(adapter.ignore_reason("/k/ctitle-1/agents/main/wire.jsonl"), "internal");
  EXPECT_EQ(adapter.ignore_reason("/k/s/agents/main/wire.jsonl"), std::nullopt);
  EXPECT_EQ(adapter.project("/k/sessions/wd_my_garden_0123456789ab/s/agents/main/wire.jsonl", ""),
            "my_garden");
  EXPECT_EQ(adapter.project("/k/sessions/0123/s/wire.jsonl", ""), "");
}

TEST(KimiRecognise, KnowsItsOwnLinesAndNoOthers) {
  const auto recognises = find_adapter("kimi")->recognises;
  EXPECT_EQ(recognises(R"({"role": "_system_prompt", "content": "cut of)"), Confidence::yes);
  EXPECT_EQ(
      recognises("{\"role\":\"user\",\"content\":\"Hi.\"}\n{\"role\":\"_checkpoint\",\"id\":0}"),
      Confidence::yes);
  EXPECT_EQ(recognises(R"({"timestamp":1.5,"message":{"type":"TurnBegin"}})"), Confidence::yes);
  EXPECT_EQ(recognises(R"({"role":"user","content":"Hi."})"), Confidence::no);
  EXPECT_EQ(recognises(R"({"type":"metadata","x":1})"), Confidence::no);
  EXPECT_EQ(recognises(R"({"type":"turn.started"})"), Confidence::no);
  EXPECT_EQ(recognises(R"({"version":1,"custom_title":"x"})"), Confidence::no);
}

}  // namespace
}  // namespace weft::formats::kimi
