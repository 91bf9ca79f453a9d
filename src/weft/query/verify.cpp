#include "weft/query/verify.hpp"

#include <thread>
#include <utility>

#include "weft/base/hex.hpp"
#include "weft/query/checker.hpp"
#include "weft/thought/tree.hpp"

namespace weft::query {
namespace {

using thought::Connection;
using thought::Thought;

// Thoughts go to the workers in handfuls, so that passing them on costs next to nothing.
constexpr std::size_t kHandful = 128;

Status check_connections(const Library& library, Checker& checker) {
  const Status status = library.store.each_connection(
      [&](const Cid& name, const Connection& connection) {
        checker.check(name, connection);
        return true;
      },
      [&](const Cid& cid, const std::string& reason) { checker.bad(cid, reason); });
  if (!status) return status;
  Result<std::vector<Cid>> dangling = library.store.dangling();
  if (!dangling) return fail(std::move(dangling).error());
  for (const Cid& cid : *dangling) checker.missing(cid);
  return {};
}

// Signatures keep all cores busy; the structure, which is many cheap rows, is read beside
// them.
Status check_whole_store(const Library& library, Checker& checker) {
  Status connections;
  std::jthread beside([&] { connections = check_connections(library, checker); });
  std::vector<store::Form> handful;
  const auto pass_on = [&] {
    if (!handful.empty()) checker.check(std::exchange(handful, {}));
  };
  const Status thoughts = library.store.each_form(
      [&](store::Form form) {
        handful.push_back(std::move(form));
        if (handful.size() == kHandful) pass_on();
        return true;
      },
      [&](const Cid& cid, const std::string& reason) { checker.bad(cid, reason); });
  pass_on();
  beside.join();
  if (!thoughts) return thoughts;
  if (!connections) return connections;
  return checker.check_trees();
}

Status check_parts(const Library& library, const VerifyOptions& options, Checker& checker) {
  for (const Cid& conversation : options.conversations) {
    const Status status = library.store.each_of(conversation, [&](Thought thought) {
      checker.check_alone(std::move(thought));
      return true;
    });
    if (!status) return status;
    checker.expect_whole(conversation);
  }
  for (const Cid& cid : options.thoughts) {
    Result<Thought> thought = library.store.get(cid);
    if (thought) {
      checker.check_alone(*std::move(thought));
    } else if (thought.error().code == ErrorCode::corrupt) {
      checker.bad(cid, thought.error().message);
    } else {
      return fail(std::move(thought).error());
    }
  }
  return checker.check_trees();
}

// The head of heads, and whether the one that was kept elsewhere lies on the way to it.
Result<Digest> check_log(const Library& library, const VerifyOptions& options, Checker& checker) {
  Result<std::vector<Cid>> log = library.store.checkpoint_log();
  if (!log) return fail(std::move(log).error());
  Digest head{};
  bool met = !options.head || *options.head == head;
  for (const Cid& checkpoint : *log) {
    head = thought::next_head(head, checkpoint);
    met = met || head == *options.head;
  }
  if (!met) {
    checker.bad(Cid(*options.head),
                "this head was never reached: the store was rolled back, or it is another store's");
  }
  return head;
}

}  // namespace

Result<json::object> verify(const Library& library, const VerifyOptions& options) {
  Checker checker(library, options.threads);
  const bool whole = options.thoughts.empty() && options.conversations.empty();
  Status status =
      whole ? check_whole_store(library, checker) : check_parts(library, options, checker);
  if (!status) return fail(std::move(status).error());
  Result<Digest> head = check_log(library, options, checker);
  if (!head) return fail(std::move(head).error());

  const Findings findings = checker.finish();
  json::array bad;
  for (const auto& [cid, reason] : findings.bad) {
    bad.push_back(json::object{{"cid", cid.str()}, {"reason", reason}});
  }
  json::array missing;
  for (const Cid& cid : findings.missing) missing.push_back(json::string(cid.str()));
  const bool holds = bad.empty() && missing.empty();
  return json::object{{"checked", findings.checked},
                      {"valid", findings.valid},
                      {"foreign", findings.foreign},
                      {"consistent", findings.consistent},
                      {"bad", std::move(bad)},
                      {"missing", std::move(missing)},
                      {"head", to_hex(*head)},
                      {"verdict", !holds                       ? "bad"
                                  : library.keyring == nullptr ? "consistent"
                                                               : "valid"}};
}

}  // namespace weft::query
