// StdioClient runs a program and exchanges JSON lines with it: an agent's end of stdio.
//
//   StdioClient client(WEFT_BINARY, {"mcp"}, weft.environment);
//   client.send({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}, {"params", modern_params()}});
//   const json::object answer = client.answer_to(1);
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/json.hpp"

namespace weft::test {

class StdioClient {
 public:
  enum class Stderr { ignored, closed };
  StdioClient(const std::string& program, const std::vector<std::string>& arguments,
              const std::map<std::string, std::string>& environment, Stderr err = Stderr::ignored);
  ~StdioClient();  // kills what still runs
  StdioClient(const StdioClient&) = delete;
  StdioClient& operator=(const StdioClient&) = delete;

  // Sends bytes unchanged; answers that arrive meanwhile are buffered.
  void write(std::string_view bytes);
  void send(const json::object& message);
  // The next line, parsed; fails the test if it is not a JSON object, or none arrives.
  json::object next();
  // The answer to that id; everything before it goes to `others`.
  json::object answer_to(const json::value& id);
  // Every line until the program ends.
  std::vector<std::string> rest();
  void close_stdin();
  void kill(int signal) const;
  pid_t pid() const { return child_; }
  int wait();

  std::vector<json::object> others;

 private:
  bool read_more();

  pid_t child_ = -1;
  int in_ = -1, out_ = -1;
  std::string buffered_;
};

// {"_meta": …} of the modern era, beside what is given.
json::object modern_params(json::object params = {});

}  // namespace weft::test
