import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

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
 * processors with the measured server. Throws on any status other than 200.
 */
export async function loadHttp(url: string, next: () => WireRequest, pressure: Pressure): Promise<Load> {
  const watch = new Stopwatch(pressure);
  const { hostname, port } = new URL(url);
  const lanes = Array.from({ length: pressure.concurrency }, async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    await new Promise<void>((resolve, reject) => runConnection(socket, next, watch, resolve, reject)).finally(
      () => socket.destroy(),
    );
  });
  await Promise.all(lanes);
  return watch.load();
}

function runConnection(
  socket: Socket,
  next: () => WireRequest,
  watch: Stopwatch,
  done: () => void,
  fail: (error: Error) => void,
): void {
  let chunks: Buffer[] = [];
  /** Bytes of the response still to come; undefined until its head is complete. */
  let missing: number | undefined;
  let isError = false;
  let sinceMs = 0;
  const send = (): void => {
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
      isError = !head.startsWith('HTTP/1.1 200');
      const end = headEnd + HEAD_END.length + Number(/content-length: (\d+)/i.exec(head)?.[1]);
      missing = end - received.length;
    }
    if (missing > 0) return;
    if (isError) return fail(new Error(Buffer.concat(chunks).toString()));
    if (Buffer.concat(chunks.slice(-2)).subarray(-CACHED_END.length).equals(CACHED_END)) watch.cached++;
    if (watch.record(sinceMs)) send();
    else done();
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('Server closed the connection')));
  send();
}
