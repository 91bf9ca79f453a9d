// The store as a whole, row by row: what checking it takes.
#include "weft/store/body.hpp"
#include "weft/store/sqlite/reader.hpp"
#include "weft/thought/checkpoint.hpp"

namespace weft::store::sqlite {

Status Reader::each_thought(const Visit& visit, const Broken& broken) {
  Rows rows = database_.query("SELECT * FROM thoughts ORDER BY id");
  while (rows.next()) {
    Result<Cid> cid = names_.cid(rows.integer(0));
    if (!cid) {
      broken(Cid(), cid.error().message);
      continue;
    }
    Result<thought::Thought> thought = to_thought(rows, *cid, WithPaths::no);
    if (!thought) {
      broken(*cid, thought.error().message);
      continue;
    }
    if (!visit(*std::move(thought))) return {};
  }
  return rows.status();
}

Result<Form> Reader::to_form(const Rows& row, const Cid& cid) {
  Result<thought::Thought> thought = to_bare_thought(row, cid, WithPaths::no);
  if (!thought) return fail(std::move(thought).error());
  Result<std::string> clear = unpack_text(row.bytes(9));
  if (!clear) return fail(std::move(clear).error());
  Form form{.thought = *std::move(thought), .canonical = {}};
  form.canonical = canonical_form(form.thought, *clear);
  if (is_identity(form.thought) || form.thought.type == thought::kCheckpointType) {
    Result<json::object> content = unpack_body(row.bytes(9));
    if (!content) return fail(std::move(content).error());
    form.thought.content = *std::move(content);
  }
  return form;
}

Status Reader::each_form(const std::function<bool(Form)>& visit, const Broken& broken) {
  Rows rows = database_.query("SELECT * FROM thoughts ORDER BY id");
  while (rows.next()) {
    Result<Cid> cid = names_.cid(rows.integer(0));
    if (!cid) {
      broken(Cid(), cid.error().message);
      continue;
    }
    Result<Form> form = to_form(rows, *cid);
    if (!form) {
      broken(*cid, form.error().message);
      continue;
    }
    if (!visit(*std::move(form))) return {};
  }
  return rows.status();
}

Status Reader::each_connection(const std::function<bool(const Cid&, thought::Connection)>& visit,
                               const Broken& broken) {
  Rows rows = database_.query("SELECT * FROM connections ORDER BY id");
  while (rows.next()) {
    Result<Cid> cid = names_.cid(rows.integer(0));
    if (!cid) {
      broken(Cid(), cid.error().message);
      continue;
    }
    Result<thought::Connection> connection = to_connection(rows, WithPaths::no);
    if (!connection) {
      broken(*cid, connection.error().message);
      continue;
    }
    if (!visit(*cid, *std::move(connection))) return {};
  }
  return rows.status();
}

Result<std::vector<Cid>> Reader::checkpoint_log() {
  return to_cids(database_.query("SELECT id FROM checkpoints ORDER BY seq"));
}

Result<std::vector<Cid>> Reader::leaves(const Cid& checkpoint) {
  Result<std::optional<Id>> id = names_.find_id(checkpoint);
  if (!id) return fail(std::move(id).error());
  if (!*id) return std::vector<Cid>();
  return leaves_of(**id);
}

Result<std::vector<Cid>> Reader::dangling() {
  Rows rows = database_.query(
      "SELECT cid FROM names WHERE id NOT IN (SELECT id FROM connections) "
      "AND id NOT IN (SELECT id FROM thoughts) ORDER BY id");
  std::vector<Cid> found;
  while (rows.next()) {
    Result<Cid> cid = to_cid(rows.bytes(0));
    if (!cid) return fail(std::move(cid).error());
    found.push_back(*cid);
  }
  if (Status status = rows.status(); !status) return fail(std::move(status).error());
  return found;
}

}  // namespace weft::store::sqlite
