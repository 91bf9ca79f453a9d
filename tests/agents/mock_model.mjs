// A model on loopback that says what a script says, over the APIs of Anthropic and OpenAI: real agents
// run against it offline.
//
//   const model = await startModel((task, done) => steps[task][done]);
//   … run an agent with the words "TASK 3" against http://127.0.0.1:${model.port} …
//   model.close();
//
// `next` names the next tool call of a task, {name, input}, after so many results; nothing ends it.
import http from "node:http";

const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(" ");

const taskOf = (text) => {
  const named = [...text.matchAll(/TASK (\d+)/g)].at(-1);
  return named && Number(named[1]);
};

let made = 0;
const newId = (kind) => `${kind}_${++made}_${Math.random().toString(36).slice(2, 10)}`;

function stream(reply) {
  reply.writeHead(200, { "content-type": "text/event-stream" });
  return (type, fields) => reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
}

function answerAnthropic(asked, reply, next) {
  const blocks = asked.messages.flatMap((one) => (Array.isArray(one.content) ? one.content : []));
  const done = blocks.filter((block) => block.type === "tool_result").length;
  const task = taskOf(asked.messages.map((one) => textOf(one.content)).join("\n"));
  const step = asked.tools?.length && task !== undefined && task !== null ? next(task, done) : undefined;
  const said = step
    ? { type: "tool_use", id: newId("toolu"), name: step.name, input: step.input }
    : { type: "text", text: `done with task ${task}` };
  const message = {
    id: newId("msg"), type: "message", role: "assistant", model: asked.model, content: [],
    stop_reason: null, stop_sequence: null, usage: { input_tokens: 10, output_tokens: 1 },
  };
  const stop = step ? "tool_use" : "end_turn";
  if (!asked.stream) {
    reply.writeHead(200, { "content-type": "application/json" });
    return reply.end(JSON.stringify({ ...message, content: [said], stop_reason: stop }));
  }
  const send = stream(reply);
  send("message_start", { message });
  send("content_block_start", {
    index: 0, content_block: step ? { ...said, input: {} } : { type: "text", text: "" },
  });
  send("content_block_delta", {
    index: 0,
    delta: step
      ? { type: "input_json_delta", partial_json: JSON.stringify(said.input) }
      : { type: "text_delta", text: said.text },
  });
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 9 } });
  send("message_stop", {});
  return reply.end();
}

function answerOpenai(asked, reply, next) {
  const items = asked.input ?? [];
  const done = items.filter((item) => /_output$/.test(item.type)).length;
  const task = taskOf(items.map((item) => textOf(item.content)).join("\n"));
  const step = asked.tools?.length && task !== undefined && task !== null ? next(task, done) : undefined;
  const item = step
    ? { type: "function_call", id: newId("fc"), call_id: newId("call"), name: step.name, arguments: JSON.stringify(step.input) }
    : { type: "message", id: newId("m"), role: "assistant", content: [{ type: "output_text", text: `done with task ${task}`, annotations: [] }] };
  const response = { id: newId("resp"), object: "response", status: "in_progress", output: [] };
  const send = stream(reply);
  send("response.created", { response });
  send("response.output_item.added", { output_index: 0, item });
  send("response.output_item.done", { output_index: 0, item });
  const usage = {
    input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15,
  };
  send("response.completed", { response: { ...response, status: "completed", output: [item], usage } });
  return reply.end();
}

export async function startModel(next) {
  const server = http.createServer((request, reply) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      if (/count_tokens/.test(request.url)) {
        reply.writeHead(200, { "content-type": "application/json" });
        return reply.end('{"input_tokens":10}');
      }
      if (/\/messages/.test(request.url)) return answerAnthropic(JSON.parse(text), reply, next);
      if (/\/responses/.test(request.url)) return answerOpenai(JSON.parse(text), reply, next);
      reply.writeHead(404, { "content-type": "application/json" });
      return reply.end('{"error":{"message":"not in the mock"}}');
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, close: () => server.close() };
}
