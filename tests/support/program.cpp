#include "program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace weft::test {
namespace {

struct Pipe {
  int read = -1, write = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    read = ends[0];
    write = ends[1];
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  static void close_end(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Both at once: a program that fills one pipe while we read the other would hang.
void read_both(int out, int err, Ran& ran) {
  std::array<pollfd, 2> ends = {
      {{.fd = out, .events = POLLIN, .revents = 0}, {.fd = err, .events = POLLIN, .revents = 0}}};
  std::array<std::string*, 2> texts = {&ran.out, &ran.err};
  std::array<char, 65536> buffer{};
  int open = 2;
  while (open > 0) {
    if (::poll(ends.data(), ends.size(), -1) < 0) continue;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd < 0 || ends[i].revents == 0) continue;
      const ssize_t size = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (size > 0) {
        texts[i]->append(buffer.data(), static_cast<std::size_t>(size));
      } else {
        ends[i].fd = -1;
        --open;
      }
    }
  }
}

}  // namespace

json::value Ran::document() const {
  EXPECT_TRUE(out.ends_with('\n')) << *this;
  EXPECT_EQ(out.find('\n'), out.size() - 1) << "more than one line: " << *this;
  Result<ParsedJson> parsed = parse_json(out);
  if (!parsed) {
    ADD_FAILURE() << parsed.error().message << ": " << *this;
    return nullptr;
  }
  return parsed->value;
}

json::object Ran::object() const {
  json::value value = document();
  if (value.is_object()) return value.get_object();
  ADD_FAILURE() << "no object: " << *this;
  return {};
}

std::ostream& operator<<(std::ostream& stream, const Ran& ran) {
  return stream << "exit " << ran.exit << "\nstdout: " << ran.out << "\nstderr: " << ran.err;
}

Ran run_program(const std::string& program, const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& environment, std::string_view input) {
  Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  std::vector<std::string> words = {program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> variables;
  for (const auto& [name, value] : environment) variables.push_back(name + "=" + value);
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), &actions, nullptr,
                                   pointers(words).data(), pointers(variables).data());
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw std::runtime_error("cannot start " + program);
  Pipe::close_end(in.read);
  Pipe::close_end(out.write);
  Pipe::close_end(err.write);
  // Small enough for the pipe to hold, so that writing never waits.
  EXPECT_LE(input.size(), 60'000u);
  if (!input.empty() && ::write(in.write, input.data(), input.size()) < 0) ADD_FAILURE() << "stdin";
  Pipe::close_end(in.write);
  Ran ran;
  read_both(out.read, err.read, ran);
  int status = 0;
  ::waitpid(child, &status, 0);
  ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  return ran;
}

Weft::Weft() {
  std::string name = (std::filesystem::temp_directory_path() / "weft-program-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  scratch_ = name;
  environment = {{"HOME", name}, {"WEFT_HOME", home().string()}, {"USER", "ada"}, {"TZ", "UTC"}};
  // The options of the sanitizers are passed to the program, too.
  for (const char* variable : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"}) {
    if (const char* value = std::getenv(variable)) environment[variable] = value;
  }
}

Weft::~Weft() {
  std::error_code ignored;
  std::filesystem::remove_all(scratch_, ignored);
}

Ran Weft::operator()(const std::vector<std::string>& arguments, std::string_view input) const {
  return run_program(WEFT_BINARY, arguments, environment, input);
}

json::object Weft::json(std::vector<std::string> arguments) const {
  arguments.emplace_back("--json");
  const Ran ran = (*this)(arguments);
  EXPECT_NE(ran.exit, 2) << ran;
  return ran.object();
}

std::string Weft::write(std::string_view name, std::string_view text) const {
  std::ofstream(scratch_ / name, std::ios::binary) << text;
  return path(name);
}

std::string text(const json::object& object, std::string_view key) {
  const auto found = find_string(object, key);
  EXPECT_TRUE(found) << "no text '" << key << "'";
  return std::string(found.value_or(""));
}

std::int64_t number(const json::object& object, std::string_view key) {
  const auto found = find_int(object, key);
  EXPECT_TRUE(found) << "no number '" << key << "'";
  return found.value_or(-1);
}

json::array list(const json::object& object, std::string_view key) {
  const json::array* found = find_array(object, key);
  EXPECT_NE(found, nullptr) << "no list '" << key << "'";
  return found != nullptr ? *found : json::array();
}

std::vector<std::string> keys(const json::object& object) {
  std::vector<std::string> out;
  for (const auto& member : object) out.emplace_back(member.key());
  return out;
}

}  // namespace weft::test
