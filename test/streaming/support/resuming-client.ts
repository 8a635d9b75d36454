import { setTimeout as sleep } from 'node:timers/promises';
import { type Json, openSse, openWs, waitFor } from './stream-clients.ts';

/** A client that reconnects to any of several servers and resumes where it was. */
export interface ResumingClient {
  /** All events with ids, in the order in which they arrived. */
  readonly events: Json[];
  readonly gaps: Json[];
  /** Connections that were opened after the first one. */
  readonly reconnects: () => number;
  /** Whether it knows where to resume. */
  readonly hasCursor: () => boolean;
  /** Drops the connection, after waiting for it if it is being opened; the client reconnects at once. */
  readonly drop: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface ResumingOptions {
  readonly transport: 'sse' | 'ws';
  /** The servers that are up. */
  readonly urls: () => readonly string[];
  readonly key: string;
  readonly subscription: object;
  /** The id to start from; without it, with what happens next. */
  readonly startAt?: string;
}

const RETRY_MS = 50;
const OK = 200;

export function openResumingClient(options: ResumingOptions): ResumingClient {
  const { transport, urls, key, subscription, startAt } = options;
  const events: Json[] = [];
  const gaps: Json[] = [];
  let lastId = startAt;
  let isClosed = false;
  let reconnects = -1;
  let turn = Math.floor(Math.random() * 100);
  let current: { close(): void } | undefined;

  function hold(connection: { close(): void }): void {
    current = connection;
    reconnects += 1;
    if (isClosed) connection.close();
  }

  function take(id: string | undefined, event: Json): void {
    if (id !== undefined) lastId = id;
    if (event.type === 'gap') gaps.push(event);
    else events.push({ ...event, id });
  }

  async function connect(): Promise<void> {
    const all = urls();
    const url = all[turn++ % all.length]!;
    const wanted = { ...subscription, cursors: true, ...(lastId !== undefined && { last_event_id: lastId }) };
    if (transport === 'sse') {
      const client = await openSse(url, wanted, { headers: { 'x-api-key': key } });
      if (client.status !== OK) return;
      hold(client);
      let taken = 0;
      const drain = () => {
        for (; taken < client.frames.length; taken++) {
          const { event, id, data } = client.frames[taken]!;
          if (event === 'event') take(id, data);
          else if (id !== undefined) lastId = id;
        }
      };
      const timer = setInterval(drain, 5);
      await client.ended;
      clearInterval(timer);
      drain();
      return;
    }
    const client = await openWs(url, `?api_key=${key}`);
    hold({ close: () => client.socket.terminate() });
    client.socket.on('message', (data) => {
      const { event_id, ...event } = JSON.parse(String(data));
      if (event.type !== undefined) take(event_id, event);
      else if (event_id !== undefined) lastId = event_id;
    });
    client.send({ operation: 'subscribe', ...wanted });
    await client.closed;
  }

  const running = (async () => {
    while (!isClosed) {
      try {
        await connect();
      } catch {
        // The server is being restarted.
      }
      current = undefined;
      if (!isClosed) await sleep(RETRY_MS);
    }
  })();

  return {
    events,
    gaps,
    reconnects: () => Math.max(reconnects, 0),
    hasCursor: () => lastId !== undefined,
    async drop() {
      await waitFor(() => current !== undefined);
      current!.close();
      current = undefined;
    },
    async close() {
      isClosed = true;
      current?.close();
      await running;
    },
  };
}
