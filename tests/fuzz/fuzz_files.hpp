// Helpers of fuzz targets that read files: require(), a directory of the process, and a file with
// given bytes.
#pragma once

#include <stdlib.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace weft::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// A directory that is removed when the process ends.
inline const std::filesystem::path& scratch() {
  struct Scratch {
    Scratch() {
      std::string name = (std::filesystem::temp_directory_path() / "weft-fuzz-XXXXXX").string();
      require(::mkdtemp(name.data()) != nullptr);
      path = std::filesystem::canonical(name);
    }
    ~Scratch() {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
  };
  static const Scratch made;
  return made.path;
}

// A file in the scratch directory with these bytes, for its owner alone.
inline std::filesystem::path write_file(std::string_view name, std::string_view bytes) {
  const std::filesystem::path path = scratch() / name;
  {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  using std::filesystem::perms;
  std::filesystem::permissions(path, perms::owner_read | perms::owner_write);
  return path;
}

}  // namespace weft::fuzz
