#include "weft/ingest/source/broken_head.hpp"

#include <cstdlib>

#include "weft/base/try.hpp"

namespace weft::ingest {
namespace {

// Recognition parses the first few dozen lines of what it sees.
constexpr int kLinesAtOnce = 32;

std::optional<std::string> variable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

// The position after the first `lines` lines of `part`; after its last line if it has fewer.
std::size_t skip_lines(std::string_view part, int lines) {
  std::size_t at = 0;
  for (int i = 0; i < lines; ++i) {
    const std::size_t end = part.find('\n', at);
    if (end == std::string_view::npos) return i == 0 ? part.size() : at;
    at = end + 1;
  }
  return at;
}

}  // namespace

const formats::Adapter* adapter_of_place(const std::string& path) {
  for (const formats::Adapter* adapter : formats::all_adapters()) {
    if (adapter->folders == nullptr) continue;
    for (const std::string& folder : adapter->folders(variable)) {
      if (!folder.empty() && path.starts_with(folder + "/")) return adapter;
    }
  }
  return nullptr;
}

Result<std::optional<std::string>> find_readable_part(const SourceFile& file,
                                                      const formats::Adapter& adapter) {
  if (!adapter.grows) return std::nullopt;
  bool is_at_line = true;
  for (std::uint64_t offset = 0; offset < kMaxBrokenBytes;) {
    WEFT_TRY_VALUE(std::string part, file.read_at(offset, formats::kHeadBytes));
    if (part.empty()) return std::nullopt;
    if (!is_at_line) {
      const std::size_t end = part.find('\n');
      is_at_line = end != std::string::npos;
      offset += is_at_line ? end + 1 : part.size();
      continue;
    }
    if (adapter.recognises(formats::head_of(part)) != formats::Confidence::no) return part;
    const std::size_t next = skip_lines(part, kLinesAtOnce);
    is_at_line = part[next - 1] == '\n';
    offset += next;
  }
  return std::nullopt;
}

}  // namespace weft::ingest
