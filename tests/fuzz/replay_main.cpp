// Replaces libFuzzer where it is not available: runs a fuzz target once on the empty
// input and once on each file named, or below each directory named.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_at(const fs::path& place) {
  if (!fs::is_directory(place)) return {place};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// In a vector of exactly its size, so that AddressSanitizer sees one byte too far.
std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::uint8_t> empty(1);
  LLVMFuzzerTestOneInput(empty.data(), 0);
  std::size_t count = 1;
  for (int i = 1; i < argc; ++i) {
    // A target without a corpus yet has no directory.
    if (!fs::exists(argv[i])) continue;
    for (const fs::path& file : files_at(argv[i])) {
      // Printed before it runs, so that a crash is reported with its input.
      std::cout << file.string() << std::endl;
      std::vector<std::uint8_t> bytes = bytes_of(file);
      bytes.shrink_to_fit();
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++count;
    }
  }
  std::cout << count << " inputs replayed\n";
}
