# What one would write instead of weft in a few lines: every text of Claude Code's sessions below a
# folder, put into one table of FTS5. It neither signs nor seals nor archives, and knows no second run.
#
#   python3 plain_fts5.py FOLDER DATABASE
import json
import os
import sqlite3
import sys


def texts(record):
    content = record.get("message", {}).get("content", ())
    if isinstance(content, str):
        yield content
        return
    for block in content:
        kind = block.get("type")
        if kind == "text":
            yield block["text"]
        elif kind == "thinking":
            yield block["thinking"]
        elif kind == "tool_use":
            yield json.dumps(block["input"])
        elif kind == "tool_result":
            result = block.get("content", "")
            if isinstance(result, str):
                yield result
            else:
                yield from (part["text"] for part in result if part.get("type") == "text")


def rows(folder):
    for directory, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(directory, name), encoding="utf-8") as lines:
                for line in lines:
                    for text in texts(json.loads(line)):
                        yield (text,)


database = sqlite3.connect(sys.argv[2])
database.execute("CREATE VIRTUAL TABLE texts USING fts5 (text)")
database.executemany("INSERT INTO texts VALUES (?)", rows(sys.argv[1]))
database.commit()
