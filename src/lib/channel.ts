import type { Duplex } from 'node:stream';
import { Failure, type FailureKind } from './errors.ts';

/** Messages between two processes: notices, and calls with an answer. What is sent is JSON, and arrives in order. */
export interface Channel {
  notify(name: string, ...args: readonly unknown[]): void;
  /** The answer of the other process; rejects if it fails, or when the channel closes. */
  call<T>(name: string, ...args: readonly unknown[]): Promise<T>;
  /** Sets what a notice or a call of the other process does here; a call is answered with the result. */
  on(name: string, handler: Handler): void;
  /** Resolves when the other process is gone. */
  readonly closed: Promise<void>;
  close(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: each handler knows what its peer sends
export type Handler = (...args: any[]) => unknown;

/** A notice is `[0, name, args]`, a call `[id, name, args]`, its answer `[-id, result]` or `[-id, null, error]`. */
type Frame =
  | readonly [id: number, name: string, args: readonly unknown[]]
  | readonly [id: number, result: unknown, error?: SentError];

interface SentError {
  readonly kind?: FailureKind;
  readonly text: string;
  readonly retryAfterSeconds?: number | undefined;
}

/**
 * Opens the channel of one end of a socket. The messages of a turn of the event loop leave together: under load a call
 * costs a few microseconds.
 */
export function openChannel(stream: Duplex): Channel {
  const handlers = new Map<string, Handler>();
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const closed = Promise.withResolvers<void>();
  let lastId = 0;
  let frames: string[] = [];
  let rest = '';
  let isClosed = false;

  function send(frame: Frame): void {
    if (isClosed) return;
    if (frames.length === 0) setImmediate(flush);
    frames.push(JSON.stringify(frame));
  }

  function flush(): void {
    if (!isClosed && frames.length > 0) stream.write(`[${frames.join(',')}]\n`);
    frames = [];
  }

  function receive(chunk: string): void {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) for (const frame of JSON.parse(line) as Frame[]) take(frame);
  }

  function take([id, name, third]: Frame): void {
    if (id >= 0) {
      serve(id, name as string, third as readonly unknown[]);
      return;
    }
    const call = calls.get(-id);
    calls.delete(-id);
    if (third == null) call?.resolve(name);
    else call?.reject(readError(third as SentError));
  }

  function serve(id: number, name: string, args: readonly unknown[]): void {
    const answer = (result: unknown): void => {
      if (id > 0) send([-id, result ?? null]);
    };
    const fail = (error: unknown): void => {
      if (id > 0) send([-id, null, writeError(error)]);
    };
    try {
      const handler = handlers.get(name);
      if (handler === undefined) throw new Failure('unavailable', `${name} is not available yet`);
      const result = handler(...args);
      if (result instanceof Promise) result.then(answer, fail);
      else answer(result);
    } catch (error) {
      fail(error);
    }
  }

  function close(): void {
    if (isClosed) return;
    isClosed = true;
    stream.destroy();
    for (const call of calls.values()) call.reject(gone());
    calls.clear();
    closed.resolve();
  }

  stream.setEncoding('utf8');
  stream.on('data', receive);
  stream.on('error', close);
  stream.on('close', close);
  stream.on('end', close);
  return {
    notify: (name, ...args) => send([0, name, args]),
    call<T>(name: string, ...args: readonly unknown[]): Promise<T> {
      if (isClosed) return Promise.reject(gone());
      const call = Promise.withResolvers<unknown>();
      lastId += 1;
      calls.set(lastId, call);
      send([lastId, name, args]);
      return call.promise as Promise<T>;
    },
    on: (name, handler) => void handlers.set(name, handler),
    closed: closed.promise,
    close,
  };
}

function gone(): Failure {
  return new Failure('unavailable', 'another process of this server is gone', { retryAfterSeconds: 1 });
}

function writeError(error: unknown): SentError {
  if (!(error instanceof Error)) return { text: String(error) };
  const { message: text } = error;
  if (!(error instanceof Failure)) return { text };
  return { kind: error.kind, text, retryAfterSeconds: error.retryAfterSeconds };
}

function readError({ kind, text, retryAfterSeconds }: SentError): Error {
  if (kind === undefined) return new Error(text);
  return new Failure(kind, text, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
