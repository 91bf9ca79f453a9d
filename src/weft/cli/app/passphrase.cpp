#include "weft/cli/app/passphrase.hpp"

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "weft/base/regular_file.hpp"
#include "weft/crypto/secret.hpp"

namespace weft::cli {
namespace {

constexpr std::size_t kMaxPassphraseBytes = 4096;

volatile std::sig_atomic_t caught_signal = 0;
void catch_signal(int number) { caught_signal = number; }

// Turns the terminal's echo off. Signals that would end or stop us meanwhile wait until it is on
// again: a shell without echo helps nobody.
class SilentTerminal {
 public:
  SilentTerminal() : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)) {
    if (fd_ < 0) return;
    struct sigaction action{};
    action.sa_handler = catch_signal;  // no SA_RESTART: reading ends
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &action, &before_[i]);
    }
    if (::tcgetattr(fd_, &shown_) != 0) return;
    termios hidden = shown_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    changed_ = ::tcsetattr(fd_, TCSAFLUSH, &hidden) == 0;
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  ~SilentTerminal() {
    if (fd_ < 0) return;
    if (changed_) ::tcsetattr(fd_, TCSAFLUSH, &shown_);
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
      ::sigaction(kSignals[i], &before_[i], nullptr);
    }
    ::close(fd_);
    if (caught_signal != 0) ::raise(caught_signal);
  }

  bool is_there() const { return fd_ >= 0; }

  // Empty if the person gave up.
  std::string ask(std::string_view prompt) {
    say(prompt);
    std::string typed;
    typed.reserve(kMaxPassphraseBytes);
    char c = 0;
    while (typed.size() < kMaxPassphraseBytes && ::read(fd_, &c, 1) == 1 && c != '\n') typed += c;
    say("\n");
    if (caught_signal != 0) crypto::wipe(typed);
    return typed;
  }

 private:
  static constexpr std::array<int, 4> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGTSTP};

  void say(std::string_view text) const {
    if (::write(fd_, text.data(), text.size()) < 0) return;  // removes it from the terminal's input
  }

  int fd_;
  termios shown_{};
  bool changed_ = false;
  std::array<struct sigaction, kSignals.size()> before_{};
};

Result<std::string> no_terminal() {
  return fail(ErrorCode::denied,
              "the keyring needs a passphrase and there is no terminal to ask on: name a file that "
              "contains it, mode 0600, in WEFT_PASSPHRASE_FILE");
}

}  // namespace

Result<std::string> read_passphrase(const std::string& path) {
  Result<std::string> text = read_regular_file(path, kMaxPassphraseBytes, Readers::owner_only);
  if (!text) return fail(std::move(text).error().within("cannot use the passphrase file"));
  if (text->ends_with('\n')) text->pop_back();
  if (text->ends_with('\r')) text->pop_back();
  if (text->empty()) return fail(ErrorCode::invalid_input, path + " does not contain a passphrase");
  return text;
}

Result<std::string> ask_passphrase(const Environment& environment) {
  if (environment.passphrase_file) return read_passphrase(*environment.passphrase_file);
  SilentTerminal terminal;
  if (!terminal.is_there()) return no_terminal();
  std::string typed = terminal.ask("Passphrase of the keyring: ");
  if (typed.empty()) return fail(ErrorCode::denied, "no passphrase was given");
  return typed;
}

Result<std::string> choose_passphrase(const std::optional<std::string>& file) {
  if (file) return read_passphrase(*file);
  SilentTerminal terminal;
  if (!terminal.is_there()) return no_terminal();
  std::string first = terminal.ask("New passphrase: ");
  if (first.empty()) return fail(ErrorCode::invalid_input, "no passphrase was given");
  std::string second = terminal.ask("Repeat the passphrase: ");
  const crypto::WipeAtEnd wipe_second(second);
  if (first != second) {
    crypto::wipe(first);
    return fail(ErrorCode::invalid_input, "the two passphrases differ");
  }
  return first;
}

}  // namespace weft::cli
