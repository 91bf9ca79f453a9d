#include "weft/page/forks.hpp"

#include "weft/base/try.hpp"

namespace weft::page {
namespace {

constexpr std::string_view kContinues = "continues";

Status add_fork(const query::Library& library, json::object& shown) {
  WEFT_TRY_VALUE(const auto cid, Cid::parse(find_string(shown, "cid").value_or("")));
  WEFT_TRY_VALUE(const auto any, library.web.neighbours(cid, kContinues, store::Direction::from));
  if (any.empty()) return {};
  WEFT_TRY_VALUE(const auto row, library.web.conversation(cid));
  WEFT_TRY_VALUE(const auto origins, library.web.neighbours_by(row.created_by, cid, kContinues,
                                                               store::Direction::from));
  if (origins.empty()) return {};
  WEFT_TRY_VALUE(const auto sum,
                 library.web.sum_tallies({.conversation = cid, .keyring = library.keyring}));
  const store::Count blocks = sum.figures[store::Figure::blocks];
  shown["fork"] = {
      {"of", origins.front().str()}, {"shared", blocks.all - blocks.own}, {"blocks", blocks.all}};
  return {};
}

}  // namespace

Status add_forks(const query::Library& library, json::array& conversations) {
  for (json::value& conversation : conversations) {
    WEFT_TRY(add_fork(library, conversation.as_object()));
  }
  return {};
}

}  // namespace weft::page
