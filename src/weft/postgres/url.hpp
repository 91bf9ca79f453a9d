// The URL of a database on PostgreSQL, parsed and checked before anything connects.
//
//   postgres://[user@][host[:port][,host[:port]…]]/database[?name=value[&name=value]…]
//
// `postgresql://` is the same. Parts may be percent-encoded. Without a host, libpq's default is
// used: the Unix socket of this machine. A host that begins with `/` is the directory of a Unix
// socket; it is also given as `?host=`. The names after `?`:
//
//   schema                 the schema of the web; `weft` without it
//   host, port, user       as in front, for who prefers them here
//   sslmode                disable, allow, prefer, require, verify-ca, verify-full
//   sslrootcert, sslcert, sslkey, sslcrl   files
//   target_session_attrs   any, read-write, read-only, primary, standby: which of several hosts
//   channel_binding        disable, prefer, require
//   service                a section of libpq's service file
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weft/base/result.hpp"

namespace weft::postgres {

struct Host {
  std::string name;  // a name, an address, or the directory of a socket
  std::uint16_t port = 5432;
  friend bool operator==(const Host&, const Host&) = default;
};

class Url {
 public:
  // Whether `text` begins like a URL of PostgreSQL.
  static bool recognise(std::string_view text);
  // invalid_input: the message says what is wrong and never repeats a password. A password in the
  // URL is refused, and so is a connection to another machine without TLS.
  static Result<Url> parse(std::string_view text);

  const std::vector<Host>& hosts() const { return hosts_; }  // empty: libpq's default
  const std::string& user() const { return user_; }          // empty: libpq's default
  const std::string& database() const { return database_; }
  const std::string& schema() const { return schema_; }

  // The URL in one form, without anything secret: for messages.
  std::string str() const;

  // What libpq is given for one of the hosts, or for its default if there is none. TLS with the
  // server's name checked is the default beyond this machine.
  using Settings = std::vector<std::pair<std::string, std::string>>;
  Settings settings(const Host* host) const;

 private:
  Status read_address(std::string_view address);
  Status read_hosts(std::string_view list);
  Status read_option(std::string_view option);
  Status set_option(const std::string& name, const std::string& value);
  Status check() const;
  std::string find_option(std::string_view name) const;

  std::vector<Host> hosts_;
  std::string user_, database_;
  std::string schema_ = "weft";
  Settings options_;  // for libpq, as they were given
};

// Whether a host is this machine: a Unix socket or a loopback address.
bool is_local(std::string_view host);

}  // namespace weft::postgres
