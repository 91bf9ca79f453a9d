// weft prove: writes a thought and its causes into a file that checks by itself.
#include <fmt/format.h>

#include <memory>

#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/render/figures.hpp"
#include "weft/cli/render/out_file.hpp"
#include "weft/cli/render/summary_line.hpp"
#include "weft/page/site/files.hpp"
#include "weft/query/proof/collect.hpp"
#include "weft/query/proof/part_checker.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kHtml = ".html", kJson = ".json";

struct Options {
  std::string cid, out;
  std::optional<std::string> to;
  std::optional<std::uint64_t> depth;
  std::vector<std::string> hidden;
  bool force = false;
};

// Resolves what people typed: a CID or its first digits, otherwise the name of a kind.
Outcome<query::ProofOptions> to_question(const query::Library& library, const Options& options) {
  query::ProofOptions question;
  if (options.depth) question.depth = *options.depth;
  if (options.to) {
    Outcome<Cid> prompt = thought_called(library, *options.to);
    if (!prompt) return refuse(std::move(prompt));
    question.to = *prompt;
  }
  for (const std::string& hidden : options.hidden) {
    const bool is_kind =
        hidden.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos &&
        hidden.find_first_not_of("abcdef") != std::string::npos;
    if (is_kind) {
      question.hidden_kinds.push_back(hidden);
      continue;
    }
    Outcome<Cid> cid = thought_called(library, hidden);
    if (!cid) return refuse(std::move(cid));
    question.hidden.push_back(*cid);
  }
  return question;
}

// The owner's signing key, if this is the owner's own keyring and web.
const crypto::SigningKey* signing_key(const crypto::Keyring* keyring, const query::Proof& proof) {
  if (keyring == nullptr || !keyring->can_sign()) return nullptr;
  for (const thought::Thought& thought : proof.thoughts) {
    if (thought.cid != proof.owner) continue;
    const bool is_own = find_string(thought.content, "pubkey") == keyring->owner_key().str();
    return is_own ? &keyring->owner_signing_key() : nullptr;
  }
  return nullptr;
}

std::vector<std::string> notes_on(const query::CollectedProof& collected, bool is_signed) {
  std::vector<std::string> notes;
  const auto add = [&](std::uint64_t how_many, std::string_view why) {
    if (how_many > 0) notes.push_back(fmt::format("{} {}", count(how_many, "stub"), why));
  };
  add(collected.beyond, "for what lies beyond the prompt or the depth");
  add(collected.secrets, "for thoughts in which a secret stands");
  add(collected.quoting, "for thoughts that quote something hidden");
  if (!is_signed) {
    notes.emplace_back(
        "unsigned selection: it takes the keyring of the conversation's owner to sign the whole");
  }
  notes.emplace_back(
      "not proven: that nothing else was said, that a model said it, or when; whoever guesses a "
      "short hidden text can confirm it");
  return notes;
}

json::object to_json(const Options& options, const query::Proof& proof,
                     const query::PartReport& report, std::size_t bytes,
                     const std::vector<std::string>& notes) {
  return {{"subject", proof.subject.str()},
          {"selection", proof.is_signed ? "signed" : "unsigned"},
          {"owner",
           {{"cid", proof.owner.str()}, {"name", report.owner_name}, {"key", report.owner_key}}},
          {"whole", report.whole},
          {"sealed", report.sealed},
          {"stubs", report.stubs},
          {"edges", report.edges},
          {"checkpoints", report.checkpoints},
          {"out", options.out},
          {"bytes", bytes},
          {"notes", json::array(notes.begin(), notes.end())}};
}

// What was written must check as the reader will check it.
Result<query::PartReport> checked(std::string_view file) {
  const Result<query::Proof> proof = query::parse_proof(file);
  if (!proof) return fail(Error(proof.error()));
  query::PartReport report = query::check_part(*proof);
  if (!report.holds()) {
    const query::PartFinding& first = report.bad.front();
    return fail(ErrorCode::corrupt,
                fmt::format("the proof would not hold: {}: {} ({} in all); run weft verify",
                            first.cid.str(), first.reason, count(report.bad.size(), "fault")));
  }
  return report;
}

// Checkpoints of version 1 cover no identities: then only the owner can say who signed a stub.
std::string hint_for(const query::Proof& proof) {
  if (proof.is_signed || proof.stubs.empty()) return {};
  return "prove it with the keyring of the conversation's owner, or hide nothing and go back "
         "farther";
}

