// Signatures of OpenSSH (SSHSIG, `ssh-keygen -Y sign`): parsed here, and checked here for Ed25519
// keys. Those of other keys are checked by ssh-keygen (ssh_keygen.hpp).
#pragma once

#include <string>
#include <string_view>

#include "weft/base/result.hpp"

namespace weft::query {

struct SshSignature {
  std::string key;        // the public key, as SSH encodes it
  std::string type;       // of the key: "ssh-ed25519", "ssh-rsa"…
  std::string space;      // the namespace: what the signature is for
  std::string hash;       // "sha512" or "sha256"
  std::string signature;  // as SSH encodes it
};

// Reads the armoured form, "-----BEGIN SSH SIGNATURE-----…". invalid_input if it is not one, has
// another version, or anything is left over.
Result<SshSignature> parse_ssh_signature(std::string_view armoured);

// "SHA256:…", as ssh-keygen -l prints it.
std::string fingerprint_of(const SshSignature& signature);
// "ssh-ed25519 AAAA…", a line of a .pub file.
std::string public_line_of(const SshSignature& signature);

// The verdict on a signature over `message` in `space`. `elsewhere`: a kind of key that is not
// checked here.
enum class SshVerdict { holds, fails, elsewhere };
SshVerdict check_ssh_signature(const SshSignature& signature, std::string_view space,
                               std::string_view message);

}  // namespace weft::query
