// A request with every kind of block that it can contain, and an answer with every kind.
#pragma once

#include <string_view>

#include "program.hpp"
#include "weft/base/json.hpp"

namespace weft::test {

// Every kind of block that a request can contain, in every notation.
inline constexpr std::string_view kRequest = R"({
 "model":"claude-opus-4-5","max_tokens":1024,"metadata":{"user_id":"u1"},
 "system":[{"type":"text","text":"You are terse."},
           {"type":"text","text":"Today is Monday.","cache_control":{"type":"ephemeral"}}],
 "tools":[{"name":"look","description":"Looks.","input_schema":{"type":"object","properties":{"at":{"type":"string"}}}},
          {"type":"web_search_20250305","name":"web_search","max_uses":3}],
 "messages":[
  {"role":"user","content":"Hi."},
  {"role":"assistant","content":[{"type":"text","text":"Hello there. "}]},
  {"role":"user","content":[
    {"type":"text","text":"<system-reminder>Be kind.</system-reminder>"},
    {"type":"text","text":"What is in these?","cache_control":{"type":"ephemeral"}},
    {"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="}},
    {"type":"image","source":{"type":"url","url":"https://example.org/a.png"}},
    {"type":"image","source":{"type":"file","file_id":"file_011C"}},
    {"type":"document","source":{"type":"text","media_type":"text/plain","data":"Grass is green."},"title":"Grass","context":"Botany","citations":{"enabled":true}},
    {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"JVBERi0="}},
    {"type":"document","source":{"type":"content","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}},
    {"type":"search_result","source":"https://example.org","title":"T","content":[{"type":"text","text":"found"}]},
    {"type":"container_upload","file_id":"file_022D"}]},
  {"role":"assistant","content":[
    {"type":"thinking","thinking":"First, look.","signature":"EqQBCgIYAhIM+/=="},
    {"type":"redacted_thinking","data":"EroBCkYIARgCKkD+/8="},
    {"type":"thinking","thinking":"","signature":"hollow+sig=="},
    {"type":"thinking","thinking":"nobody signed this"},
    {"type":"text","text":"Looking."},
    {"type":"tool_use","id":"toolu_01A","name":"look","input":{"z":1,"at":"here","deep":{"b":[1,2.5,null]}}},
    {"type":"tool_use","id":"toolu_01B","name":"look","input":{},"caller":{"type":"direct"}}]},
  {"role":"user","content":[
    {"type":"tool_result","tool_use_id":"toolu_01A","content":"a lawn"},
    {"type":"tool_result","tool_use_id":"toolu_01B","is_error":true,"content":[{"type":"text","text":"blind"},{"type":"image","source":{"type":"base64","media_type":"image/gif","data":"R0lGOD=="}}]},
    {"type":"text","text":"Hurry."}]},
  {"role":"system","content":"The user is in a hurry."},
  {"role":"user","content":"Go on."}]})";

inline constexpr std::string_view kAnswer = R"J([
  {"type":"thinking","thinking":"Search then.","signature":"sig+two/=="},
  {"type":"server_tool_use","id":"srvtoolu_01","name":"web_search","input":{"query":"grass"},"caller":{"type":"direct"}},
  {"type":"web_search_tool_result","tool_use_id":"srvtoolu_01","content":[{"type":"web_search_result","url":"https://example.org/g","title":"Grass","encrypted_content":"Eo8BCio+/=","page_age":null}]},
  {"type":"server_tool_use","id":"srvtoolu_02","name":"web_search","input":{"query":"x"}},
  {"type":"web_search_tool_result","tool_use_id":"srvtoolu_02","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}},
  {"type":"server_tool_use","id":"srvtoolu_03","name":"code_execution","input":{"code":"print(1)"
}
},
  {"type":"code_execution_tool_result","tool_use_id":"srvtoolu_03","content":{"type":"code_execution_result","stdout":"1\n","stderr":"","return_code":0,"content":[]}},
  {"type":"mcp_tool_use","id":"mcptoolu_01","name":"echo","server_name":"srv","input":{"a":1}},
  {"type":"mcp_tool_result","tool_use_id":"mcptoolu_01","is_error":false,"content":[{"type":"text","text":"one"}]},
  {"type":"text","text":"Grass is ","citations":null},
  {"type":"text","text":"green","citations":[{"type":"web_search_result_location","url":"https://example.org/g","title":"Grass","cited_text":"Grass is green.","encrypted_index":"Eo8B+/="},{"type":"char_location","document_index":0,"document_title":"Grass","start_char_index":0,"end_char_index":15,"cited_text":"Grass is green.","file_id":null}]},
  {"type":"text","text":"green","citations":[{"type":"char_location","document_index":0,"document_title":"Grass","start_char_index":9,"end_char_index":14,"cited_text":"green"}]},
  {"type":"text","text":""},
  {"type":"compaction","content":"So far: grass.","encrypted_content":"enc+/="},
  {"type":"some_new_block","with":{"any":[1,"thing"]}},
  {"type":"text","text":"Anything else?\n"}])J";

inline json::array answer() { return parse_json(kAnswer)->value.as_array(); }

// The same as the events of a stream.
inline json::array events_of(const json::array& content) {
  // One event for each delta, texts cut in two.
  json::array events{json::object{{"type", "message_start"},
                                  {"message",
                                   {{"id", "msg_01"},
                                    {"role", "assistant"},
                                    {"type", "message"},
                                    {"model", "claude-opus-4-5"},
                                    {"content", json::array()}}}}};
  std::int64_t index = 0;
  for (const json::value& value : content) {
    json::object block = value.as_object();
    const auto delta = [&](json::object content) {
      events.push_back(json::object{
          {"type", "content_block_delta"}, {"index", index}, {"delta", std::move(content)}});
    };
    json::object start = block;
    const std::string type = text(block, "type");
    if (type == "text") start["text"] = "";
    if (type == "thinking") start["thinking"] = start["signature"] = "";
    if (type.ends_with("tool_use")) start["input"] = json::object();
    events.push_back(json::object{
        {"type", "content_block_start"}, {"index", index}, {"content_block", std::move(start)}});
    const std::string key = type == "thinking" ? "thinking" : "text";
    if (type == "text" || type == "thinking") {
      const std::string words = text(block, key);
      delta({{"type", key + "_delta"}, {key, words.substr(0, 3)}});
      if (words.size() > 3) delta({{"type", key + "_delta"}, {key, words.substr(3)}});
    }
    if (type == "thinking") delta({{"type", "signature_delta"}, {"signature", block["signature"]}});
    if (type.ends_with("tool_use")) {
      delta({{"type", "input_json_delta"}, {"partial_json", canonical_json(block["input"])}});
    }
    events.push_back(json::object{{"type", "content_block_stop"}, {"index", index++}});
  }
  events.push_back(
      json::object{{"type", "message_delta"}, {"delta", {{"stop_reason", "end_turn"}}}});
  events.push_back(json::object{{"type", "message_stop"}});
  return events;
}

}  // namespace weft::test
