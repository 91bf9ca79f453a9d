// Weaves the entries of the journal on a thread of its own. The client has its answer by then, so
// a failure here delays nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "weft/capture/proxy/exchange_weaver.hpp"
#include "weft/capture/proxy/journal.hpp"

namespace weft::capture {

// Receives one line about a failure, from any thread. The line never quotes content.
using Note = std::function<void(const std::string& line)>;

class JournalWeaver {
 public:
  // Before it returns, it weaves the entries that ended processes left behind. All arguments
  // outlive it.
  JournalWeaver(ExchangeWeaver& weaver, const Journal& journal, Note note);
  // Weaves the queue, and retries what failed; what fails again stays in the journal.
  ~JournalWeaver();
  JournalWeaver(const JournalWeaver&) = delete;
  JournalWeaver& operator=(const JournalWeaver&) = delete;

  // Queues an exchange that has ended. Any thread.
  void enqueue(std::unique_ptr<JournalEntry> entry);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// Creates a listener that writes an exchange to the journal, and queues it in `journal_weaver` when
// it has ended. Null if the exchange belongs to no known API or cannot be written: then it is
// passed on without being recorded.
std::unique_ptr<ExchangeListener> open_journal_listener(const net::MessageHead& request,
                                                        const Journal& journal,
                                                        JournalWeaver& journal_weaver,
                                                        const std::function<Millis()>& clock,
                                                        const Note& note);

}  // namespace weft::capture
