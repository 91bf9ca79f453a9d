#include "weft/cli/keys/vouch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "weft/base/file.hpp"
#include "weft/cli/app/store_owner.hpp"
#include "weft/cli/render/text.hpp"
#include "weft/crypto/blake3.hpp"
#include "weft/query/attest/ssh_keygen.hpp"
#include "weft/query/attest/ssh_signature.hpp"
#include "weft/query/attest/vouches.hpp"
#include "weft/thought/identities.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kMostKeyBytes = 64u << 10;

std::optional<std::string> variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

// "ada@loom": the third word of the public key's file, if there is one.
std::string comment_of(const std::string& key_file) {
  const std::string path = key_file.ends_with(".pub") ? key_file : key_file + ".pub";
  const Result<std::string> text = read_file(path, kMostKeyBytes);
  if (!text) return {};
  const std::string_view line = std::string_view(*text).substr(0, text->find('\n'));
  const std::size_t second = line.find(' ');
  const std::size_t third = second == line.npos ? line.npos : line.find(' ', second + 1);
  return third == line.npos ? std::string() : std::string(line.substr(third + 1));
}

Answer report(const Context& context, const query::Vouch& vouch, const Cid& identity) {
  if (context.json()) {
    context.print_json(query::to_json(vouch, identity));
  } else {
    context.print(on_one_line(fmt::format("{} {} vouches for {}", vouch.comment, vouch.fingerprint,
                                          identity.brief())) +
                  "\n");
  }
  return Exit::done;
}

// The newest valid vouch by this key; empty if there is none.
Result<std::optional<query::Vouch>> find_vouch(const query::Library& library,
                                               const thought::Thought& owner,
                                               std::string_view fingerprint) {
  Result<std::vector<query::Vouch>> vouches = query::vouches_of(library, owner);
  if (!vouches) return fail(std::move(vouches).error());
  const auto found = std::find_if(vouches->rbegin(), vouches->rend(), [&](const auto& vouch) {
    return vouch.holds && vouch.fingerprint == fingerprint;
  });
  if (found == vouches->rend()) return std::nullopt;
  return std::move(*found);
}

}  // namespace

Answer vouch_by_ssh(const Context& context, const std::string& key_file) {
  Outcome<Opened> opened = context.open_to_change();
  if (!opened) return refuse(std::move(opened));
  if (!opened->keyring || !opened->keyring->can_sign()) {
    return refuse({ErrorCode::denied, "no keyring that can sign was found"},
                  "name the owner's keyring with --keys FILE");
  }
  if (Status fits = check_owner(*opened->store, context.home(), *opened->keyring); !fits) {
    return refuse(std::move(fits).error());
  }
  const thought::Identities identities(*opened->keyring);
  const thought::Thought& owner = identities.owner();
  const std::string statement = query::vouch_statement(owner);
  Result<std::string> armoured = query::ssh_sign(key_file, query::kVouchSpace, statement, variable);
  if (!armoured) {
    return refuse(std::move(armoured).error(), "ssh-keygen -Y sign must work with this key");
  }
  const Result<query::SshSignature> signature = query::parse_ssh_signature(*armoured);
  if (!signature) return refuse(Error(signature.error()));
  if (check_ssh_signature(*signature, query::kVouchSpace, statement) == query::SshVerdict::fails) {
    return refuse({ErrorCode::internal, "the signature that ssh-keygen made does not hold"});
  }
  const std::string fingerprint = fingerprint_of(*signature);
  const query::Library library = opened->library();
  Result<std::optional<query::Vouch>> known = find_vouch(library, owner, fingerprint);
  if (known && *known) return report(context, **known, owner.cid);
  thought::Thought attestation = thought::make_attestation(
      {.on = {owner.cid}, .via = "ssh", .level = "verified"},
      query::vouch_content(*armoured, comment_of(key_file)), owner.cid, now());
  attestation.signature = identities.owner_key().sign(crypto::bytes_of(attestation.cid.digest()));
  const Result<store::Committed> committed =
      opened->store->writer().import({owner, attestation}, {&*opened->keyring});
  if (!committed) return refuse(Error(committed.error()));
  known = find_vouch(library, owner, fingerprint);
  if (!known) return refuse(std::move(known).error());
  if (!*known) return refuse({ErrorCode::internal, "the vouch was not found again"});
  return report(context, **known, owner.cid);
}

}  // namespace weft::cli
