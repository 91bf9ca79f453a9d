// Sessions of Parrot, one JSON object a line: {"who": "me" or "parrot", "says": "…"}. It keeps
// them in ~/.parrot, with a copy NAME.bak of each.
#include "weft/formats/adapter.hpp"

#include "weft/formats/adapters/parrot/reader.hpp"

namespace weft::formats {
namespace {

Confidence recognises(std::string_view head) {
  return head.starts_with(R"({"who":)") ? Confidence::yes : Confidence::no;
}

std::unique_ptr<Framer> frame(std::string_view /*head*/) { return line_framer(); }

std::unique_ptr<Reader> open(const SourceInfo& /*info*/) {
  return std::make_unique<parrot::SessionReader>();
}

std::vector<std::string> folders(const Environment& environment) {
  const auto home = environment("HOME");
  return home ? std::vector{*home + "/.parrot"} : std::vector<std::string>();
}

std::optional<std::string> ignore_reason(std::string_view path) {
  return path.ends_with(".bak") ? std::optional("backup") : std::nullopt;
}

}  // namespace

const Adapter& parrot_adapter() {
  static constexpr Adapter adapter{.name = parrot::kName,
                                   .family = parrot::kName,
                                   .recognises = recognises,
                                   .frame = frame,
                                   .open = open,
                                   .grows = true,
                                   .folders = folders,
                                   .ignore_reason = ignore_reason};
  return adapter;
}

}  // namespace weft::formats
