// Site: what an HTTP server serves besides its own protocol. Files are the same for everybody and
// answered at once; questions are about the store, and answered on other threads.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "weft/net/http_request.hpp"
#include "weft/net/http_response.hpp"
#include "weft/net/rights.hpp"

namespace weft::net {

// The output of one question. May be called from any thread, never by two at once; nothing follows
// respond(), and nothing at all once the question was cancelled.
class SiteOutlet {
 public:
  virtual ~SiteOutlet() = default;
  // A part of an event stream. The first one opens it.
  virtual void send(std::string part) = 0;
  // The whole answer; of an event stream, its end.
  virtual void respond(HttpResponse response) = 0;
};

// A question under way.
class SiteQuestion {
 public:
  virtual ~SiteQuestion() = default;
  // Nobody waits for it any more. Its outlet is not used once this returns.
  virtual void cancel() = 0;
};

class Site {
 public:
  virtual ~Site() = default;

  enum class Part {
    none,
    file,      // holds nothing of the store: for everybody
    question,  // for those who may use the server
    stream,    // a question whose answer is an event stream
  };
  // By the path of a request, without its query.
  virtual Part part_of(std::string_view path) const = 0;
  // What somebody must be allowed to who asks a question, or opens a stream.
  virtual Right right_for(std::string_view /*path*/) const { return Right::read; }

  // To a GET or HEAD of a file, from any thread.
  virtual HttpResponse file(const RequestHead& head) const = 0;
  // To a GET of a question. `head` is not used once this returns.
  virtual std::shared_ptr<SiteQuestion> ask(const RequestHead& head,
                                            std::shared_ptr<SiteOutlet> outlet) = 0;
  // Ends event streams, and lets questions under way be answered.
  virtual void drain() = 0;
};

}  // namespace weft::net
