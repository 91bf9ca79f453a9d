#include "weft/crypto/secret.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>

#include "weft/crypto/ed25519.hpp"

namespace weft::crypto {
namespace {

// What is left where a `T` was, once it is gone.
template <class T>
std::string remains_of(const T& value) {
  alignas(T) unsigned char room[sizeof(T)];
  std::fill(std::begin(room), std::end(room), static_cast<unsigned char>(0xaa));
  T* copy = new (room) T(value);
  copy->~T();
  std::string remains;
  for (const volatile unsigned char& byte : room) remains += static_cast<char>(byte);
  return remains;
}

TEST(Key, LeavesOnlyZerosBehindSoThatFreedMemoryHoldsNoSecret) {
  EXPECT_EQ(remains_of(Key::random()), std::string(Key::kSize, '\0'));
}

TEST(Key, OfASignerIsWipedTooWithTheSeedInIt) {
  const Key seed = Key::random();
  const std::string remains = remains_of(SigningKey(seed));
  EXPECT_EQ(remains.find(seed.view().substr(0, 8)), std::string::npos);
  EXPECT_NE(remains.find(std::string(64, '\0')), std::string::npos);
}

TEST(Key, ComesOutDifferentEachTimeItIsDrawn) {
  EXPECT_FALSE(Key::random() == Key::random());
  EXPECT_FALSE(Key::random() == Key());
}

TEST(Key, EqualsItsCopyAndNoKeyThatDiffersInOneBit) {
  const Key key = Key::random();
  EXPECT_TRUE(key == Key(key));
  for (std::size_t i = 0; i < Key::kSize; ++i) {
    auto bytes = key.bytes();
    bytes[i] ^= 0x80;
    EXPECT_FALSE(key == Key(bytes)) << i;
  }
}

TEST(EqualInConstantTime, SaysWhatEqualSays) {
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_TRUE(equal_in_constant_time("heron", "heron"));
  EXPECT_FALSE(equal_in_constant_time("heron", "heroN"));
  EXPECT_FALSE(equal_in_constant_time("heron", "Heron"));
  EXPECT_FALSE(equal_in_constant_time("heron", "hero"));
  EXPECT_FALSE(equal_in_constant_time("", "heron"));
}

TEST(Wipe, ReachesTheSpareRoomWhereALongerTextMayHaveBeen) {
  std::string text(100, 's');
  text.resize(3);
  const volatile char* room = text.data();
  const std::size_t size = text.capacity();
  wipe(text);
  EXPECT_TRUE(text.empty());
  EXPECT_TRUE(std::all_of(room, room + size, [](char c) { return c == '\0'; }));
}

TEST(Wipe, HappensAtTheEndOfTheScope) {
  std::string text = "correct horse battery staple, and more";
  {
    const WipeAtEnd wiped(text);
  }
  EXPECT_TRUE(text.empty());
}

}  // namespace
}  // namespace weft::crypto
