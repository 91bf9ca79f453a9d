#include "weft/formats/reading/inexact_record.hpp"

#include <string>

namespace weft::formats {
namespace {

struct HoldsJson {
  bool operator()(const transcript::ToolCall&) const { return true; }
  bool operator()(const transcript::ToolResult& result) const {
    return result.details.has_value() || result.parts.has_value();
  }
  bool operator()(const transcript::Attachment& one) const { return one.extra.has_value(); }
  bool operator()(const transcript::Failure& failure) const { return failure.details.has_value(); }
  bool operator()(const transcript::Unknown& unknown) const { return !unknown.raw_text; }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

}  // namespace

void keep_exact(std::vector<AuthoredBlock>& blocks, std::string_view type, std::string_view text) {
  for (AuthoredBlock& one : blocks) {
    if (!std::visit(HoldsJson{}, one.body)) continue;
    one.body = transcript::Unknown{
        .block_type = std::string(type), .raw = {}, .raw_text = std::string(text)};
  }
}

}  // namespace weft::formats
