// Files found by name: a pipe in their place is refused at once, and a secret that others can read.
#include "weft/base/regular_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>

namespace weft {
namespace {

class RegularFile : public testing::Test {
 protected:
  RegularFile() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-file-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  ~RegularFile() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path write(std::string_view text, mode_t mode) const {
    const std::filesystem::path path = directory_ / "file";
    std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }
  static ErrorCode refused(const std::filesystem::path& path, Readers readers = Readers::anyone) {
    const auto read = read_regular_file(path, 10, readers);
    EXPECT_FALSE(read);
    return read ? ErrorCode::internal : read.error().code;
  }
  std::filesystem::path directory_;
};

TEST_F(RegularFile, IsReadWhole) {
  EXPECT_EQ(read_regular_file(write("0123456789", 0644), 10, Readers::anyone), "0123456789");
  EXPECT_EQ(read_regular_file(write("", 0644), 10, Readers::anyone), "");
}

TEST_F(RegularFile, IsNoPipeNoDirectoryAndNoDevice) {
  const std::filesystem::path pipe = directory_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refused(pipe), ErrorCode::invalid_input) << "and nobody waits for its writer";
  EXPECT_EQ(refused(directory_), ErrorCode::invalid_input);
  EXPECT_EQ(refused("/dev/zero"), ErrorCode::invalid_input);
}

TEST_F(RegularFile, ThatIsTooLongOrMissingIsRefused) {
  EXPECT_EQ(refused(write("0123456789a", 0644)), ErrorCode::invalid_input);
  EXPECT_EQ(refused(directory_ / "none"), ErrorCode::not_found);
}

TEST_F(RegularFile, WithASecretIsRefusedIfOthersCanReadIt) {
  EXPECT_EQ(refused(write("secret", 0644), Readers::owner_only), ErrorCode::denied);
  EXPECT_EQ(refused(write("secret", 0640), Readers::owner_only), ErrorCode::denied);
  EXPECT_EQ(read_regular_file(write("secret", 0600), 10, Readers::owner_only), "secret");
  EXPECT_EQ(read_regular_file(write("public", 0644), 10, Readers::anyone), "public");
}

}  // namespace
}  // namespace weft
