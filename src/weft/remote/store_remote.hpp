// Another store as a remote. What is pushed into it passes the checks of an import, without any
// key: sealed text is not indexed there.
#pragma once

#include "weft/remote/remote.hpp"

namespace weft::remote {

// As open_remote(). A store that is written is created if it does not exist.
Result<std::unique_ptr<Remote>> open_store_remote(const std::string& url, const Settings& settings);

}  // namespace weft::remote
