import WebSocket from 'ws';
import { until } from '../../support/until.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed message
export type Json = any;

/** A frame of a stream of server-sent events. */
export interface Frame {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: Json;
  /** All comments count as one frame each. */
  readonly comment: string | undefined;
  readonly retry: string | undefined;
}

/** A client that reads a stream of server-sent events. */
export interface SseClient {
  readonly status: number;
  readonly headers: Headers;
  readonly frames: Frame[];
  /** The body of a response that is no stream. */
  readonly body: () => Promise<Json>;
  /** Messages of `event` frames. */
  readonly events: () => Json[];
  readonly lastId: () => string | undefined;
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>;
  readonly close: () => void;
}

interface SseOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'POST' | 'GET';
  readonly query?: string;
}

/** Opens a stream of server-sent events. */
export async function openSse(
  url: string,
  subscription: unknown,
  { headers = {}, method = 'POST', query = '' }: SseOptions = {},
): Promise<SseClient> {
  const abort = new AbortController();
  const response = await fetch(`${url}/api/streaming/v2/sse${query}`, {
    method,
    headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
    ...(method === 'POST' && {
      body: typeof subscription === 'string' ? subscription : JSON.stringify(subscription),
    }),
    signal: abort.signal,
  });
  const frames: Frame[] = [];
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const ended = isStream ? readFrames(response, frames).catch(() => {}) : Promise.resolve();
  return {
    status: response.status,
    headers: response.headers,
    frames,
    body: () => response.json(),
    events: () => frames.filter(({ event }) => event === 'event').map(({ data }) => data),
    lastId: () => frames.findLast(({ id }) => id !== undefined)?.id,
    ended,
    close: () => abort.abort(),
  };
}

async function readFrames(response: Response, frames: Frame[]): Promise<void> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      frames.push(parseFrame(text.slice(0, end)));
      text = text.slice(end + 2);
    }
  }
}

function parseFrame(text: string): Frame {
  const lines = text.split('\n');
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = field('data');
  return {
    event: field('event'),
    id: field('id'),
    data: data === undefined ? undefined : JSON.parse(data),
    comment: lines.find((line) => line.startsWith(':')),
    retry: field('retry'),
  };
}

/** A client on a WebSocket. */
export interface WsClient {
  readonly socket: WebSocket;
  readonly messages: Json[];
  readonly events: () => Json[];
  readonly send: (message: unknown) => void;
  /** Sends a message, and waits for the answer with its id. */
  readonly ask: (message: Record<string, unknown>) => Promise<Json>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  readonly close: () => void;
}

/** Opens a WebSocket; rejects with the status if the server refuses. */
export async function openWs(
  url: string,
  query = '',
  headers: Readonly<Record<string, string>> = {},
): Promise<WsClient> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/streaming/v2/ws${query}`, { headers });
  const messages: Json[] = [];
  let asked = 0;
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () =>
        reject(
          Object.assign(new Error(`status ${response.statusCode}`), { status: response.statusCode, body }),
        ),
      );
    });
  });
  const send = (message: unknown) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  return {
    socket,
    messages,
    events: () => messages.filter(({ type }) => type !== undefined),
    send,
    async ask(message) {
      const id = `ask-${++asked}`;
      const before = messages.length;
      send({ id, ...message });
      const wanted = message.id ?? id;
      await waitFor(() => messages.slice(before).some((one) => one.id === wanted));
      return messages.slice(before).find((one) => one.id === wanted);
    },
    closed,
    close: () => socket.close(),
  };
}

/** Waits until a condition holds. */
export function waitFor(isSo: () => boolean): Promise<void> {
  return until(isSo);
}
