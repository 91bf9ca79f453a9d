#include "weft/cli/keys/passphrase_users.hpp"

#include <algorithm>
#include <optional>

#include "weft/base/json.hpp"
#include "weft/base/regular_file.hpp"
#include "weft/cli/hooks/hook_settings.hpp"
#include "weft/cli/serve/mcp_clients.hpp"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxSettingsBytes = 8u << 20;

// Empty if it cannot be read, or provides the passphrase already.
std::string text_without_passphrase(const fs::path& path) {
  const Result<std::string> text = read_regular_file(path, kMaxSettingsBytes, Readers::anyone);
  if (!text || text->find("WEFT_PASSPHRASE_FILE") != std::string::npos) return {};
  return *text;
}

bool has_hooks(const std::string& settings) {
  const Result<std::string> without = without_hooks(settings);
  return without && *without != settings;
}

bool has_server(ConfigShape shape, const std::string& config) {
  if (shape == ConfigShape::codex) return config.find("[mcp_servers.weft]") != std::string::npos;
  const Result<ParsedJson> parsed = parse_json(config);
  if (!parsed || !parsed->value.is_object()) return false;
  const json::object* servers = find_object(parsed->value.get_object(),
                                            shape == ConfigShape::opencode ? "mcp" : "mcpServers");
  return servers != nullptr && servers->contains("weft");
}

// A line "ExecStart=/usr/bin/weft serve", or one that starts weft through another program.
bool starts_weft(const std::string& unit) {
  for (std::size_t at = unit.find("ExecStart"); at != std::string::npos;
       at = unit.find("ExecStart", at + 1)) {
    const std::string line = unit.substr(at, unit.find('\n', at) - at);
    for (std::size_t word = line.find("weft"); word != std::string::npos;
         word = line.find("weft", word + 1)) {
      const bool begins = line[word - 1] == '/' || line[word - 1] == '=' || line[word - 1] == ' ';
      const bool ends = word + 4 == line.size() || line[word + 4] == ' ';
      if (begins && ends) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PassphraseUser> passphrase_users(const Environment& environment) {
  std::vector<PassphraseUser> users;
  if (!environment.home) return users;
  const fs::path home = *environment.home;
  const fs::path settings = hook_settings_path(home);
  if (has_hooks(text_without_passphrase(settings))) {
    users.push_back({"hook", "Claude Code", settings.string()});
  }
  for (const McpClient& client : mcp_clients()) {
    const fs::path path = home / client.path;
    if (has_server(client.shape, text_without_passphrase(path))) {
      users.push_back({"mcp", std::string(client.title), path.string()});
    }
  }
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(home / ".config/systemd/user", failed)) {
    if (entry.path().extension() == ".service" &&
        starts_weft(text_without_passphrase(entry.path()))) {
      users.push_back({"unit", entry.path().filename().string(), entry.path().string()});
    }
  }
  std::ranges::stable_sort(
      users, {}, [](const PassphraseUser& user) { return std::pair(user.kind, user.name); });
  return users;
}

}  // namespace weft::cli
