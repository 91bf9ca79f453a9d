// Any text as config.json of a home: it is read, or refused with the name of the file.
#include "fuzz_files.hpp"
#include "weft/cli/app/config.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace weft;
  fuzz::write_file("config.json", fuzz::text_of(data, size));
  const cli::Home home{.directory = fuzz::scratch(),
                       .keyring = fuzz::scratch() / "keyring.json",
                       .store = store::StoreUrl::parse("/w/weft.db").value()};
  const cli::Environment environment{.home = "/home/ada"};
  const Result<cli::Config> config = cli::read_config(home, environment);
  if (config) return 0;
  fuzz::require(config.error().code == ErrorCode::invalid_input);
  fuzz::require(config.error().message.find("config.json") != std::string::npos);
  return 0;
}
