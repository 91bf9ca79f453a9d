#include "weft/cli/hand/verify_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/ingest/import.hpp"
#include "weft/query/proof/part_checker.hpp"
#include "weft/query/verify/verify.hpp"
#include "weft/store/open.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownBad = 50;
constexpr std::string_view kHolds = "holds", kBad = "bad";
// What no file of thoughts can prove, as docs/handing-on.md explains.
constexpr std::string_view kNotProven =
    "not proven: that nothing else was said, that a model said it, or when; whoever guesses a "
    "short hidden text can confirm it";
constexpr std::string_view kUnsigned =
    "unsigned selection: each thought holds, and whoever made the file chose which ones to show";

// A folder for a temporary store, mode 0700, removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code failed;
    std::string name = (fs::temp_directory_path(failed) / "weft-verify.XXXXXX").string();
    if (!failed && ::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  bool is_made() const { return !path_.empty(); }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

json::object finding(std::string_view cid, std::string_view reason) {
  json::object entry{{"reason", reason}};
  if (!cid.empty()) entry["cid"] = cid;
  return entry;
}

// The owner of what is in the file; adds to `bad` if it must be somebody else.
json::object owner_json(const Cid& cid, std::string_view name, std::string_view key,
                        const std::optional<std::string>& pinned, const crypto::Keyring* keyring,
                        json::array& bad) {
  if (pinned && *pinned != key)
    bad.push_back(finding(cid.str(), "the owner's key is not " + *pinned));
  json::object owner{{"cid", cid.str()}, {"name", name}, {"key", key}};
  if (keyring == nullptr) return owner;
  owner["is_you"] = keyring->owner_key().str() == key;
  for (const crypto::TrustedOwner& trusted : keyring->trusted()) {
    if (trusted.key.str() == key) owner["trusted_as"] = trusted.name;
  }
  return owner;
}

json::object check_proof(std::string_view file, const std::optional<std::string>& pinned,
                         const crypto::Keyring* keyring) {
  json::object answer{{"kind", "proof"}};
  json::array bad;
  const Result<query::Proof> proof = query::parse_proof(file);
  if (!proof) {
    bad.push_back(finding("", proof.error().message));
    answer["bad"] = std::move(bad);
    return answer;
  }
  const query::PartReport part = query::check_part(*proof);
  for (const query::PartFinding& found : part.bad)
    bad.push_back(finding(found.cid.str(), found.reason));
  answer["subject"] = proof->subject.str();
  answer["selection"] = proof->is_signed ? "signed" : "unsigned";
  answer["owner"] = owner_json(proof->owner, part.owner_name, part.owner_key, pinned, keyring, bad);
  answer["whole"] = part.whole;
  answer["sealed"] = part.sealed;
  answer["stubs"] = part.stubs;
  answer["witnessed"] = part.witnessed;
  answer["edges"] = part.edges;
  answer["checkpoints"] = part.checkpoints;
  json::array notes{kNotProven};
  if (!proof->is_signed) notes.insert(notes.begin(), json::value(kUnsigned));
  answer["notes"] = std::move(notes);
  answer["bad"] = std::move(bad);
  return answer;
}

// An export is checked as what it becomes: it is imported into an empty store, and that is
// verified.
Result<json::object> check_thoughts(const std::string& path,
                                    const std::optional<std::string>& pinned,
                                    const crypto::Keyring* keyring) {
  const ScratchFolder scratch;
  if (!scratch.is_made())
    return fail(ErrorCode::unavailable, "cannot make a temporary folder to check " + path);
  WEFT_TRY_VALUE(const auto file, ingest::ThoughtsFile::open(path));
  WEFT_TRY_VALUE(const auto store,
                 store::open_store((scratch.path() / "store.db").string(), store::Create::yes));
  WEFT_TRY_VALUE(const auto imported, ingest::import_thoughts(*store, nullptr, file, false));
  query::VerifyOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  WEFT_TRY_VALUE(const auto verified, query::verify(*store, nullptr, options));
  json::array bad;
  for (const ingest::Refused& refused : imported.refused)
    bad.push_back(finding(refused.cid, fmt::format("line {}: {}", refused.line, refused.reason)));
  for (const ingest::IncompleteConversation& each : imported.incomplete) {
    bad.push_back(
        finding(each.cid.str(), fmt::format("{} that its checkpoints cover are missing or refused",
                                            count(each.missing, "thought"))));
  }
  for (const json::value& entry : verified.at("bad").as_array()) bad.push_back(entry);
  for (const json::value& cid : verified.at("missing").as_array())
    bad.push_back(finding(view(cid.as_string()), "it is referred to and not in the file"));
  if (imported.read == 0) bad.push_back(finding("", "there is no thought in the file"));
  else if (imported.conversations.empty())
    bad.push_back(finding("", "there is no whole conversation in the file"));
  json::object answer{{"kind", "thoughts"}, {"checked", verified.at("checked")}};
  json::array conversations;
  for (const Cid& cid : imported.conversations) conversations.emplace_back(cid.str());
  // A conversation of which something was refused is not there.
  WEFT_TRY_VALUE(const auto rows, store->conversations({}));
  if (!rows.empty()) {
    WEFT_TRY_VALUE(const auto owner, store->get(rows.front().created_by));
    answer["owner"] =
        owner_json(owner.cid, find_string(owner.content, "name").value_or(""),
                   find_string(owner.content, "pubkey").value_or(""), pinned, keyring, bad);
  }
  answer["conversations"] = std::move(conversations);
  answer["notes"] = json::array{kNotProven};
  answer["bad"] = std::move(bad);
  return answer;
}

void print_verdict(const Context& context, const json::object& answer) {
  const json::array& bad = answer.at("bad").as_array();
  const std::string verdict(find_string(answer, "verdict").value_or(kBad));
  const Colour colour = bad.empty() ? Colour::green : Colour::red;
  std::string figures;
  if (answer.contains("whole")) {
    figures = fmt::format(
        ": {} whole, {} sealed, {}; {}, {}", count(count_or_zero(answer, "whole"), "thought"),
        count(count_or_zero(answer, "sealed")), count(count_or_zero(answer, "stubs"), "stub"),
        count(count_or_zero(answer, "edges"), "edge"),
        count(count_or_zero(answer, "checkpoints"), "checkpoint"));
  } else if (answer.contains("checked")) {
    figures = ": " + count(count_or_zero(answer, "checked"), "signature") + " checked";
  }
  context.print(context.style().paint(colour, verdict) + figures + "\n");
  std::size_t shown = 0;
  for (const json::value& value : bad) {
    if (++shown > kShownBad) break;
    const json::object& entry = value.as_object();
    const std::string cid = brief(find_string(entry, "cid").value_or(""));
    context.print(fmt::format("  bad      {}{}\n", cid.empty() ? "" : cid + "  ",
                              on_one_line(find_string(entry, "reason").value_or(""))));
  }
  if (bad.size() > shown) context.print("  … and more (--json lists them all)\n");
  if (const auto subject = find_string(answer, "subject"))
    context.print(fmt::format("about {}\n", *subject));
  if (const json::object* owner = find_object(answer, "owner")) {
    const auto is_you = find_bool(*owner, "is_you");
    const std::string trusted_as = on_one_line(find_string(*owner, "trusted_as").value_or(""));
    context.print(fmt::format("owner {} {}{}\n",
                              on_one_line(find_string(*owner, "name").value_or("")),
                              find_string(*owner, "key").value_or(""),
                              !is_you              ? ""
                              : *is_you            ? " (you)"
                              : trusted_as.empty() ? " (not you)"
                                                   : " (trusted as " + trusted_as + ")"));
  }
  if (const std::uint64_t heard = count_or_zero(answer, "witnessed"); heard > 0)
    context.print(fmt::format("witnessed by weft record: {}\n", count(heard)));
  if (find_string(answer, "selection") == "signed")
    context.print("the selection is signed by the owner\n");
  if (const json::array* notes = find_array(answer, "notes")) {
    for (const json::value& note : *notes)
      context.print("note: " + std::string(view(note.as_string())) + "\n");
  }
}

// Thoughts are lines that are read one by one; a proof is read whole. Its first bytes tell.
Result<json::object> check(const std::string& path, const std::optional<std::string>& pinned,
                           const crypto::Keyring* keyring) {
  std::string head(16, '\0');
  std::ifstream(path, std::ios::binary)
      .read(head.data(), static_cast<std::streamsize>(head.size()));
  if (!query::looks_like_proof(head) && head.starts_with('{'))
    return check_thoughts(path, pinned, keyring);
  WEFT_TRY_VALUE(const auto file, read_file(path));
  return check_proof(file, pinned, keyring);
}

}  // namespace

bool is_file_to_verify(const std::string& name) {
  std::error_code ignored;
  return fs::is_regular_file(name, ignored);
}

Answer verify_file(const Context& context, const std::string& path,
                   const std::optional<std::string>& owner) {
  Outcome<std::optional<crypto::Keyring>> keyring = context.find_keyring();
  if (!keyring) return refuse(std::move(keyring));
  Result<json::object> answer = check(path, owner, *keyring ? &**keyring : nullptr);
  if (!answer) return refuse(std::move(answer).error().within("'" + path + "'"));
  const bool is_bad = !answer->at("bad").as_array().empty();
  (*answer)["verdict"] = is_bad ? kBad : kHolds;
  (*answer)["file"] = path;
  if (context.json()) context.print_json(*answer);
  else print_verdict(context, *answer);
  return is_bad ? Exit::no : Exit::done;
}

}  // namespace weft::cli
