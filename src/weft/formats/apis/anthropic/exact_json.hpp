// A JSON value in a saved state, as its exact text: the canonical form of the whole state would not
// distinguish 1.0 from 1.
//
//   a.field("message", ExactJson{message});
#pragma once

#include "weft/base/state_archive.hpp"

namespace weft::formats::anthropic {

struct ExactJson {
  json::value& value;
};
struct ExactObject {
  json::object& object;
};

// A value as JSON text that reads back to the same value.
std::string exact_text(const json::value& value);

json::value write_value(const ExactJson& exact);
json::value write_value(const ExactObject& exact);
StateFit read_value(const json::value& from, const ExactJson& exact);
StateFit read_value(const json::value& from, const ExactObject& exact);

}  // namespace weft::formats::anthropic
