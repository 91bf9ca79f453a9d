// `weft serve`, running, and the requests of its clients.
#pragma once

#include <string>

#include "record_for_test.hpp"

namespace weft::test {

// `weft serve`, running.
class Serving {
 public:
  explicit Serving(const Weft& weft, const std::string& more_options = "")
      : errors_(weft.path("serve.err")),
        client_("/bin/sh",
                {"-c", std::string("exec ") + WEFT_BINARY + " serve --json " +
                           (more_options.contains("--listen") ? "" : "--listen 127.0.0.1:0 ") +
                           more_options + " 2>>" + errors_},
                weft.environment),
        said(client_.next()) {
    const std::string url = text(said, "url");
    const std::size_t colon = url.rfind(':');
    port_ = static_cast<std::uint16_t>(std::stoul(url.substr(colon + 1)));
  }
  Peer connect() const { return Peer::to(port_); }
  // The answer to one request, up to the end of the connection.
  std::string ask(const std::string& fields = "") const {
    const Peer client = connect();
    client.write(request(R"({"jsonrpc":"2.0","id":1,"method":"ping"})", fields));
    return client.read_all();
  }
  // The answer to a message.
  std::string post(const std::string& body, const std::string& fields = "") const {
    const Peer client = connect();
    client.write(request(body, fields));
    return client.read_all();
  }
  // The answer to a GET.
  std::string get(const std::string& target, const std::string& fields = "") const {
    const Peer client = connect();
    client.write("GET " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                 fields + "\r\n");
    return client.read_all();
  }
  static std::string request(const std::string& body, const std::string& fields = "") {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
           "Connection: close\r\n" +
           fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  void kill(int signal) {
    client_.kill(signal);
    client_.wait();
  }
  std::string errors() const { return read_file(errors_).value_or(""); }
  pid_t pid() const { return client_.pid(); }
  std::size_t memory_kb() const {
    const std::string status = read_file("/proc/" + std::to_string(pid()) + "/status").value_or("");
    return std::stoul(status.substr(status.find("VmRSS:") + 6));
  }

 private:
  std::string errors_;
  StdioClient client_;
  std::uint16_t port_ = 0;

 public:
  const json::object said;
};

}  // namespace weft::test
