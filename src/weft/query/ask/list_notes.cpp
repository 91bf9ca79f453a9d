#include "weft/query/ask/list_notes.hpp"

#include <algorithm>

#include "weft/base/ascii.hpp"
#include "weft/base/try.hpp"
#include "weft/base/typed/suggest.hpp"

namespace weft::query {
namespace {

// What the conversations of a store are called, the most recently changed first, each once.
struct Inventory {
  std::vector<std::string> formats{}, projects{};
  Millis last_change = 0;
  bool has_sealed = false;  // facts that the keyring does not open
};

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

Result<Inventory> take_inventory(const Library& library) {
  WEFT_TRY_VALUE(const auto catalogue, library.web.catalogue({}, library.keyring));
  Inventory inventory;
  for (const store::CatalogueEntry& entry : catalogue.entries) {
    const transcript::Facts& facts = entry.known.facts;
    add_once(inventory.formats, entry.row.format);
    if (facts.project) add_once(inventory.projects, *facts.project);
    inventory.has_sealed = inventory.has_sealed || entry.has_sealed_facts;
    inventory.last_change =
        std::max(inventory.last_change, facts.updated_at.value_or(entry.row.created_at));
  }
  return inventory;
}

// "a, b, c, …"
std::string first_few(const std::vector<std::string>& names) {
  constexpr std::size_t kFew = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kFew); ++i) {
    out += (out.empty() ? "" : ", ") + names[i];
  }
  return names.size() > kFew ? out + ", …" : out;
}

// The names that have `typed` as a part, or are a part of it, in any case; else the nearest one.
std::vector<std::string> names_like(std::string_view typed, const std::vector<std::string>& names) {
  const std::string wanted = to_lower(typed);
  std::vector<std::string> like;
  std::ranges::copy_if(names, std::back_inserter(like), [&](const std::string& name) {
    const std::string lower = to_lower(name);
    return !wanted.empty() && !lower.empty() && (lower.contains(wanted) || wanted.contains(lower));
  });
  if (!like.empty()) return like;
  std::vector<std::string> lower;
  for (const std::string& name : names) lower.push_back(to_lower(name));
  const std::vector<std::string_view> views(lower.begin(), lower.end());
  if (const auto near = nearest(wanted, views)) {
    const auto at = std::ranges::find(lower, *near) - lower.begin();
    like.push_back(names[static_cast<std::size_t>(at)]);
  }
  return like;
}

// "project SPOTTER: no conversation has it; did you mean spotter?"
std::string note_on(std::string_view filter, const std::string& typed,
                    const std::vector<std::string>& names) {
  const std::vector<std::string> like = names_like(typed, names);
  std::string note = std::string(filter) + " " + typed + ": no conversation has it";
  if (!like.empty()) return note + "; did you mean " + first_few(like) + "?";
  if (names.empty()) return note + ", nor any other " + std::string(filter) + ".";
  return note + "; there are " + first_few(names) + ".";
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// Whether one of the names contains `part`, in any case of letters.
bool has_part(const std::vector<std::string>& names, const std::string& part) {
  const std::string lower = to_lower(part);
  return std::ranges::any_of(names, [&](const std::string& name) {
    return to_lower(name).find(lower) != std::string::npos;
  });
}

}  // namespace

Result<json::array> list_notes(const Library& library, const ListOptions& options) {
  json::array notes;
  if (!options.project && !options.format && !options.since && !options.directory) return notes;
  WEFT_TRY_VALUE(const auto inventory, take_inventory(library));
  if (inventory.formats.empty()) return notes;
  if (options.format && !has(inventory.formats, *options.format)) {
    notes.emplace_back(note_on("format", *options.format, inventory.formats));
  }
  if (options.project && !has_part(inventory.projects, *options.project)) {
    notes.emplace_back(note_on("project", *options.project, inventory.projects));
    if (inventory.has_sealed) {
      notes.emplace_back("This keyring does not open the projects of some conversations.");
    }
  }
  if (options.directory) {
    notes.emplace_back("no conversation is known to have worked in " + *options.directory + ".");
  }
  if (options.since && *options.since > inventory.last_change) {
    notes.emplace_back("since " + show_moment(*options.since, options.clock) +
                       ": nothing has changed since then; the last change was at " +
                       show_moment(inventory.last_change, options.clock) + ".");
  }
  if (notes.empty()) {
    notes.emplace_back(
        "Some conversations match each of the filters, but none matches all of them: leave one "
        "out.");
  }
  return notes;
}

}  // namespace weft::query
