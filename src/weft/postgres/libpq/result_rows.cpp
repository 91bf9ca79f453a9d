#include "weft/postgres/libpq/result_rows.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "weft/postgres/libpq/functions.hpp"
#include "weft/postgres/libpq/types.hpp"

namespace weft::postgres {
namespace {

// A big-endian number of `size` bytes, with its sign.
std::int64_t read_integer(const char* bytes, int size) {
  std::uint64_t value = 0;
  for (int i = 0; i < size; ++i) value = (value << 8) | static_cast<unsigned char>(bytes[i]);
  const int unused = 64 - 8 * size;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// A numeric: counts of 16 bits (digits, weight, sign, scale), then digits to the base of 10,000.
std::optional<std::int64_t> read_numeric(const char* bytes, int size) {
  constexpr int kHead = 8;
  constexpr std::int64_t kNegative = 0x4000;
  if (size < kHead) return std::nullopt;
  const auto number = [&](int at) { return read_integer(bytes + 2 * at, 2); };
  const std::int64_t digits = number(0), weight = number(1), sign = number(2);
  if (digits < 0 || size < kHead + 2 * digits || (sign != 0 && sign != kNegative)) {
    return std::nullopt;
  }
  std::int64_t value = 0;  // negative, which reaches one further
  for (std::int64_t i = 0; i <= weight || i < digits; ++i) {
    const std::int64_t digit = i < digits ? number(static_cast<int>(4 + i)) : 0;
    if (i > weight) {
      if (digit != 0) return std::nullopt;
    } else if (__builtin_mul_overflow(value, 10'000, &value) ||
               __builtin_sub_overflow(value, digit, &value)) {
      return std::nullopt;
    }
  }
  if (sign != kNegative && __builtin_sub_overflow(std::int64_t{0}, value, &value)) {
    return std::nullopt;
  }
  return value;
}

class ResultRows final : public sql::Cursor {
 public:
  explicit ResultRows(ResultPtr result) : result_(std::move(result)) {}

  Step step() override {
    if (is_misread_) return Step::failed;
    return ++row_ < libpq().PQntuples(result_.get()) ? Step::row : Step::end;
  }
  Error error() const override {
    return {ErrorCode::internal, "a column was read as another type than it has"};
  }
  void close() override { const std::unique_ptr<ResultRows> last(this); }

  bool is_null(int column) const override {
    return !has(column) || libpq().PQgetisnull(result_.get(), row_, column) == 1;
  }
  std::int64_t integer(int column) const override {
    if (is_null(column)) return 0;
    const char* bytes = libpq().PQgetvalue(result_.get(), row_, column);
    const int size = libpq().PQgetlength(result_.get(), row_, column);
    switch (libpq().PQftype(result_.get(), column)) {
      case kInt8:
      case kInt4:
      case kInt2: return read_integer(bytes, size);
      case kBool: return *bytes;
      case kNumeric:
        if (const auto value = read_numeric(bytes, size)) return *value;
        break;
      default: break;
    }
    is_misread_ = true;
    return 0;
  }
  std::string_view bytes(int column) const override {
    if (is_null(column)) return {};
    switch (libpq().PQftype(result_.get(), column)) {
      case kBytea:
      case kText:
      case kVarchar:
      case kName:
        return {libpq().PQgetvalue(result_.get(), row_, column),
                static_cast<std::size_t>(libpq().PQgetlength(result_.get(), row_, column))};
      default: break;
    }
    is_misread_ = true;
    return {};
  }

 private:
  // Before the first step there is no row.
  bool has(int column) const {
    return row_ >= 0 && row_ < libpq().PQntuples(result_.get()) &&
           column < libpq().PQnfields(result_.get());
  }

  ResultPtr result_;
  int row_ = -1;
  mutable bool is_misread_ = false;
};

}  // namespace

sql::Rows to_rows(ResultPtr result) {
  return sql::Rows(*std::make_unique<ResultRows>(std::move(result)).release());
}

}  // namespace weft::postgres