Answer prove(const Context& context, const Options& options) {
  const bool is_html = options.out.ends_with(kHtml);
  if (!is_html && !options.out.ends_with(kJson)) {
    return refuse({ErrorCode::invalid_input, "--out must end with .json or .html"}, Exit::usage,
                  "proof.html shows itself in a browser, proof.json is for programs");
  }
  if (is_html && page::proof_page().empty()) {
    return refuse({ErrorCode::unavailable, "this weft was built without its page"},
                  "write a .json");
  }
  Outcome<Opened> opened = context.open_to_read();
  if (!opened) return refuse(std::move(opened));
  const query::PinnedLibrary library = opened->snapshot();
  Outcome<Cid> subject = thought_called(library, options.cid);
  if (!subject) return refuse(std::move(subject));
  Outcome<query::ProofOptions> question = to_question(library, options);
  if (!question) return refuse(std::move(question));
  Result<query::CollectedProof> collected = query::collect_proof(library, *subject, *question);
  if (!collected)
    return refuse(std::move(collected).error().within("cannot prove " + subject->brief()));
  query::Proof& proof = collected->proof;
  const crypto::SigningKey* key = signing_key(opened->keys(), proof);
  proof.is_signed = key != nullptr;
  if (is_html) proof.page = query::hash_of_page(page::proof_page());
  std::string file = query::write_proof(proof, key);
  if (is_html) file = query::put_in_page(page::proof_page(), file);
  Result<query::PartReport> report = checked(file);
  if (!report) return refuse(std::move(report).error(), hint_for(proof));

  Result<OutFile> out =
      OutFile::create(options.out, options.force ? Existing::replace : Existing::keep);
  if (!out) return refuse_file(std::move(out).error());
  std::fwrite(file.data(), 1, file.size(), out->stream());
  if (Status done = out->commit(); !done)
    return refuse_file(std::move(done).error(), Exit::failure);
  const std::vector<std::string> notes = notes_on(*collected, proof.is_signed);
  if (context.json()) {
    context.print_json(to_json(options, proof, *report, file.size(), notes));
    return Exit::done;
  }
  context.print(fmt::format("wrote {} ({}): {} whole, {} sealed, {}\nowner {} {}\n", options.out,
                            byte_size(file.size()), count(report->whole, "thought"),
                            count(report->sealed), count(report->stubs, "stub"), report->owner_name,
                            report->owner_key));
  for (const std::string& note : notes) context.note(note);
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("CID", options->cid, "The thought to prove", {.required = true});
  arguments.add("--out", options->out, "The file to write: FILE.json, or FILE.html for a browser",
                {.value = "FILE", .required = true});
  arguments.add("--to", options->to,
                "Causes back to this prompt (default: to the nearest prompt of each chain)",
                {.value = "PROMPT"});
  arguments.add("--depth", options->depth, "Maximum number of steps back (default: no limit)",
                {.value = "N"});
  arguments.add("--hide", options->hidden,
                "Show only who signed this thought, or all thoughts of a kind; may be repeated",
                {.value = "CID|KIND"});
  arguments.flag("--force", options->force, "Overwrite an existing file");
  return [options](Context& context) { return prove(context, *options); };
}

}  // namespace

const Command& prove_command() {
  static const Command command = {
      .name = "prove",
      .group = Group::transfer,
      .summary = "write an answer and its causes into a file that checks by itself",
      .about =
          "Writes a thought and its causes, back to the prompt, into a file for somebody who has\n"
          "neither your store nor weft: each thought whole, sealed, or a stub that shows only who\n"
          "signed it, with the places, edges, identities and checkpoints that checking takes. The\n"
          "owner's keyring signs the whole, so that nothing can be left out later; without it the\n"
          "file says that it is an unsigned selection. Thoughts in which a secret stands become\n"
          "stubs. An .html shows and checks itself in a browser, offline; weft verify FILE and\n"
          "docs/verify check both forms.\n"
          "\n"
          "It proves that the owner's key signed these words, with these causes. It does not "
          "prove\n"
          "that nothing else was said, that a model said it, or when; and whoever guesses a short\n"
          "hidden text can confirm it.",
      .examples =
          "weft prove 3f2a91c0 --out proof.html\n"
          "weft prove 3f2a91c0 --depth 5 --hide tool_result --out proof.json\n"
          "weft prove 3f2a91c0 --to 9c41d7e2 --hide 77aa01b2 --out proof.json --force",
      .see_also = "weft verify, weft why, weft export",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
