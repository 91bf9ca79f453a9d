#include "weft/cli/render/table_notes.hpp"

#include <fmt/format.h>

#include "weft/cli/render/figures.hpp"

namespace weft::cli {

void print_table_notes(const Context& context, const json::object& answer) {
  if (const json::array* notes = find_array(answer, "notes")) {
    for (const json::value& note : *notes) {
      if (note.is_string()) context.note(std::string(view(note.get_string())));
    }
  }
  if (const json::object* behind = find_object(answer, "behind")) {
    context.note(fmt::format(
        "this took longer because the tables have only {} of {} so far: weft ingest or weft "
        "reindex completes them",
        count(count_or_zero(*behind, "done")),
        count(count_or_zero(*behind, "all"), "conversation")));
  }
}

}  // namespace weft::cli
