// Weaves what the journal holds, aside, on a thread of its own: whatever happens here, the
// exchanges themselves are through by then.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/capture/proxy/exchange_weaver.hpp"
#include "weft/capture/proxy/journal.hpp"

namespace weft::capture {

// Told what went wrong, one line, from any thread. Never quotes what was said.
using Note = std::function<void(const std::string& line)>;

class JournalWeaver {
 public:
  // What a process that is gone left in the journal is woven first, before it returns. All
  // outlive it.
  JournalWeaver(ExchangeWeaver& weaver, const Journal& journal, Note note);
  // Weaves what waits, once more what failed; what fails again stays in the journal.
  ~JournalWeaver();
  JournalWeaver(const JournalWeaver&) = delete;
  JournalWeaver& operator=(const JournalWeaver&) = delete;

  // An exchange that has ended. Any thread.
  void take(std::unique_ptr<JournalEntry> entry);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// An ear that writes an exchange down, and gives it to `scribe` when it has ended. Null if nothing
// can be written: then it passes unrecorded.
std::unique_ptr<ExchangeListener> open_listener(const net::MessageHead& request,
                                                const Journal& journal,
                                                JournalWeaver& journal_weaver,
                                                const std::function<Millis()>& clock,
                                                const Note& note);

}  // namespace weft::capture
