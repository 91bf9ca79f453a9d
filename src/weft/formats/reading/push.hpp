// Appends to a bounded window of a reader's state.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace weft::formats {

// Appends `item`, and drops the oldest beyond `most`.
template <class T>
void push(std::deque<T>& window, T item, std::size_t most) {
  window.push_back(std::move(item));
  if (window.size() > most) window.pop_front();
}

}  // namespace weft::formats
