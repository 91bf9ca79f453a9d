#include "weft/postgres/libpq/session.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "weft/base/try.hpp"
#include "weft/postgres/error.hpp"
#include "weft/postgres/libpq/functions.hpp"

namespace weft::postgres {
namespace {

using Clock = std::chrono::steady_clock;

std::string_view field(const PGresult* result, int code) {
  const char* text = libpq().PQresultErrorField(result, code);
  return text == nullptr ? "" : text;
}

// libpq would print notices on stderr.
void ignore_notice(void*, const PGresult*) {}

std::string to_milliseconds(std::chrono::milliseconds limit) {
  return std::to_string(limit.count());
}

}  // namespace

Error to_error(const PGresult* result) {
  // Without a state it is libpq's own: the connection ended.
  if (field(result, PG_DIAG_SQLSTATE).empty())
    return lost_error(libpq().PQresultErrorMessage(result));
  return to_error({.state = field(result, PG_DIAG_SQLSTATE),
                   .message = field(result, PG_DIAG_MESSAGE_PRIMARY)});
}

int wait_for(int socket, int events, Clock::time_point until) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd polled{.fd = socket, .events = static_cast<short>(events), .revents = 0};
    const int ready = ::poll(&polled, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready >= 0) return ready == 0 ? 0 : polled.revents;
    if (errno != EINTR) return POLLERR;
  }
}

Result<Session> Session::open(const Url& url, const Limits& limits) {
  if (url.hosts().empty()) return open_host(url, nullptr, limits);
  std::optional<Error> error;
  for (const Host& host : url.hosts()) {
    Result<Session> session = open_host(url, &host, limits);
    if (session) return session;
    // What one host refuses says more than that another one is not there.
    if (!error || error->code == ErrorCode::unavailable) error = std::move(session).error();
  }
  return fail(std::move(*error));
}

Result<Session> Session::open_host(const Url& url, const Host* host, const Limits& limits) {
  WEFT_TRY(load_libpq());
  const Url::Settings settings = url.settings(host);
  std::vector<const char*> names, values;
  for (const auto& [name, value] : settings) {
    names.push_back(name.c_str());
    values.push_back(value.c_str());
  }
  names.push_back(nullptr);
  values.push_back(nullptr);
  Session session(libpq().PQconnectStartParams(names.data(), values.data(), 0), limits);
  if (!session.handle_) return fail(ErrorCode::unavailable, "there is not enough memory");
  Status status = session.connect();
  if (status) status = session.check_encryption();
  if (status) status = session.configure(url);
  if (!status) {
    return fail(std::move(status).error().within("connecting to " + url.str()));
  }
  return session;
}

Status Session::connect() const {
  PGconn* handle = handle_.get();
  libpq().PQsetNoticeReceiver(handle, ignore_notice, nullptr);
  libpq().PQsetErrorVerbosity(handle, PQERRORS_VERBOSE);  // with the SQLSTATE
  const auto until = Clock::now() + limits_.connect;
  PostgresPollingStatusType state = PGRES_POLLING_WRITING;
  while (libpq().PQstatus(handle) != CONNECTION_BAD && state != PGRES_POLLING_FAILED) {
    if (state == PGRES_POLLING_OK) {
      libpq().PQsetnonblocking(handle, 1);
      return {};
    }
    const int events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    if (wait_for(libpq().PQsocket(handle), events, until) == 0) {
      return fail(lost_error("no answer within " + to_milliseconds(limits_.connect) + " ms"));
    }
    state = libpq().PQconnectPoll(handle);
  }
  return fail(connect_error(libpq().PQerrorMessage(handle)));
}

// The environment and service files can lead elsewhere than the URL says.
Status Session::check_encryption() const {
  PGconn* handle = handle_.get();
  const char* address = libpq().PQhostaddr(handle);
  const bool is_here = address == nullptr || *address == '\0' || is_local(address);
  if (is_here || libpq().PQsslInUse(handle) == 1) return {};
  return fail(ErrorCode::denied,
              "the server is another machine and offers no TLS, so nothing was sent; turn TLS on "
              "there");
}

Status Session::configure(const Url& url) const {
  const std::string path = '"' + url.schema() + '"';
  const std::string statement = to_milliseconds(limits_.statement);
  const std::string lock = to_milliseconds(limits_.lock);
  const std::array<const char*, 3> values = {path.c_str(), statement.c_str(), lock.c_str()};
  // What is acknowledged is on disk, whatever the server's default is.
  const int sent = libpq().PQsendQueryParams(
      handle_.get(),
      "SELECT set_config('search_path', $1, false), set_config('statement_timeout', $2, false), "
      "set_config('lock_timeout', $3, false), CASE WHEN current_setting('synchronous_commit') IN "
      "('off', 'local') THEN set_config('synchronous_commit', 'on', false) END",
      static_cast<int>(values.size()), nullptr, values.data(), nullptr, nullptr, 0);
  if (sent != 1) return fail(lost_error(libpq().PQerrorMessage(handle_.get())));
  Status status;
  while (true) {
    WEFT_TRY_VALUE(const ResultPtr result, next_result());
    if (!result) return status;
    if (libpq().PQresultStatus(result.get()) != PGRES_TUPLES_OK)
      status = fail(to_error(result.get()));
  }
}

Result<ResultPtr> Session::next_result() const {
  PGconn* handle = handle_.get();
  auto until = Clock::now() + limits_.silence;
  while (libpq().PQisBusy(handle) == 1) {
    const int unsent = libpq().PQflush(handle);
    if (unsent < 0) return fail(lost_error(libpq().PQerrorMessage(handle)));
    const int ready =
        wait_for(libpq().PQsocket(handle), POLLIN | (unsent == 1 ? POLLOUT : 0), until);
    if (ready == 0) {
      return fail(lost_error("no answer within " + to_milliseconds(limits_.silence) + " ms"));
    }
    if ((ready & ~POLLOUT) == 0) continue;
    if (libpq().PQconsumeInput(handle) != 1)
      return fail(lost_error(libpq().PQerrorMessage(handle)));
    until = Clock::now() + limits_.silence;
  }
  return ResultPtr(libpq().PQgetResult(handle));
}

bool Session::is_alive() const {
  // A server that stopped has said so and closed; how it put that is nothing to wait for.
  while (libpq().PQstatus(handle_.get()) == CONNECTION_OK) {
    if (wait_for(libpq().PQsocket(handle_.get()), POLLIN, Clock::now()) == 0) return true;
    if (libpq().PQconsumeInput(handle_.get()) != 1) return false;
  }
  return false;
}

}  // namespace weft::postgres
