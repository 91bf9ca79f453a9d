#include "weft/query/secrets/opened.hpp"

#include "weft/query/secrets/secret_mask.hpp"
#include "weft/thought/seal.hpp"

namespace weft::query {

json::object open_json(const Library& library, const thought::Thought& thought) {
  json::object opened = thought::to_open_json(thought, library.keyring);
  if (library.mask != nullptr) {
    if (const auto content = opened.find("content"); content != opened.end()) {
      const std::size_t masked = library.mask->mask(content->value());
      if (masked > 0) opened["masked"] = masked;
    }
  }
  return opened;
}

json::object open_content(const Library& library, const thought::Thought& thought) {
  json::object content = thought::open_content(thought, library.keyring);
  if (library.mask != nullptr) library.mask->mask(content);
  return content;
}

}  // namespace weft::query
