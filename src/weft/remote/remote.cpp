#include "weft/remote/remote.hpp"

#include "weft/remote/folder_remote.hpp"
#include "weft/remote/store_remote.hpp"

namespace weft::remote {
namespace {

class NoRemoteYet final : public Remote {
 public:
  Result<std::optional<std::string>> find_web_id() const override { return std::nullopt; }
  Result<std::string> web_id() override { return refuse(); }
  std::string place_of(const Tip&) const override { return ""; }
  Result<std::vector<Tip>> tips() const override { return std::vector<Tip>(); }
  Result<std::vector<Tip>> tips_of(std::span<const Cid>) const override { return tips(); }
  Result<ingest::ThoughtsFile> read(const std::vector<Update>&) const override { return refuse(); }
  Result<Sent> write(const store::Web&, const std::vector<Update>&) override { return refuse(); }
  Result<Sent> rewrite(const store::Web&, const Tip&) override { return refuse(); }
  Result<std::vector<Forgotten>> forgotten() const override { return std::vector<Forgotten>(); }
  Result<Removal> forget(const Tip&, const Forgotten&, Millis) override { return refuse(); }

 private:
  static std::unexpected<Error> refuse() {
    return fail(ErrorCode::not_found, "nothing was pushed there yet");
  }
};

}  // namespace

std::unique_ptr<Remote> no_remote_yet() { return std::make_unique<NoRemoteYet>(); }

Result<std::unique_ptr<Remote>> open_remote(const std::string& url, const Settings& settings) {
  if (url.starts_with(kFolderScheme)) {
    return open_folder_remote(url.substr(kFolderScheme.size()), settings);
  }
  return open_store_remote(url, settings);
}

}  // namespace weft::remote
