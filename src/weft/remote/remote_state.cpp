#include "weft/remote/remote_state.hpp"

#include "weft/base/file.hpp"
#include "weft/base/json.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/base/try.hpp"

namespace weft::remote {
namespace {

constexpr std::size_t kMaxStateBytes = 64u << 20;

json::array texts(const std::vector<std::string>& all) {
  return json::array(all.begin(), all.end());
}

json::array cids(const std::vector<Cid>& all) {
  json::array array;
  for (const Cid& cid : all) array.emplace_back(cid.str());
  return array;
}

bool read_texts(const json::object& object, std::string_view name, std::vector<std::string>& out) {
  const json::array* array = find_array(object, name);
  if (array == nullptr) return false;
  for (const json::value& value : *array) {
    if (!value.is_string()) return false;
    out.emplace_back(view(value.get_string()));
  }
  return true;
}

bool read_cid(const json::object& object, std::string_view name, std::optional<Cid>& out) {
  const auto text = find_string(object, name);
  if (!text) return !object.contains(name);
  const Result<Cid> cid = Cid::parse(*text);
  if (cid) out = *cid;
  return cid.has_value();
}

std::optional<RemoteState> parse_state(const json::object& object) {
  RemoteState state;
  const auto id = find_string(object, "web_id");
  std::vector<std::string> pending;
  const bool is_read = id && read_texts(object, "approved", state.approved) &&
                       read_cid(object, "pushed", state.pushed) &&
                       read_cid(object, "witness", state.witness) &&
                       read_texts(object, "pushed_projects", state.pushed_projects) &&
                       read_texts(object, "pending", pending);
  if (!is_read) return std::nullopt;
  state.web_id = *id;
  for (const std::string& text : pending) {
    const Result<Cid> cid = Cid::parse(text);
    if (!cid) return std::nullopt;
    state.pending.push_back(*cid);
  }
  return state;
}

}  // namespace

Result<std::optional<RemoteState>> read_remote_state(const std::filesystem::path& file) {
  const Result<std::string> text = read_regular_file(file, kMaxStateBytes, Readers::anyone);
  if (!text && text.error().code == ErrorCode::not_found) return std::nullopt;
  if (!text) return fail(Error(text.error()));
  const Result<ParsedJson> parsed = parse_json(*text);
  const json::object* object = parsed ? parsed->value.if_object() : nullptr;
  std::optional<RemoteState> state;
  if (object != nullptr) state = parse_state(*object);
  if (state) return state;
  return fail(ErrorCode::corrupt, file.string() +
                                      " cannot be read; delete it, and the next weft push compares "
                                      "everything and asks again what may go there");
}

Status write_remote_state(const std::filesystem::path& file, const RemoteState& state) {
  json::object object{{"web_id", state.web_id},
                      {"approved", texts(state.approved)},
                      {"pushed_projects", texts(state.pushed_projects)},
                      {"pending", cids(state.pending)}};
  if (state.pushed) object["pushed"] = state.pushed->str();
  if (state.witness) object["witness"] = state.witness->str();
  return write_file_atomically(file, canonical_json(object) + "\n", 0600);
}

}  // namespace weft::remote
