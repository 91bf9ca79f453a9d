// BatchAdditions: the additions of a woven batch, one for each unit.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "weft/store/sql/write/addition.hpp"
#include "weft/store/sql/write/prepared.hpp"

namespace weft::store::sql {

class BatchAdditions {
 public:
  // Packs the bodies, and makes the terms of what is clear, if the batch was not prepared. `batch`
  // outlives it.
  explicit BatchAdditions(const Batch& batch);
  BatchAdditions(BatchAdditions&&) = delete;  // additions point into it

  std::span<const Addition> additions() const { return additions_; }

 private:
  void add_prepared(const PreparedUnits& prepared, std::size_t unit, std::size_t at);
  void add_unprepared(const thought::Thought& thought);

  std::vector<Addition> additions_;
  std::deque<std::string> packed_;
  std::deque<ThoughtTerms> terms_;
};

}  // namespace weft::store::sql
