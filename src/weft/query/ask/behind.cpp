#include "weft/query/ask/behind.hpp"

namespace weft::query {

void note_behind(json::object& answer, const store::RowsRead& rows) {
  if (rows.done >= rows.all) return;
  answer["behind"] = json::object{{"done", rows.done}, {"all", rows.all}};
}

void note_sealed(json::object& answer, std::uint64_t conversations) {
  if (conversations == 0) return;
  answer["notes"] = json::array{
      "figures of sealed layers that this keyring does not open are left "
      "out, of " +
      std::to_string(conversations) + (conversations == 1 ? " conversation" : " conversations")};
}

}  // namespace weft::query
