// Tools, prompts and resources for the protocol's own conformance suite, served with the library
// that weft serves with.
#pragma once

#include <span>
#include <string>

#include "weft/mcp/protocol/server.hpp"

namespace weft::conformance {

std::span<const mcp::Tool* const> tools();
std::span<const mcp::Tool* const> input_tools();  // those that ask the client for something
std::span<const mcp::Prompt* const> prompts();
std::span<const mcp::Resource* const> resources();

// The server that runs: tools that change its lists need it.
extern mcp::Server* running;

// {type: "text", text}, and a result of nothing but that.
json::object text(std::string_view words);
json::object text_result(std::string_view words);
// A red pixel.
inline constexpr std::string_view kPng =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJg"
    "gg==";

}  // namespace weft::conformance
