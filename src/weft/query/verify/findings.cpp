#include "weft/query/verify/findings.hpp"

namespace weft::query {

void Counts::add(thought::Verdict verdict) {
  switch (verdict) {
    case thought::Verdict::valid: ++valid; break;
    case thought::Verdict::foreign: ++foreign; break;
    case thought::Verdict::consistent: ++consistent; break;
  }
}

Counts& Counts::operator+=(const Counts& other) {
  valid += other.valid;
  foreign += other.foreign;
  consistent += other.consistent;
  return *this;
}

void Findings::bad(const Cid& cid, std::string reason) {
  Reason candidate{round_, std::move(reason)};
  const std::lock_guard lock(mutex_);
  Reason& kept = bad_.try_emplace(cid, candidate).first->second;
  if (candidate < kept) kept = std::move(candidate);
}

void Findings::missing(const Cid& cid) {
  const std::lock_guard lock(mutex_);
  missing_.insert(cid);
}

void Findings::foreign(const ForeignStructure& found) {
  const std::lock_guard lock(mutex_);
  foreign_.emplace(found.cid, found);
}

void Findings::unreadable(const Error& error) {
  if (error.code != ErrorCode::unavailable && error.code != ErrorCode::conflict) return;
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = error;
}

Status Findings::status() const {
  if (error_) return fail(Error(*error_));
  return {};
}

std::map<Cid, std::string> Findings::all_bad() const {
  std::map<Cid, std::string> all;
  for (const auto& [cid, reason] : bad_) all.emplace(cid, reason.text);
  return all;
}

}  // namespace weft::query
