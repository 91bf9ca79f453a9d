#include "weft/query/attest/vouches.hpp"

#include <algorithm>

#include "weft/base/try.hpp"
#include "weft/query/attest/ssh_keygen.hpp"
#include "weft/query/attest/ssh_signature.hpp"

namespace weft::query {
namespace {

constexpr std::string_view kSignature = "sshsig", kComment = "comment";

void check(Vouch& vouch, const SshSignature& signature, std::string_view armoured,
           const std::string& statement) {
  const SshVerdict verdict = check_ssh_signature(signature, kVouchSpace, statement);
  vouch.holds = verdict == SshVerdict::holds;
  if (verdict == SshVerdict::fails) vouch.why_not = "its signature does not hold";
  if (verdict != SshVerdict::elsewhere) return;
  const Result<bool> holds = ssh_check(armoured, kVouchSpace, statement);
  vouch.holds = holds && *holds;
  if (!vouch.holds) {
    vouch.why_not = holds ? "its signature does not hold" : "not checked: " + holds.error().message;
  }
}

}  // namespace

std::string vouch_statement(const thought::Thought& identity) {
  return "weft identity " + identity.cid.str() + " " +
         std::string(find_string(identity.content, "pubkey").value_or("")) + "\n";
}

json::object vouch_content(std::string_view armoured, std::string_view comment) {
  json::object content{{kSignature, armoured}};
  if (!comment.empty()) content[kComment] = comment;
  return content;
}

Result<std::vector<Vouch>> vouches_of(const Library& library, const thought::Thought& identity) {
  WEFT_TRY_VALUE(const auto effects, library.web.effects(identity.cid));
  std::vector<std::pair<Millis, Vouch>> found;
  for (const Cid& cid : effects) {
    const Result<thought::Thought> thought = library.web.get_without_path(cid);
    if (!thought || thought->created_by != identity.cid) continue;
    const Result<thought::Attestation> attestation = thought::to_attestation(*thought);
    if (!attestation || attestation->via != "ssh") continue;
    const std::string_view armoured = find_string(thought->content, kSignature).value_or("");
    Vouch vouch{.attestation = cid,
                .comment = std::string(find_string(thought->content, kComment).value_or(""))};
    const Result<SshSignature> signature = parse_ssh_signature(armoured);
    if (signature) {
      vouch.type = signature->type;
      vouch.key = public_line_of(*signature);
      vouch.fingerprint = fingerprint_of(*signature);
      check(vouch, *signature, armoured, vouch_statement(identity));
    } else {
      vouch.why_not = signature.error().message;
    }
    found.emplace_back(thought->created_at, std::move(vouch));
  }
  std::ranges::stable_sort(found, {}, &std::pair<Millis, Vouch>::first);
  std::vector<Vouch> vouches;
  for (auto& [time, vouch] : found) vouches.push_back(std::move(vouch));
  return vouches;
}

json::object to_json(const Vouch& vouch, const Cid& identity) {
  json::object answer{{"cid", vouch.attestation.str()},
                      {"identity", identity.str()},
                      {"key_type", vouch.type},
                      {"key", vouch.key},
                      {"fingerprint", vouch.fingerprint},
                      {"comment", vouch.comment},
                      {"holds", vouch.holds}};
  if (!vouch.why_not.empty()) answer["reason"] = vouch.why_not;
  return answer;
}

}  // namespace weft::query
