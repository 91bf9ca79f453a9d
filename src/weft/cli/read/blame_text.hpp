// Prints the blame of a file for people: each run of lines under a heading that says who wrote it
// and why.
//
//   ▌ 3f2a91c0b1d2  2026-11-18 14:02  claude-opus-4-5  written (likely)  in a1b2c3d weave backwards
//   ▌ “make the loom weave backwards”
//   ▌ 12  def weave(warp):
//   ▌ 13      return warp[::-1]
//     9f8e7d6  2026-10-02  Ada  no answer: no known edit wrote this line
//     14  shuttle = None
//
// The bar at the left has a colour for each conversation. No row is wider than the page.
#pragma once

#include "weft/cli/app/context.hpp"
#include "weft/query/edits/blame.hpp"

namespace weft::cli {

struct BlameRequest {
  std::string subject{};  // FILE, FILE:LINE or FILE:FIRST-LAST
  std::optional<std::string> revision{};
  bool with_why = false;  // the causes of each edit, as a tree
};

// Prints the answer, or its JSON. Exit::no if no line has an answer and `with_why` asks for one.
Answer print_blame(const Context& context, const query::Library& library,
                   const BlameRequest& request);

}  // namespace weft::cli
