// The secrets that everybody can read in a thought as it is stored: in the clear part of its
// content, and in what its references quote. A thought that has one leaves as a stub.
#pragma once

#include <string>
#include <vector>

#include "weft/thought/thought.hpp"

namespace weft::query {

// The names of the rules ("github-token"), each once, sorted. Sealed layers are not looked at: they
// leave sealed.
std::vector<std::string> secrets_in_clear(const thought::Thought& thought);

}  // namespace weft::query
