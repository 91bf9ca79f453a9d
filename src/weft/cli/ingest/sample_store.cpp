#include "weft/cli/ingest/sample_store.hpp"

#include <cerrno>
#include <cstdlib>

#include "weft/base/file.hpp"
#include "weft/base/posix.hpp"
#include "weft/base/try.hpp"
#include "weft/cli/ingest/sample.hpp"
#include "weft/ingest/ingest.hpp"
#include "weft/store/open.hpp"

namespace weft::cli {

Result<std::unique_ptr<SampleStore>> SampleStore::create() {
  std::error_code failed;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failed);
  std::string name = (failed ? "/tmp" : temporary) / "weft-sample-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) return fail(errno_error(errno, "creating", name));
  std::unique_ptr<SampleStore> sample(new SampleStore(name));
  const std::filesystem::path talk = sample->folder_ / "sample.txt";
  WEFT_TRY(write_file_atomically(talk, sample_transcript(), 0600));
  WEFT_TRY_VALUE(auto keyring, crypto::Keyring::create("you", now(), crypto::SealMode::thinking));
  WEFT_TRY_VALUE(auto store,
                 store::open_store((sample->folder_ / "weft.db").string(), store::Create::yes));
  sample->opened_ = {.store = std::move(store), .keyring = std::move(keyring)};
  WEFT_TRY_VALUE(auto report, ingest::ingest(*sample->opened_.store, *sample->opened_.keyring,
                                             {.paths = {talk}, .clock = now}));
  if (report.conversations.empty()) {
    return fail(ErrorCode::internal, "the sample could not be ingested");
  }
  return sample;
}

SampleStore::~SampleStore() {
  opened_.store.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace weft::cli
