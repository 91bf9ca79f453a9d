#include "weft/cli/ingest/sample.hpp"

namespace weft::cli {
namespace {

constexpr std::string_view kSample = R"(Title: The early ferry
Model: claude-opus-4-5
Session: weft-sample

Human:
Content:
[
  {
    "start_timestamp": "2026-02-01T18:58:09.013Z",
    "stop_timestamp": "2026-02-01T18:58:09.013Z",
    "type": "text",
    "text": "Is the 06:40 ferry to the mainland running tomorrow? I have to be at the station by eight.",
    "citations": []
  }
]

================================================================================
Assistant:
Content:
[
  {
    "start_timestamp": "2026-02-01T18:58:10.120Z",
    "stop_timestamp": "2026-02-01T18:58:12.640Z",
    "type": "thinking",
    "thinking": "They need two things: whether the 06:40 sails, and whether they still make eight o'clock if it does not. I cannot know today's notices from memory, so look them up before saying anything.",
    "summaries": [{"summary": "Decided to look up the ferry notices first."}],
    "cut_off": false
  },
  {
    "start_timestamp": "2026-02-01T18:58:12.700Z",
    "stop_timestamp": "2026-02-01T18:58:13.050Z",
    "type": "tool_use",
    "id": "toolu_sample_1",
    "name": "ferry_notices",
    "input": {"route": "island-mainland", "date": "2026-02-02"},
    "message": "Look up tomorrow's sailings",
    "display_content": {"type": "text", "text": "Look up tomorrow's sailings"}
  },
  {
    "start_timestamp": "2026-02-01T18:58:13.900Z",
    "stop_timestamp": "2026-02-01T18:58:13.900Z",
    "type": "tool_result",
    "tool_use_id": "toolu_sample_1",
    "name": "ferry_notices",
    "content": [
      {
        "type": "text",
        "text": "06:40 cancelled (swell at the pier)\n07:15 sails, arrives 07:45\n09:30 sails, arrives 10:00",
        "uuid": "8ee2fb15-714b-4aef-ac9b-ff7761f7ca84"
      }
    ],
    "is_error": false
  },
  {
    "start_timestamp": "2026-02-01T18:58:14.200Z",
    "stop_timestamp": "2026-02-01T18:58:15.310Z",
    "type": "thinking",
    "thinking": "The 06:40 is cancelled. The 07:15 gets in at 07:45; the station is ten minutes' walk from the pier, so 07:55. That is in time, with five minutes to spare. Say so plainly, and say that it is tight.",
    "summaries": [{"summary": "The 07:15 still arrives in time, but only just."}],
    "cut_off": false
  },
  {
    "start_timestamp": "2026-02-01T18:58:15.400Z",
    "stop_timestamp": "2026-02-01T18:58:18.020Z",
    "type": "text",
    "text": "No, the 06:40 is cancelled because of swell at the pier. The 07:15 sails and arrives at 07:45, which leaves you a quarter of an hour for the ten minutes' walk to the station.",
    "citations": [
      {
        "url": "https://example.org/ferries/notices",
        "title": "Sailing notices",
        "indices": [4, 56]
      }
    ]
  }
]

================================================================================
Human:
Content:
[
  {
    "start_timestamp": "2026-02-01T18:59:02.500Z",
    "stop_timestamp": "2026-02-01T18:59:02.500Z",
    "type": "text",
    "text": "And if the 07:15 is cancelled too?",
    "citations": []
  }
]

================================================================================
Assistant:
Content:
[
  {
    "start_timestamp": "2026-02-01T18:59:03.800Z",
    "stop_timestamp": "2026-02-01T18:59:05.230Z",
    "type": "thinking",
    "thinking": "The next one after that is the 09:30, which arrives at 10:00: two hours late. No sailing would help. So the honest answer is that they would miss it, and that it is worth changing the train tonight.",
    "summaries": [{"summary": "No later sailing would be in time."}],
    "cut_off": false
  },
  {
    "start_timestamp": "2026-02-01T18:59:05.300Z",
    "stop_timestamp": "2026-02-01T18:59:07.900Z",
    "type": "text",
    "text": "Then you would miss it: the next sailing is the 09:30, and it arrives at 10:00. If you have to be there, move your train to the 10:25 tonight; you can still take the earlier one if the 07:15 sails.",
    "citations": []
  }
]

================================================================================
)";

}  // namespace

std::string_view sample_transcript() { return kSample; }

}  // namespace weft::cli
