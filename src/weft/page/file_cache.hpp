// FileCache: files whose lines were blamed, so that the next page of lines costs no blame.
//
// All pages of a file come from one state of it, which has a name. Who asks with that name goes on
// in it, unless the file on disk changed since, or something was forgotten in the store: then the
// answer is of a new state, and has another name.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/commits/edited_file.hpp"
#include "weft/query/library.hpp"

namespace weft::page {

struct ShownFile {
  std::string state{};     // its name: equal for equal answers
  json::object about{};    // of query::blame: all but its runs
  json::array sessions{};  // that wrote lines, in the order of their first one
  json::array runs{};      // by their lines, without texts
  std::vector<std::string> lines{};
};

// May be used from any thread.
class FileCache {
 public:
  // The file in the state of this name, or in that of today. Fails as query::blame() does;
  // unavailable if `stop` was requested.
  Result<std::shared_ptr<const ShownFile>> read(const query::Library& library,
                                                const query::EditedFile& file,
                                                const std::optional<std::string>& state,
                                                std::stop_token stop);

 private:
  // What a file on disk has as long as nobody writes to it, as text.
  struct Entry {
    std::string stamp{};
    std::optional<Cid> checkpoint{};  // the newest of the store when the file was blamed
    std::shared_ptr<const ShownFile> file{};
  };
  std::shared_ptr<const ShownFile> find(const query::Library& library, std::string_view state,
                                        std::string_view stamp);

  std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by mutex_; the newest last
};

}  // namespace weft::page
