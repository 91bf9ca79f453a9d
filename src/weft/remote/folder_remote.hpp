// A folder as a remote, for any service that copies files. docs/formats/remote.md names its files.
//
// Each conversation is one file, whose name has its state. A file is written aside and renamed, so
// it is whole or absent, and two machines never write different bytes under one name.
#pragma once

#include "weft/remote/remote.hpp"

namespace weft::remote {

// As open_remote().
Result<std::unique_ptr<Remote>> open_folder_remote(const std::filesystem::path& folder,
                                                   const Settings& settings);

}  // namespace weft::remote
