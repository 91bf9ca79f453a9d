// Any text as the settings of another tool, JSON and TOML: weft is added or the text is refused,
// and adding it again changes nothing.
#include "fuzz_files.hpp"
#include "weft/cli/hooks/hook_settings.hpp"
#include "weft/cli/serve/mcp_clients.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  const std::string_view text = fuzz::text_of(data, size);
  const cli::ServerCommand command = {"/usr/bin/weft", "mcp"};
  for (const cli::ConfigShape shape :
       {cli::ConfigShape::servers, cli::ConfigShape::opencode, cli::ConfigShape::codex}) {
    const Result<std::string> with = cli::with_weft(shape, text, command);
    if (!with) {
      fuzz::require(with.error().code == ErrorCode::invalid_input);
      continue;
    }
    const Result<std::string> again = cli::with_weft(shape, *with, command);
    fuzz::require(again && *again == *with);
  }
  const cli::HookCommands commands{.ingest = "/usr/bin/weft hook",
                                   .handover = "/usr/bin/weft hook --handover",
                                   .adds_handover = text.size() % 2 == 1};
  const Result<std::string> hooked = cli::with_hooks(text, commands);
  if (!hooked) return 0;
  const Result<std::string> again = cli::with_hooks(*hooked, commands);
  fuzz::require(again && *again == *hooked);
  const Result<std::string> without = cli::without_hooks(*hooked);
  fuzz::require(without.has_value());
  const Result<std::string> without_again = cli::without_hooks(*without);
  fuzz::require(without_again && *without_again == *without);
  return 0;
}
