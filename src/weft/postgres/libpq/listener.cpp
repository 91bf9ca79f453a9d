#include "weft/postgres/listener.hpp"

#include <poll.h>

#include <string>
#include <utility>

#include "weft/base/try.hpp"
#include "weft/postgres/error.hpp"
#include "weft/postgres/libpq/functions.hpp"
#include "weft/postgres/libpq/session.hpp"

namespace weft::postgres {
namespace {

struct FreeNotice {
  void operator()(PGnotify* notice) const { libpq().PQfreemem(notice); }
};

class SessionListener final : public Listener {
 public:
  explicit SessionListener(Session session) : session_(std::move(session)) {}

  Status listen(std::string_view channel) {
    const std::string sql = "LISTEN \"" + std::string(channel) + '"';
    if (libpq().PQsendQuery(session_.handle(), sql.c_str()) != 1) {
      return fail(lost_error(libpq().PQerrorMessage(session_.handle())));
    }
    Status status;
    while (true) {
      WEFT_TRY_VALUE(const ResultPtr result, session_.next_result());
      if (!result) return status;
      if (libpq().PQresultStatus(result.get()) != PGRES_COMMAND_OK)
        status = fail(to_error(result.get()));
    }
  }

  Result<bool> wait(std::chrono::milliseconds most) override {
    const auto until = std::chrono::steady_clock::now() + most;
    PGconn* handle = session_.handle();
    while (true) {
      bool is_heard = false;
      while (const std::unique_ptr<PGnotify, FreeNotice> notice{libpq().PQnotifies(handle)}) {
        is_heard = true;
      }
      if (is_heard) return true;
      if (wait_for(libpq().PQsocket(handle), POLLIN, until) == 0) return false;
      if (libpq().PQconsumeInput(handle) != 1)
        return fail(lost_error(libpq().PQerrorMessage(handle)));
    }
  }

  int fd() const override { return libpq().PQsocket(session_.handle()); }

 private:
  Session session_;
};

}  // namespace

Result<std::unique_ptr<Listener>> open_listener(const Url& url, std::string_view channel,
                                                const Limits& limits) {
  WEFT_TRY_VALUE(Session session, Session::open(url, limits));
  auto listener = std::make_unique<SessionListener>(std::move(session));
  WEFT_TRY(listener->listen(channel));
  return listener;
}

}  // namespace weft::postgres
