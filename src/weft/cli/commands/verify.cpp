// weft verify: checks every hash, signature, tree and chain.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "weft/base/hex.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/hand/verify_file.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/ed25519.hpp"
#include "weft/ingest/check_archive.hpp"
#include "weft/query/attest/vouches.hpp"
#include "weft/query/verify/verify.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kShownBad = 50;

struct Options {
  std::vector<std::string> names;
  std::string head;
  std::optional<std::string> owner;
  bool quick = false;
};

const json::array& list(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::array* array = find_array(object, key);
  return array != nullptr ? *array : kNone;
}

bool is_bad(const json::object& answer) {
  return find_string(answer, "verdict") == "bad" || !list(answer, "bad").empty();
}

// What others say about a conversation, and how to remove it.
void print_foreign(const Context& context, const json::object& answer) {
  std::set<std::string> keys;
  std::size_t shown = 0;
  for (const json::value& value : list(answer, "foreign_structure")) {
    const json::object& entry = value.as_object();
    if (const auto key = find_string(entry, "key")) keys.insert(on_one_line(*key));
    if (++shown > kShownBad) continue;
    const std::string conversation = brief(find_string(entry, "conversation").value_or(""));
    context.print(fmt::format("  foreign  {}  {}{}\n",
                              brief(find_string(entry, "cid").value_or("")),
                              on_one_line(find_string(entry, "reason").value_or("")),
                              conversation.empty() ? "" : ": " + conversation));
  }
  for (const std::string& key : keys) {
    context.print("  remove what this key signed with: weft repair --drop-key " + key + "\n");
  }
}

// Whose the thoughts are that the owner of the keyring did not sign.
void print_signers(const Context& context, const json::object& answer) {
  std::size_t shown = 0;
  for (const json::value& value : list(answer, "signers")) {
    if (++shown > kShownBad) break;
    const json::object& signer = value.as_object();
    const bool is_trusted = find_bool(signer, "trusted").value_or(false);
    context.print(fmt::format("  {}  {}  {}  {}\n", is_trusted ? "trusted" : "foreign",
                              on_one_line(find_string(signer, "name").value_or("")),
                              on_one_line(find_string(signer, "key").value_or("")),
                              count(count_or_zero(signer, "signatures"), "signature")));
  }
}

// What is wrong with rows that are not signed, and what to do about it.
void print_tables(const Context& context, const json::array& findings) {
  std::size_t shown = 0;
  std::vector<std::string> cures;
  for (const json::value& value : findings) {
    const json::object& entry = value.as_object();
    const std::string cure(find_string(entry, "cure").value_or(""));
    if (std::ranges::find(cures, cure) == cures.end()) cures.push_back(cure);
    if (++shown > kShownBad) continue;
    const auto cid = find_string(entry, "cid");
    context.print(fmt::format("  store    {}{}: {}\n", find_string(entry, "table").value_or(""),
                              cid ? "  " + brief(*cid) : std::string(),
                              on_one_line(find_string(entry, "what").value_or(""))));
  }
  if (shown > kShownBad) context.print("  … and more (--json lists them all)\n");
  for (const std::string& cure : cures) context.print("  cure: " + on_one_line(cure) + "\n");
}

void print_verdict(const Context& context, const json::object& answer) {
  const bool bad = is_bad(answer);
  const std::string verdict(find_string(answer, "verdict").value_or(bad ? "bad" : "valid"));
  std::string figures = count(count_or_zero(answer, "checked"), "signature") + " checked";
  for (const std::string_view key : {"valid", "trusted", "foreign", "consistent"}) {
    const std::uint64_t how_many = count_or_zero(answer, key);
    if (how_many > 0) figures += fmt::format(", {} {}", count(how_many), key);
  }
  if (bad) figures += fmt::format(", {} bad", count(list(answer, "bad").size()));
  const std::size_t damaged = list(answer, "store").size();
  if (damaged > 0) figures += fmt::format(", {} in the store's tables", count(damaged, "finding"));
  context.print(context.style().paint(bad ? Colour::red : Colour::green, on_one_line(verdict)) +
                ": " + figures + "\n");
  std::size_t shown = 0;
  for (const json::value& value : list(answer, "bad")) {
    if (++shown > kShownBad) break;
    const json::object& entry = value.as_object();
    context.print(fmt::format("  bad      {}  {}\n", brief(find_string(entry, "cid").value_or("")),
                              on_one_line(find_string(entry, "reason").value_or(""))));
  }
  for (const json::value& value : list(answer, "missing")) {
    if (++shown > 2 * kShownBad) break;
    if (value.is_string()) {
      context.print(fmt::format("  missing  {}\n", brief(view(value.get_string()))));
    }
  }
  if (list(answer, "bad").size() + list(answer, "missing").size() > shown) {
    context.print("  … and more (--json lists them all)\n");
  }
  print_signers(context, answer);
  print_foreign(context, answer);
  print_tables(context, list(answer, "store"));
  for (const json::value& note : list(answer, "notes")) {
    if (note.is_string()) context.print("note: " + on_one_line(view(note.get_string())) + "\n");
  }
  if (const auto head = find_string(answer, "head")) {
    context.print(fmt::format("head {}\n", *head));
  }
}

Outcome<query::VerifyOptions> to_question(const query::Library& library, const Options& options) {
  query::VerifyOptions question;
  question.threads = std::max(1u, std::thread::hardware_concurrency());
  question.quick = options.quick;
  if (!options.head.empty()) {
    Digest head{};
    if (parse_hex(options.head, head)) question.head = head;
  }
  for (const std::string& name : options.names) {
    Status added = query::add_named(library, name, question);
    if (added) continue;
    Error error = std::move(added).error().within("'" + name + "'");
    const bool no = error.code == ErrorCode::not_found || error.code == ErrorCode::invalid_input;
    return refuse(std::move(error), no ? Exit::no : Exit::failure);
  }
  return question;
}

