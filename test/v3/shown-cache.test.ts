import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReadyMessage } from '../../src/index/read/messages.ts';
import { MemberPlace, ReadyCache, TraceCache } from '../../src/index/read/ready-cache.ts';
import { ReadyEvent } from '../../src/index/read/token-events.ts';
import { ReadyTransaction } from '../../src/index/read/transaction-reader.ts';
import { JsonText } from '../../src/lib/json-text.ts';
import { sampleOf } from '../support/long-run.ts';
import { settledMemory } from '../support/settled-memory.ts';

const ITEMS = 2000;
/** What a request takes from the pools of Node beside what is kept of it. */
const POOLED_PER_REQUEST = 20_000;
/** An item is given a few hundred bytes here; with what it would hold of the pools it has more than three times this. */
const MAX_BYTES_PER_ITEM = 6000;

const PIECE = Buffer.alloc(1000, 1);

/** Bytes as they come from a database: cut from a pool. */
function bytes(length: number): Buffer {
  return Buffer.from(randomBytes(length));
}

function version() {
  return { history: '1', traces: bytes(40) };
}

function transaction(): ReadyTransaction {
  const [hash, traceId] = [bytes(32), bytes(32)];
  const head = {
    at: 1,
    hash,
    account: bytes(33),
    lt: 1n,
    now: 1,
    mcSeqno: 1,
    block: { shard: 1n, seqno: 1 },
  };
  const inMessage = { hash: bytes(32), info: { src: { kind: 'none' }, dest: { kind: 'none' } } };
  const placed = { ...head, traceId, transaction: { inMessage, outMessages: [] } };
  return new ReadyTransaction(placed as never, new JsonText('{}'), true);
}

function message(): ReadyMessage {
  const [hash, bodyHash, source] = [bytes(32), bytes(32), bytes(33)];
  const head = { hash, bodyHash, opcode: 1, source, destination: undefined, lt: 1n, createdAt: 1 };
  return new ReadyMessage(head, new JsonText('{}'));
}

function event(): ReadyEvent {
  const [account, source] = [bytes(33), bytes(33)];
  const others = { destination: undefined, responseDestination: undefined, token: null };
  return new ReadyEvent({ account, source, ...others, lt: 1n, now: 1 } as never, new JsonText('{}'));
}

function addTrace(cache: ReadyCache, at: number): void {
  const text = new JsonText(JSON.stringify({ at, hash: bytes(32).toString('hex') }));
  const shown = { text, isMissingNodes: false, firstInHash: bytes(32), accounts: [bytes(33), bytes(33)] };
  const trace = { traceId: bytes(32), mcSeqnoEnd: at, positions: [at], history: '1' };
  const traces = new TraceCache(cache);
  traces.add(trace, shown);
  traces.noteOthers(trace, [bytes(33)]);
}

function addPlace(cache: ReadyCache, at: number): void {
  new TraceCache(cache).addPlace(
    { of: 'messages', value: bytes(32) },
    new MemberPlace(bytes(32), [at]),
    version(),
  );
}

const KINDS: readonly [name: string, add: (cache: ReadyCache, at: number) => void][] = [
  ['transactions', (cache, at) => cache.add(at, transaction(), version())],
  ['messages', (cache, at) => cache.add(`m${at}`, message(), version())],
  ['transfers', (cache, at) => cache.add(`e${at}`, event(), version())],
  ['traces', addTrace],
  ['places of messages', addPlace],
];

describe('memory of cached items', () => {
  /** Caches stay, so that the memory after one test is that before the next one. */
  const caches: ReadyCache[] = [];
  let before: number;
  beforeAll(async () => {
    before = await settledMemory();
  });
  afterAll(() => void caches.splice(0));

  it.each(sampleOf(KINDS, 2))(
    'of %s is their own, not that of the pools they were cut from',
    async (_, add) => {
      const cache = new ReadyCache();
      caches.push(cache);
      for (let at = 0; at < ITEMS; at++) {
        add(cache, at);
        for (let taken = 0; taken < POOLED_PER_REQUEST; taken += PIECE.length) Buffer.from(PIECE);
      }
      const after = await settledMemory();
      const kept = after - before;
      before = after;
      expect(kept / ITEMS).toBeLessThan(MAX_BYTES_PER_ITEM);
    },
  );
});
