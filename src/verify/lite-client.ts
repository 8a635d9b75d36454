import { Worker } from 'node:worker_threads';
import type { Functions } from 'ton-lite-client/dist/schema.js';
import type { TLFunction } from 'ton-tl';
import { Failure } from '../lib/errors.ts';
import { withTimeout } from '../lib/wait.ts';
import { workerFile } from '../lib/worker-thread.ts';

export interface LiteServerAddress {
  readonly index: number;
  readonly host: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
}

type FunctionName = keyof typeof Functions;
type Request<Name extends FunctionName> =
  (typeof Functions)[Name] extends TLFunction<infer Given, unknown> ? Omit<Given, 'kind'> : never;
type Answer<Name extends FunctionName> =
  (typeof Functions)[Name] extends TLFunction<never, infer Given> ? Given : never;

export interface ThreadQuery {
  readonly id: number;
  readonly name: FunctionName;
  readonly request: unknown;
  readonly timeoutMs: number;
}

export type ThreadEvent =
  | { readonly kind: 'started' | 'connected' | 'ready' }
  | { readonly kind: 'down'; readonly reason: string }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly text: string };

/** A failed query, or a connection that failed. */
export class LiteFault extends Failure {
  /** What is wrong: the connection, on which further queries may fail too, the chain of the server, or a response. */
  readonly at: 'connection' | 'network' | 'answer';

  constructor(at: LiteFault['at'], text: string) {
    super('lite_server', text);
    this.at = at;
  }
}

/** What nodes add in brackets to an error about blocks: how far they are. */
const HINT = / \((?:last known masterchain block|possibly out of sync): [^()]*\)$/;
const MISSING = /(?:(?:^|[ :])(?:not in db|block not found|state already gc'd)| is not applied)$/;

/** A refusal of a server. ton-lite-client drops its code, so only the text tells what it means. */
export class LiteRefusal extends LiteFault {
  /** Whether the server does not have what was asked for; another one may. */
  readonly isMissing: boolean;

  constructor(text: string) {
    super('answer', `LITE_SERVER_UNKNOWN: ${text}`);
    this.isMissing = MISSING.test(text.replace(HINT, ''));
  }
}

export interface LiteClient {
  /** Rejects with a LiteFault. */
  readonly query: <Name extends FunctionName>(name: Name, request: Request<Name>) => Promise<Answer<Name>>;
  readonly close: () => Promise<unknown>;
}

/** Loading the packages takes a second on a busy machine. */
const START_MS = 30_000;
/** How the engine of ton-lite-client calls a query without an answer. */
const ENGINE_TIMEOUT = 'Timeout';

/**
 * Connects to a server in a thread of its own. Rejects with a LiteFault if that fails. The timeout is one for each step of
 * the connection, and for each query.
 */
export async function connectLiteClient(address: LiteServerAddress, timeoutMs: number): Promise<LiteClient> {
  const thread = new Worker(workerFile('./lite-worker', import.meta.url), {
    workerData: address,
    name: 'tongate-lite-client',
    execArgv: [],
  });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<void>();
  let lastId = 0;
  let fault: LiteFault | undefined;
  let timer = setTimeout(fail, START_MS, 'not started in time');

  function fail(reason: string): void {
    fault ??= new LiteFault('connection', reason);
    clearTimeout(timer);
    ready.reject(fault);
    for (const { reject } of waiting.values()) reject(fault);
    void thread.terminate();
  }

  thread.on('message', (event: ThreadEvent) => {
    if (event.kind === 'answer') waiting.get(event.id)?.resolve(withBuffers(event.answer));
    else if (event.kind === 'refusal') waiting.get(event.id)?.reject(faultOf(event.text));
    else if (event.kind === 'down') fail(event.reason);
    else {
      clearTimeout(timer);
      if (event.kind === 'ready') ready.resolve();
      else timer = setTimeout(fail, timeoutMs, 'not connected in time');
    }
  });
  thread.on('error', (error) => fail(`AdnlError: ${error instanceof Error ? error.message : error}`));
  thread.on('exit', () => fail('the connection was closed'));

  await ready.promise;
  return {
    async query(name, request) {
      if (fault !== undefined) throw fault;
      const id = ++lastId;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(id, answer);
      thread.postMessage({ id, name, request, timeoutMs } satisfies ThreadQuery);
      try {
        // The engine has a timer too, but runs it late while it decrypts a large answer.
        const late = (): Error => faultOf(ENGINE_TIMEOUT);
        return (await withTimeout(timeoutMs, answer.promise, late)) as never;
      } finally {
        waiting.delete(id);
      }
    },
    close() {
      fail('closed');
      return thread.terminate();
    },
  };
}

function faultOf(text: string): LiteFault {
  return text === ENGINE_TIMEOUT
    ? new LiteFault('connection', 'LITE_SERVER_NETWORK timeout')
    : new LiteRefusal(text);
}

/** Messages between threads hold bytes as plain arrays. */
function withBuffers(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (Array.isArray(value)) return value.map(withBuffers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withBuffers(part)]));
}