// Of the whole store, and for those who have a keyring: who the owner is to others.
Status add_vouches(const query::Library& library, const Opened& opened, const Options& options,
                   json::object& answer) {
  if (!options.names.empty() || !opened.keyring || !opened.keyring->can_sign()) return {};
  const thought::Thought owner = thought::owner_identity(*opened.keyring);
  WEFT_TRY_VALUE(const auto vouches, query::vouches_of(library, owner));
  if (vouches.empty()) return {};
  json::array list;
  for (const query::Vouch& vouch : vouches) list.push_back(query::to_json(vouch, owner.cid));
  answer["vouched"] = std::move(list);
  return {};
}

void print_vouches(const Context& context, const json::object& answer) {
  for (const json::value& value : list(answer, "vouched")) {
    const json::object& vouch = value.as_object();
    const auto text = [&](std::string_view key) {
      return on_one_line(find_string(vouch, key).value_or(""));
    };
    const bool holds = find_bool(vouch, "holds").value_or(false);
    context.print(fmt::format("vouched  {} {} {}{}\n", text("comment"), text("key_type"),
                              text("fingerprint"), holds ? "" : ": " + text("reason")));
  }
}

Answer verify(const Context& context, const Options& options) {
  if (std::ranges::any_of(options.names, is_file_to_verify)) {
    if (options.names.size() > 1) {
      return refuse({ErrorCode::invalid_input, "a file is verified by itself"}, Exit::usage,
                    "verify one file at a time");
    }
    return verify_file(context, options.names.front(), options.owner);
  }
  if (options.owner) {
    return refuse({ErrorCode::invalid_input, "--owner is for a file that was handed on"},
                  Exit::usage, "name the file");
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) {
    Refusal refusal = std::move(opened).error();
    // A damaged store is an answer to the question, not a failure.
    if (refusal.error.code == ErrorCode::corrupt) refusal.exit = Exit::no;
    return std::unexpected(std::move(refusal));
  }
  const query::Library library = opened->library();
  Outcome<query::VerifyOptions> question = to_question(library, options);
  if (!question) return refuse(std::move(question));
  question->quick = options.quick;
  if (!options.quick && opened->keyring) {
    Result<std::vector<query::FurtherCheck>> archive =
        ingest::archive_checks(*opened->store, *opened->keyring);
    if (!archive) return refuse(std::move(archive).error());
    question->further = *std::move(archive);
  }
  Result<json::object> answer = query::verify(*opened->store, opened->keys(), *question);
  if (!answer) {
    const bool damaged = answer.error().code == ErrorCode::corrupt;
    return refuse(std::move(answer).error(), damaged ? Exit::no : Exit::failure);
  }
  if (Status vouched = add_vouches(library, *opened, options, *answer); !vouched) {
    return refuse(std::move(vouched).error());
  }
  if (context.json()) {
    context.print_json(*answer);
  } else {
    print_verdict(context, *answer);
    print_vouches(context, *answer);
  }
  return is_bad(*answer) ? Exit::no : Exit::done;
}

std::string check_head(const std::string& text) {
  Digest head{};
  return parse_hex(text, head) ? std::string() : "expected a head of 64 lower-case hex digits";
}

std::string check_key(const std::string& text) {
  return crypto::PublicKey::parse(text) ? std::string() : "expected ed25519: and 64 hex digits";
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CONV|CID|FILE", options->names,
                "Conversations or thoughts to check (default: everything), or a file: a proof, or "
                "exported thoughts");
  arguments.add("--owner", options->owner, "With FILE: the key that its owner must have",
                {.value = "KEY", .check = check_key});
  arguments.add("--head", options->head,
                "Check that the store still contains this head, printed earlier and kept elsewhere",
                {.value = "HEX", .check = check_head});
  arguments.flag("--quick", options->quick,
                 "Leave out what takes long: opening sealed text and archived files");
  return [options](Context& context) { return verify(context, *options); };
}

}  // namespace

const Command& verify_command() {
  static const Command command = {
      .name = "verify",
      .group = Group::check,
      .summary = "check every hash, signature and chain",
      .about =
          "Checks that every thought has the hash in its CID, that signatures, trees, checkpoint\n"
          "chains and heads are valid, and that every cause and connection refers to a stored\n"
          "thought. Checks that everything else in the store follows from the thoughts or has the\n"
          "sum that weft wrote, and opens every archived file; `weft repair` mends what is found.\n"
          "With a keyring it also shows whose thoughts they are: `valid` are yours, `trusted` are\n"
          "of owners whom weft keys trust names, with their models and tools, and `foreign` are\n"
          "correctly signed by others. Without a keyring they are `consistent`. A\n"
          "store that was reset as a whole to an older state is consistent too: keep the printed\n"
          "head elsewhere, and --head detects that. With a keyring, every sealed layer is opened\n"
          "for which it has the key, unless --quick is given. What others than the creator of a\n"
          "conversation say about it counts for nothing, and is listed as foreign with the "
          "command\n"
          "that removes it.\n"
          "\n"
          "With FILE, it checks what weft prove or weft export --as thoughts wrote, and needs no "
          "store\n"
          "and no keyring: it says whose it is, whether the selection is signed, and what is a "
          "stub.\n"
          "Exit code 1 if anything is bad.",
      .examples =
          "weft verify\n"
          "weft verify 3f2a91c0\n"
          "weft verify proof.html --owner ed25519:03a107bf…\n"
          "weft verify --head \"$(cat kept-elsewhere)\" --json",
      .see_also = "weft doctor, weft export, weft prove",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
