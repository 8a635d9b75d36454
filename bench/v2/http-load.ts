import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Load, type Pressure, Stopwatch } from './load.ts';

/** A request as it goes onto the wire. */
export type WireRequest = Buffer;

export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** How `@extra` ends in an answer that was known before. */
const CACHED_END = Buffer.from(':c"}');

/** Writes a request for a connection that stays open. */
export function wireRequest({ method, path, headers, body }: HttpCall): WireRequest {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`);
}

/**
 * Asks a server over connections that stay open, one request at a time on each. A client of few lines, because the
 * processors are shared with what is measured. Any answer but a 200 ends it.
 */
export async function loadHttp(url: string, next: () => WireRequest, pressure: Pressure): Promise<Load> {
  const watch = new Stopwatch(pressure);
  const { hostname, port } = new URL(url);
  const asking = Array.from({ length: pressure.concurrency }, async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    await new Promise<void>((resolve, reject) => askOn(socket, next, watch, resolve, reject)).finally(() =>
      socket.destroy(),
    );
  });
  await Promise.all(asking);
  return watch.load();
}

function askOn(
  socket: Socket,
  next: () => WireRequest,
  watch: Stopwatch,
  done: () => void,
  fail: (error: Error) => void,
): void {
  /** What came of an answer; it is put together only where it has to be looked at. */
  let chunks: Buffer[] = [];
  let missing: number | undefined;
  let isRefused = false;
  let sinceMs = 0;
  const ask = (): void => {
    [chunks, missing] = [[], undefined];
    sinceMs = performance.now();
    socket.write(next());
  };
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (missing !== undefined) missing -= chunk.length;
    else {
      const received = Buffer.concat(chunks);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      isRefused = !head.startsWith('HTTP/1.1 200');
      const end = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      missing = end - received.length;
    }
    if (missing > 0) return;
    if (isRefused) return fail(new Error(Buffer.concat(chunks).toString()));
    if (Buffer.concat(chunks.slice(-2)).subarray(-CACHED_END.length).equals(CACHED_END)) watch.cached++;
    if (watch.stop(sinceMs)) ask();
    else done();
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  ask();
}
