import { Agent, request } from 'node:http';
import WebSocket from 'ws';

/** Called for every event: which lane, which masterchain seqno. */
export type OnEvent = (lane: 'blocks' | 'traces', seqno: number) => void;

interface StreamOptions {
  readonly url: string;
  readonly key: string;
  readonly subscription: object;
  readonly onEvent: OnEvent;
  readonly onLost: () => void;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const ID = /(?:\nid: |"event_id":"|^id: )(\d+)-\d+\.(\d+)-/;
const TRACE_LANE = /"type":"(?:actions|trace)"/;

function note(text: string, onEvent: OnEvent): void {
  const id = ID.exec(text);
  if (id === null || !text.includes('"type"')) return;
  if (TRACE_LANE.test(text.slice(0, 200))) onEvent('traces', Number(id[2]));
  else onEvent('blocks', Number(id[1]));
}

/** Opens a stream of server-sent events; resolves when it is subscribed. */
export function openSseStream({
  url,
  key,
  subscription,
  onEvent,
  onLost,
}: StreamOptions): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}/api/streaming/v2/sse`,
      { method: 'POST', agent, headers: { 'x-api-key': key, 'content-type': 'application/json' } },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`));
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
          for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
            note(text.slice(0, end), onEvent);
            text = text.slice(end + 2);
          }
        });
        response.on('close', onLost);
        response.on('error', () => {});
        resolve(() => sent.destroy());
      },
    );
    sent.on('error', reject);
    sent.end(JSON.stringify(subscription));
  });
}

/** Opens a WebSocket; resolves when it is subscribed. */
export function openWsStream({
  url,
  key,
  subscription,
  onEvent,
  onLost,
}: StreamOptions): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws?api_key=${key}`);
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify({ operation: 'subscribe', ...subscription })));
    socket.on('message', (data) => {
      const text = String(data);
      if (text.includes('"subscribed"')) resolve(() => socket.terminate());
      else note(text, onEvent);
    });
    socket.on('close', onLost);
  });
}
