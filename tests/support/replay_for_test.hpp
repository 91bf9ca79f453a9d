// Checks an exported conversation against the original, without weft's own code: which values count
// as equal (docs/replay.md), and the rules of the Messages API beside its types. For every test
// that ingests something and exports it again.
//
//   const json::object original = sent(request, answer);
//   EXPECT_EQ(difference(original, exported), "");  // exported: {system?, tools?, messages}
//   EXPECT_EQ(broken_rule(exported), "");
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::test {

// The content of the answer that a stream of events gives, put together by the API's own rules.
// Several messages in one stream are one.
json::array streamed_content(const std::vector<json::object>& events);

// The request with the answer behind it.
json::object sent(json::object request, const json::array& answer);

// A request in the one form that all equal ones have: contents as lists, neighbours of one role
// joined, results first, without what means nothing to the API (null members, empty texts,
// cache_control, "is_error":false) and without what it would refuse (thinking that nobody
// signed, or that nothing follows); calls that nobody answered closed with an error.
json::object normal(const json::object& request);

// Where they differ, block for block: "" if nowhere.
std::string difference(const json::object& expected, const json::object& got);

// The first rule of the API's that the request breaks: "" if none.
std::string broken_rule(const json::object& request);

}  // namespace weft::test
