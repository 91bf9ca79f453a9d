#include "weft/cli/upkeep/settings_file.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "weft/base/file.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/render/text.hpp"

namespace weft::cli {

namespace fs = std::filesystem;

void print_change(const Context& context, const fs::path& path, const std::string& diff) {
  context.print(fmt::format("{}:\n", on_one_line(path.string())));
  for (std::string_view rest = diff; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string line = made_safe(rest.substr(0, end));
    const Colour colour = line.starts_with('+')   ? Colour::green
                          : line.starts_with('-') ? Colour::red
                                                  : Colour::none;
    context.print(context.style().paint(colour, line) + "\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Status write_settings(const fs::path& path, const std::string& before, const std::string& after) {
  std::error_code failed;
  fs::create_directories(path.parent_path(), failed);
  const fs::path resolved = fs::canonical(path, failed);
  const fs::path real = failed ? path : resolved;
  struct stat about{};
  const mode_t mode = ::stat(real.c_str(), &about) == 0 ? about.st_mode & 0777 : 0600;
  if (!before.empty()) {
    fs::path copy = real;
    copy += ".before-weft";
    WEFT_TRY(write_file_atomically(copy, before, mode));
  }
  return write_file_atomically(real, after, mode);
}

}  // namespace weft::cli
