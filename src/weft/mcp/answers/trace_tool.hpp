// The answers of the tools that trace causes and effects, which differ only in their direction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/mcp/protocol/tool.hpp"
#include "weft/query/questions.hpp"

namespace weft::mcp {

// One direction of a trace.
struct Trace {
  std::string_view tool;   // its name
  std::string_view found;  // "causes"
  std::string_view way;    // "steps back"
  Result<json::object> (*ask)(const query::Library& library, const Cid& cid,
                              const query::TraceOptions& options);
  // Adds to the answer what its arguments ask for beside the trace, and to its text.
  Status (*extend)(Call& call, const Cid& cid, json::object& answer) = nullptr;
  void (*render_more)(const json::object& answer, std::string& out) = nullptr;
};

// The arguments of such a tool. `depth` is the description of that argument.
std::vector<Parameter> trace_parameters(std::string_view depth);

// JSON Schema of its structured result.
extern const std::string_view kTraceSchema;

// Answers a call of it.
Served<> answer_trace(Call& call, const Trace& trace);

}  // namespace weft::mcp
