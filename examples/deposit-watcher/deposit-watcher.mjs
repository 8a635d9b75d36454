// Prints every deposit to some addresses, also those that arrived while it was not running. If it is killed after it printed
// one and before it stored the cursor, that one is printed again: its hash tells.
// Usage: TONGATE_KEY=… node deposit-watcher.mjs ADDRESS…
import { readFileSync, writeFileSync } from 'node:fs';

const { TONGATE_URL = 'http://127.0.0.1:8081', TONGATE_KEY = '', CURSOR_FILE = 'cursor.txt' } = process.env;
const subscription = { types: ['transactions'], addresses: process.argv.slice(2), cursors: true };
const headers = { 'x-api-key': TONGATE_KEY, 'content-type': 'application/json' };
const readCursor = () => readFileSync(CURSOR_FILE, { encoding: 'utf8', flag: 'a+' }) || undefined;

for (;;) {
  await follow().catch((error) => console.error(error.message));
  await new Promise((resolve) => setTimeout(resolve, 1000));
}

async function follow() {
  const body = JSON.stringify({ ...subscription, last_event_id: readCursor() });
  const response = await fetch(`${TONGATE_URL}/api/streaming/v2/sse`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(await response.text());
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const frames = (text + chunk).split('\n\n');
    text = frames.pop();
    for (const frame of frames) take(frame);
  }
}

function take(frame) {
  const { id, data = '{}' } = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/)));
  const { type, from, transactions = [] } = JSON.parse(data);
  if (type === 'gap') console.error(`Read /api/v3/transactions: events after ${from} are missing`);
  // A payment of one's own that came back is no deposit, and neither is one that goes back to its sender.
  for (const { account, hash, in_msg: message, out_msgs: sent } of transactions.toReversed())
    if (message?.source && !message.bounced && !sent.some(({ bounced }) => bounced))
      console.log(account, message.value, hash);
  if (id) writeFileSync(CURSOR_FILE, id);
}
