// A session with a server: libpq, whose calls may wait for ever, with a limit to every wait.
#pragma once

#include <libpq-fe.h>

#include <chrono>
#include <memory>
#include <string>

#include "weft/base/result.hpp"
#include "weft/postgres/database.hpp"
#include "weft/postgres/libpq/functions.hpp"
#include "weft/postgres/url.hpp"

namespace weft::postgres {

struct ClearResult {
  void operator()(PGresult* result) const { libpq().PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

// The failure that a result of the server, or of libpq itself, reports.
Error to_error(const PGresult* result);

class Session {
 public:
  // Connects to the first host of the URL that answers and is what target_session_attrs asks for.
  // libpq looks host names up without a limit of ours.
  static Result<Session> open(const Url& url, const Limits& limits);

  PGconn* handle() const { return handle_.get(); }

  // The next result of what was sent; null at the end of one command. unavailable if the connection
  // was lost, or nothing came within the limit: then the session is of no more use.
  Result<ResultPtr> next_result() const;
  // Whether it can be used, as far as this side knows. Nothing is under way.
  bool is_alive() const;

 private:
  struct Finish {
    void operator()(PGconn* handle) const { libpq().PQfinish(handle); }
  };
  Session(PGconn* handle, const Limits& limits) : handle_(handle), limits_(limits) {}
  static Result<Session> open_host(const Url& url, const Host* host, const Limits& limits);
  Status connect() const;
  Status check_encryption() const;
  Status configure(const Url& url) const;

  std::unique_ptr<PGconn, Finish> handle_;
  Limits limits_;
};

// Waits until `socket` is ready for one of `events` (as poll() has them), or `until`. Which events
// came; 0 if none did.
int wait_for(int socket, int events, std::chrono::steady_clock::time_point until);

}  // namespace weft::postgres
