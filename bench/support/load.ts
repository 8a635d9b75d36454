import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** Result of sending requests as fast as responses arrive. */
export interface Load {
  readonly responses: number;
  readonly elapsedMs: number;
  /** Latency of each response, ascending. */
  readonly latenciesMs: Float64Array;
  /** Responses marked as cached. */
  readonly cached: number;
}

/** When to stop, and how many requests are in flight. */
export interface Pressure {
  readonly seconds: number;
  readonly maxResponses: number;
  readonly concurrency: number;
}

/** Collects the latencies of a load. */
class Stopwatch {
  readonly #startedMs = performance.now();
  readonly #endMs: number;
  readonly #maxResponses: number;
  readonly #latenciesMs: number[] = [];
  #lastMs = 0;
  cached = 0;

  constructor({ seconds, maxResponses }: Pressure) {
    this.#endMs = this.#startedMs + seconds * 1000;
    this.#maxResponses = maxResponses;
  }

  /** Records a response; returns whether to send another request. */
  record(sinceMs: number): boolean {
    this.#lastMs = performance.now();
    this.#latenciesMs.push(this.#lastMs - sinceMs);
    return this.#lastMs < this.#endMs && this.#latenciesMs.length < this.#maxResponses;
  }

  load(): Load {
    return {
      responses: this.#latenciesMs.length,
      elapsedMs: this.#lastMs - this.#startedMs,
      latenciesMs: Float64Array.from(this.#latenciesMs).sort(),
      cached: this.cached,
    };
  }
}

/** Repeats `work`, with `concurrency` calls in flight. */
export async function loadWith(work: () => Promise<unknown>, pressure: Pressure): Promise<Load> {
  const watch = new Stopwatch(pressure);
  const loop = async (): Promise<void> => {
    let sinceMs: number;
    do {
      sinceMs = performance.now();
      await work();
    } while (watch.record(sinceMs));
  };
  await Promise.all(Array.from({ length: pressure.concurrency }, loop));
  return watch.load();
}

/** The latency that a share of the responses did not exceed, in milliseconds. */
export function percentile({ latenciesMs }: Load, share: number): number {
  return latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))]!;
}

/** The bytes of an HTTP request. */
type WireRequest = Buffer;

/** An HTTP request. */
export interface HttpCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

const HEAD_END = Buffer.from('\r\n\r\n');
/** The last chunk of a body in chunks; JSON has no such bytes. */
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
/** The end of `@extra` in a response from the cache of v2. */
const CACHED_END = Buffer.from(':c"}');

/** Serialises a request for a keep-alive connection. */
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
 * Sends requests over keep-alive connections, one at a time on each. The client is minimal, because it shares the
 * processors with the measured server. Throws on any status other than 200, unless the caller takes it.
 */
export async function loadHttp(
  url: string,
  next: () => WireRequest,
  pressure: Pressure,
  onFailure?: (status: number, answer: string) => void,
): Promise<Load> {
  const watch = new Stopwatch(pressure);
  const takeFailure =
    onFailure ??
    ((_status, answer) => {
      throw new Error(answer);
    });
  const lanes = Array.from({ length: pressure.concurrency }, async () => {
    const socket = await connected(new URL(url));
    await new Promise<void>((resolve, reject) =>
      runConnection(socket, { next, watch, takeFailure, done: resolve, fail: reject }),
    ).finally(() => socket.destroy());
  });
  await Promise.all(lanes);
  return watch.load();
}

async function connected({ protocol, hostname: host, port }: URL): Promise<Socket> {
  const isSecure = protocol === 'https:';
  const socket = isSecure
    ? connectSecurely({ host, port: Number(port || 443), servername: host })
    : connect({ host, port: Number(port || 80) });
  socket.setNoDelay(true);
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  return socket;
}

interface Lane {
  readonly next: () => WireRequest;
  readonly watch: Stopwatch;
  readonly takeFailure: (status: number, answer: string) => void;
  readonly done: () => void;
  readonly fail: (error: unknown) => void;
}

function runConnection(socket: Socket, { next, watch, takeFailure, done, fail }: Lane): void {
  let chunks: Buffer[] = [];
  /** Bytes of the response still to come; undefined until its head is complete, unknown of a body in chunks. */
  let missing: number | undefined;
  let status = 0;
  let sinceMs = 0;
  const send = (): void => {
    [chunks, missing] = [[], undefined];
    sinceMs = performance.now();
    socket.write(next());
  };
  const isComplete = (): boolean =>
    missing === Number.POSITIVE_INFINITY
      ? Buffer.concat(chunks.slice(-LAST_CHUNK.length)).subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
      : missing! <= 0;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    if (missing !== undefined) missing -= chunk.length;
    else {
      const received = Buffer.concat(chunks);
      const headEnd = received.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = received.toString('latin1', 0, headEnd);
      status = Number(head.split(' ', 2)[1]);
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      missing =
        length === undefined
          ? Number.POSITIVE_INFINITY
          : headEnd + HEAD_END.length + Number(length) - received.length;
    }
    if (!isComplete()) return;
    try {
      if (status !== 200) takeFailure(status, Buffer.concat(chunks).toString());
    } catch (error) {
      return fail(error);
    }
    if (Buffer.concat(chunks.slice(-2)).subarray(-CACHED_END.length).equals(CACHED_END)) watch.cached++;
    if (watch.record(sinceMs)) send();
    else done();
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('Server closed the connection')));
  send();
}
