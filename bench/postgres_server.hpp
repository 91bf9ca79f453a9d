// A PostgreSQL server for measurements, and the processor time that it takes.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "weft/postgres/database.hpp"

namespace weft::bench {

// It flushes to the disk, as one that keeps data does.
class PostgresServer {
 public:
  PostgresServer() {
    if (run("start", "fsync=on full_page_writes=on shared_buffers=512MB max_wal_size=4GB") != 0) {
      std::exit(1);
    }
  }
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { run("stop", ""); }

  const std::string& directory() const { return directory_; }
  std::string url(const std::string& schema) const {
    return "postgres://weft@/weft?host=" + directory_ + "&schema=" + schema;
  }
  sql::Database open(const std::string& schema) const {
    auto database = postgres::open_database(postgres::Url::parse(url(schema)).value(),
                                            {.statement = kLong, .silence = kLong});
    if (!database) {
      std::printf("%s\n", database.error().message.c_str());
      std::exit(1);
    }
    return *std::move(database);
  }

  // Of all its processes, those that ended included.
  double cpu_seconds() const {
    std::ifstream file(directory_ + "/data/postmaster.pid");
    std::string postmaster;
    std::getline(file, postmaster);
    double ticks = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename();
      if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
      std::string stat;
      std::getline(std::ifstream(entry.path() / "stat"), stat);
      std::istringstream fields(stat.substr(std::min(stat.size(), stat.rfind(')') + 2)));
      std::string state, parent;
      fields >> state >> parent;
      if (pid != postmaster && parent != postmaster) continue;
      std::string skipped;
      for (int i = 0; i < 9; ++i) fields >> skipped;
      double user = 0, system = 0, of_ended = 0, system_of_ended = 0;
      fields >> user >> system >> of_ended >> system_of_ended;
      ticks += user + system + of_ended + system_of_ended;
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  static constexpr std::chrono::hours kLong{1};
  int run(const std::string& action, const std::string& more) const {
    return std::system((std::string(WEFT_SOURCE_DIR) + "/tools/postgres_for_test " + action + " '" +
                        directory_ + "' " + more)
                           .c_str());
  }
  const std::string directory_ = "/tmp/weft-bench-pg-" + std::to_string(::getpid());
};

}  // namespace weft::bench
