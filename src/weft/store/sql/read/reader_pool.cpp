#include "weft/store/sql/read/reader_pool.hpp"

#include "weft/base/try.hpp"

namespace weft::store::sql {

Result<Readers::Lease> Readers::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      std::unique_ptr<Reader> reader = std::move(free_.back());
      free_.pop_back();
      return Lease(*this, std::move(reader));
    }
  }
  WEFT_TRY_VALUE(auto database, open_());
  return Lease(*this, std::make_unique<Reader>(std::move(database)));
}

Readers::Lease::~Lease() {
  if (!reader_) return;
  const std::lock_guard lock(owner_->mutex_);
  if (owner_->free_.size() < kKept) owner_->free_.push_back(std::move(reader_));
}

void Readers::clear() {
  const std::lock_guard lock(mutex_);
  free_.clear();
}

}  // namespace weft::store::sql
