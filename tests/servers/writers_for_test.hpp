// Writers: as many clients as wanted, each with a conversation of its own, that commit until they
// are stopped. What is not acknowledged is tried again until it is.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "acknowledged_for_test.hpp"
#include "weft/store/talk_for_test.hpp"

namespace weft::test {

// Commits `batch` until it is acknowledged, or found there: a commit whose answer was lost may have
// been made. False if the store does not come back.
inline bool commit_surely(store::Store& store, const store::Batch& batch, Acknowledged& all,
                          std::atomic<int>* unanswered = nullptr) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < until) {
    const auto committed = store.writer().commit(batch);
    if (!committed && committed.error().code == ErrorCode::conflict) {
      const auto row = store.conversation(batch.units.front().conversation);
      const bool is_there = row && row->checkpoint == batch.units.front().checkpoint;
      if (row && !is_there) {
        ADD_FAILURE() << committed.error().message;
        return false;
      }
      if (!is_there) continue;
      if (unanswered != nullptr) ++*unanswered;
    } else if (!committed) {
      EXPECT_EQ(committed.error().code, ErrorCode::unavailable) << committed.error().message;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      continue;
    }
    all.note(batch);
    return true;
  }
  ADD_FAILURE() << "the store did not come back";
  return false;
}

class Writers {
 public:
  Writers(const std::string& url, int count, Acknowledged& all) : all_(all) {
    for (int i = 0; i < count; ++i) {
      threads_.emplace_back([this, url, i] { write(url, i); });
    }
  }
  Writers(const Writers&) = delete;
  ~Writers() { stop(); }

  // Waits until `commits` more were acknowledged. False if that takes too long.
  bool commit(std::size_t commits) const {
    const std::size_t goal = all_.commits() + commits;
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (all_.commits() < goal) {
      if (std::chrono::steady_clock::now() > until) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }
  // When each has finished what it was about.
  void stop() {
    is_over_ = true;
    threads_.clear();
  }
  // Commits that were found there although nobody had been told.
  int unanswered() const { return unanswered_; }

 private:
  void write(const std::string& url, int number) {
    const auto store = store::open_store(url, store::Create::yes);
    ASSERT_TRUE(store) << store.error().message;
    store::Talk talk("writer " + std::to_string(number));
    for (int i = 0; !is_over_; ++i) {
      for (int block = 0; block < 5; ++block) {
        talk.says("word" + std::to_string(number) + " word" + std::to_string(i) + " common");
      }
      if (!commit_surely(**store, talk.batch(), all_, &unanswered_)) return;
    }
  }

  Acknowledged& all_;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> unanswered_ = 0;
  std::vector<std::jthread> threads_;
};

}  // namespace weft::test
