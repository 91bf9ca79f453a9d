#include "weft/store/pages/edge_page.hpp"

namespace weft::store::sql {
namespace {

// On disk.
constexpr std::uint64_t kHasLabel = 1, kHasPosition = 2, kHasSignature = 4;

// What many edges of a page have in common, and where the last of them stood.
struct Kind {
  std::uint64_t flags = 0;
  Id relation = 0, label = 0, created_by = 0;
  Id from = 0, to = 0;
  std::int64_t position = -1;

  bool is_of(const Edge& edge) const {
    return relation == edge.relation && created_by == edge.created_by && flags == flags_of(edge) &&
           label == edge.label.value_or(0);
  }
  static std::uint64_t flags_of(const Edge& edge) {
    return (edge.label ? kHasLabel : 0) | (edge.position ? kHasPosition : 0) |
           (edge.signature.empty() ? 0 : kHasSignature);
  }
};

std::int64_t next(std::int64_t value) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) + 1);  // any number may come
}

class Packer {
 public:
  explicit Packer(Id first) : first_(first), expected_(first) {}

  void add(const Edge& edge) {
    std::size_t number = 0;
    while (number < kinds_.size() && !kinds_[number].is_of(edge)) ++number;
    const bool jumps = edge.id != expected_;
    append_varint(out_, 2 * number + (jumps ? 1 : 0));
    if (number == kinds_.size()) introduce(edge);
    Kind& kind = kinds_[number];
    if (jumps) append_distance(out_, expected_, edge.id);
    append_distance(out_, kind.from, edge.from);
    append_distance(out_, kind.to, edge.to);
    if (edge.position) append_distance(out_, next(kind.position), *edge.position);
    append_distance(out_, time_, edge.created_at);
    if (!edge.signature.empty()) {
      append_varint(out_, edge.signature.size());
      out_ += edge.signature;
    }
    kind.from = edge.from;
    kind.to = edge.to;
    kind.position = edge.position.value_or(-1);
    time_ = edge.created_at;
    expected_ = next(edge.id);
  }
  std::string take() && { return std::move(out_); }

 private:
  void introduce(const Edge& edge) {
    const Kind& kind = kinds_.emplace_back(Kind{.flags = Kind::flags_of(edge),
                                                .relation = edge.relation,
                                                .label = edge.label.value_or(0),
                                                .created_by = edge.created_by,
                                                .from = first_,
                                                .to = first_});
    append_varint(out_, kind.flags);
    append_distance(out_, 0, kind.relation);
    if (edge.label) append_distance(out_, 0, kind.label);
    append_distance(out_, 0, kind.created_by);
  }

  const Id first_;
  std::int64_t expected_;
  Millis time_ = 0;
  std::vector<Kind> kinds_;
  std::string out_;
};

class Unpacker {
 public:
  Unpacker(std::string_view page, Id first) : left_(page), first_(first), expected_(first) {}

  bool is_done() const { return left_.empty(); }

  // False if it cannot be read.
  bool take(Edge& edge) {
    const std::optional<std::uint64_t> head = take_varint(left_);
    if (!head || *head / 2 > kinds_.size()) return false;
    const std::size_t number = *head / 2;
    if (number == kinds_.size() && !introduce()) return false;
    Kind& kind = kinds_[number];
    edge.id = expected_;
    if (*head % 2 == 1 && !take_value(expected_, edge.id)) return false;
    edge.relation = kind.relation;
    edge.created_by = kind.created_by;
    edge.label = std::nullopt;
    if ((kind.flags & kHasLabel) != 0) edge.label = kind.label;
    if (!take_value(kind.from, edge.from) || !take_value(kind.to, edge.to)) return false;
    edge.position = std::nullopt;
    if ((kind.flags & kHasPosition) != 0) {
      if (!take_value(next(kind.position), kind.position)) return false;
      edge.position = kind.position;
    }
    if (!take_value(time_, edge.created_at) || !take_signature(kind, edge)) return false;
    // In order, so that one is found once, and where it is looked for.
    if (edge.id < expected_) return false;
    kind.from = edge.from;
    kind.to = edge.to;
    time_ = edge.created_at;
    expected_ = next(edge.id);
    return true;
  }

 private:
  bool take_value(std::int64_t expected, std::int64_t& value) {
    const std::optional<Id> taken = take_distance(left_, expected);
    if (taken) value = *taken;
    return taken.has_value();
  }
  bool introduce() {
    Kind kind{.from = first_, .to = first_};
    const std::optional<std::uint64_t> flags = take_varint(left_);
    if (!flags || *flags > (kHasLabel | kHasPosition | kHasSignature)) return false;
    kind.flags = *flags;
    if (!take_value(0, kind.relation)) return false;
    if ((kind.flags & kHasLabel) != 0 && !take_value(0, kind.label)) return false;
    if (!take_value(0, kind.created_by)) return false;
    kinds_.push_back(kind);
    return true;
  }
  bool take_signature(const Kind& kind, Edge& edge) {
    edge.signature.clear();
    if ((kind.flags & kHasSignature) == 0) return true;
    const std::optional<std::uint64_t> size = take_varint(left_);
    if (!size || *size == 0 || *size > left_.size()) return false;
    edge.signature = left_.substr(0, *size);
    left_.remove_prefix(*size);
    return true;
  }

  std::string_view left_;
  const Id first_;
  std::int64_t expected_;
  Millis time_ = 0;
  std::vector<Kind> kinds_;
};

}  // namespace

std::string pack_edges(std::span<const Edge> edges, Id first) {
  Packer packer(first);
  for (const Edge& edge : edges) packer.add(edge);
  return std::move(packer).take();
}

Status unpack_edges(std::string_view page, Id first, std::vector<Edge>& edges) {
  Unpacker unpacker(page, first);
  std::size_t count = 0;
  for (; !unpacker.is_done(); ++count) {
    if (count == edges.size()) edges.emplace_back();
    if (!unpacker.take(edges[count])) {
      edges.clear();
      return fail(ErrorCode::corrupt, "a page of connections cannot be read");
    }
  }
  edges.resize(count);
  return {};
}

}  // namespace weft::store::sql
