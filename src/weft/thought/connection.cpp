#include "weft/thought/connection.hpp"

#include "weft/base/hex.hpp"
#include "weft/crypto/blake3.hpp"

namespace weft::thought {
namespace {

void append_cid(std::string& out, const Cid& cid) {
  out += Cid::kPrefix;
  append_hex(out, cid.digest());
}

}  // namespace

void append_canonical_form(std::string& out, const Connection& connection) {
  out += R"({"because":[],"content":{"from":")";
  append_cid(out, connection.from);
  out += '"';
  if (connection.index) {
    out += R"(,"index":)";
    out += std::to_string(*connection.index);
  }
  if (connection.label) {
    out += R"(,"label":)";
    append_canonical_string(out, *connection.label);
  }
  out += R"(,"relation":)";
  append_canonical_string(out, connection.relation);
  out += R"(,"to":")";
  append_cid(out, connection.to);
  out += R"("},"created_at":)";
  out += std::to_string(connection.created_at);
  out += R"(,"created_by":")";
  append_cid(out, connection.created_by);
  out += R"(","type":"connection"})";
}

std::string canonical_form(const Connection& connection) {
  std::string out;
  out.reserve(448);
  append_canonical_form(out, connection);
  return out;
}

Cid cid_of(const Connection& connection) {
  thread_local std::string form;  // three for each block of a transcript
  form.clear();
  append_canonical_form(form, connection);
  return Cid(crypto::blake3(form));
}

Thought to_thought(const Connection& connection) {
  Thought thought;
  thought.type = kConnectionType;
  thought.content["relation"] = connection.relation;
  thought.content["from"] = connection.from.str();
  thought.content["to"] = connection.to.str();
  if (connection.label) thought.content["label"] = *connection.label;
  if (connection.index) thought.content["index"] = *connection.index;
  thought.created_by = connection.created_by;
  thought.created_at = connection.created_at;
  thought.signature = connection.signature;
  thought.cid = cid_of(connection);
  return thought;
}

Result<Connection> to_connection(const Thought& thought) {
  const auto wrong = [] { return fail(ErrorCode::invalid_input, "connection: malformed content"); };
  if (thought.type != kConnectionType || thought.source || !thought.because.empty() ||
      thought.layers != Layers{}) {
    return wrong();
  }
  const auto relation = find_string(thought.content, "relation");
  const auto from_text = find_string(thought.content, "from");
  const auto to_text = find_string(thought.content, "to");
  if (!relation || !from_text || !to_text) return wrong();
  Result<Cid> from = Cid::parse(*from_text);
  Result<Cid> to = Cid::parse(*to_text);
  if (!from || !to) return wrong();
  Connection connection{.relation = std::string(*relation),
                        .from = *from,
                        .to = *to,
                        .created_by = thought.created_by,
                        .created_at = thought.created_at,
                        .signature = thought.signature};
  std::size_t members = 3;
  if (const auto label = find_string(thought.content, "label")) {
    connection.label = std::string(*label);
    ++members;
  }
  if (const auto index = find_int(thought.content, "index"); index && *index >= 0) {
    connection.index = static_cast<std::uint64_t>(*index);
    ++members;
  }
  if (members != thought.content.size()) return wrong();
  return connection;
}

}  // namespace weft::thought
