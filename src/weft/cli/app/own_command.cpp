#include "weft/cli/app/own_command.hpp"

#include <algorithm>
#include <filesystem>

namespace weft::cli {

namespace fs = std::filesystem;

std::vector<std::string> own_command(const Context& context, std::string_view command) {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  std::vector<std::string> words = {failed ? "weft" : self.string(), std::string(command)};
  const auto add = [&](std::string_view name, const std::string& value) {
    words.emplace_back(name);
    words.push_back(value);
  };
  const Home& home = context.home();
  const Result<Home> usual = find_home({.home = context.environment().home}, {});
  if (!usual || fs::absolute(home.directory) != fs::absolute(usual->directory)) {
    add("--home", fs::absolute(home.directory).string());
  }
  if (!home.own_store) add("--store", home.store.str());
  if (!home.own_keyring) add("--keys", fs::absolute(home.keyring).string());
  return words;
}

std::string quoted_for_shell(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain = "/._-+:=@%,";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlain.find(c) != std::string_view::npos;
  };
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && std::ranges::all_of(word, is_plain)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace weft::cli
