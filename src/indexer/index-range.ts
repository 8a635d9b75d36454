import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { type BlockId, MASTERCHAIN } from '../chain/block-id.ts';
import type { Tables } from '../db/tables.ts';
import type { BusyTime } from '../lib/busy-time.ts';
import { mapAhead } from '../lib/concurrency.ts';
import type { Claim } from './chunks.ts';
import type { Origin } from './coverage.ts';
import type { DecodedSeqno } from './decode/decoded-seqno.ts';
import type { Decoder } from './decode/decoder.ts';
import type { Detection, JudgedState } from './detect/detection.ts';
import type { FetchContext } from './fetch/fetch-context.ts';
import { bytesOf, fetchSeqnos } from './fetch/fetch-seqnos.ts';
import type { IndexerMetrics } from './indexer-options.ts';
import { retryUntilDone } from './retry.ts';
import { createEarlierStates, fetchGenesis, writeGenesis } from './states/earlier-states.ts';
import { fetchStates } from './states/fetch-states.ts';
import { createStateTracker, type PreparedUpdate } from './states/state-tracker.ts';
import type { Writer } from './write/writer.ts';

/** What the lanes of an indexer have in common. */
export interface RangeContext {
  readonly fetch: FetchContext;
  readonly db: Kysely<Tables>;
  readonly decoder: Decoder;
  /** Measures the time in which anything is decoded. */
  readonly decoding: BusyTime;
  readonly writer: Writer;
  readonly detection?: Detection | undefined;
  readonly metrics: IndexerMetrics;
  readonly origin: Origin;
  /** Whether the chain may be put back to an earlier block. */
  readonly mayGoBack: boolean;
  /** Called for each batch that was written; false ends the work on the range. */
  readonly onWritten: (batch: WrittenBatch) => boolean;
}

/** What was written together. */
interface WrittenBatch {
  readonly seqnos: number;
  readonly transactions: number;
  readonly asked: number;
}

/** A decoded seqno with what is still needed of its blocks. */
interface Piece {
  readonly decoded: DecodedSeqno;
  readonly id: BlockId;
  readonly bytes: number;
}

const BATCH_SEQNOS = 200;
const BATCH_TRANSACTIONS = 5000;
/** A process that is ended time and again must get on all the same. */
const BATCH_MS = 1000;
const BATCH_BYTES = 16 * 1024 * 1024;
const AHEAD_SEQNOS = 64;
const AHEAD_BYTES = 16 * 1024 * 1024;
/** So near to the head a seqno is written as soon as it is there, and states that are missing are asked for at once. */
const NEAR_SEQNOS = 5;
/** Time for finding out what the contracts of a batch are; the rest is done later, apart from the blocks. */
const JUDGE_NEAR_MS = 3000;
const JUDGE_MS = 15_000;

/**
 * Indexes a range from where it stands to its end, or for ever; fetching and decoding go on while a batch is written.
 * Throws what goes wrong: the range may then be worked on again from where it stands.
 */
export async function indexRange(context: RangeContext, claim: Claim): Promise<void> {
  const { fetch, db, writer, detection, metrics, origin, onWritten } = context;
  if (claim.firstSeqno === 1 && claim.doneSeqno === 0) await putGenesis(context);
  const book = createStateTracker({ db });
  const follows = claim.lastSeqno === undefined;
  const judge = detection?.open({ follows });
  // What was there before the first block is known; before any other first block it is not.
  const beginsIndex = claim.firstSeqno === origin.firstSeqno && origin.firstSeqno > 1;
  const findEarlier = beginsIndex ? createEarlierStates(db, origin.firstSeqno) : async () => [];
  const isNearHead = (seqno: number) => (fetch.pool.head?.seqno ?? 0) - seqno <= NEAR_SEQNOS;
  const limits = {
    isFull: isFullBatch,
    isUrgent: (batch: readonly Piece[]) => isNearHead(batch.at(-1)!.decoded.mcSeqno),
  };
  for await (const batch of inBatches(
    decodedPieces(context, claim, await rootHashBefore(db, claim)),
    limits,
  )) {
    const seqnos = batch.map(({ decoded }) => decoded);
    const ids = new Map(batch.map(({ decoded, id }) => [decoded.mcSeqno, id]));
    const startMs = performance.now();
    const states = await book.prepare({
      seqnos,
      isNewest: follows,
      ask: isNearHead(seqnos.at(-1)!.mcSeqno)
        ? (changes) => fetchStates(fetch, changes, { blockOf: (seqno) => ids.get(seqno)! })
        : undefined,
    });
    const earlier = await findEarlier(seqnos);
    const judgeMs = performance.now();
    metrics.time('states', judgeMs - startMs);
    const last = seqnos.at(-1)!.mcSeqno;
    const verdicts = await judge?.judge({
      states: states.latest.map(judgedState),
      codes: [...seqnos.flatMap(({ codes }) => codes), ...states.codes],
      // History is judged by what the other contracts are now: states of long ago are not to be had.
      block: follows ? ids.get(last) : undefined,
      hasKeyBlock: seqnos.some(({ hasKeyBlock }) => hasKeyBlock),
      timeoutMs: isNearHead(last) ? JUDGE_NEAR_MS : JUDGE_MS,
      signal: fetch.signal,
    });
    const writeMs = performance.now();
    metrics.time('detect', writeMs - judgeMs);
    const { ms } = await writer.write(claim, {
      seqnos: withCodes(seqnos, states.codes),
      latest: states.latest,
      earlier,
      verdicts,
    });
    metrics.time('assemble', ms.assemble);
    metrics.time('write', performance.now() - writeMs - ms.assemble);
    const transactions = seqnos.reduce((sum, one) => sum + one.transactions.count, 0);
    metrics.count('seqnos', seqnos.length);
    metrics.count('transactions', transactions);
    metrics.count(
      'messages',
      seqnos.reduce((sum, one) => sum + one.messages.count, 0),
    );
    metrics.count(
      'bytes',
      batch.reduce((sum, one) => sum + one.bytes, 0),
    );
    metrics.count('asked', states.asked);
    if (!onWritten({ seqnos: seqnos.length, transactions, asked: states.asked })) return;
  }
}

function judgedState({ change, data, isMissing, isOther }: PreparedUpdate): JudgedState {
  const { account, lastTransLt, timestamp, balance, codeHash, dataHash } = change;
  return { account, lastTransLt, timestamp, balance, codeHash, dataHash, data, isMissing, isOther };
}

function decodedPieces(
  { fetch, decoder, decoding, mayGoBack }: RangeContext,
  { doneSeqno, lastSeqno }: Claim,
  previousHash: Buffer | undefined,
): AsyncIterable<Piece> {
  const range = { from: doneSeqno + 1, to: lastSeqno, previousHash, mayGoBack };
  const limits = { count: AHEAD_SEQNOS, weight: AHEAD_BYTES, weighItem: bytesOf };
  return mapAhead(fetchSeqnos(fetch, range, { bytes: AHEAD_BYTES }), limits, async (fetched) => {
    // Its blocks go to another thread, so what is needed of them is taken first.
    const { id } = fetched.masterchain;
    const bytes = bytesOf(fetched);
    return { decoded: await decoding.during(() => decoder.decode(fetched)), id, bytes };
  });
}

function isFullBatch(batch: readonly Piece[], ageMs: number): boolean {
  if (batch.length >= BATCH_SEQNOS || ageMs >= BATCH_MS) return true;
  let transactions = 0;
  let bytes = 0;
  for (const piece of batch) {
    transactions += piece.decoded.transactions.count;
    bytes += piece.bytes;
  }
  return transactions >= BATCH_TRANSACTIONS || bytes >= BATCH_BYTES;
}

/** Codes that were asked for are written with the last seqno. */
function withCodes(seqnos: readonly DecodedSeqno[], codes: DecodedSeqno['codes']): readonly DecodedSeqno[] {
  if (codes.length === 0) return seqnos;
  const last = seqnos.at(-1)!;
  return [...seqnos.slice(0, -1), { ...last, codes: [...last.codes, ...codes] }];
}

async function rootHashBefore(db: Kysely<Tables>, { doneSeqno }: Claim): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('blocks')
    .select('root_hash')
    .where('mc_seqno', '=', doneSeqno)
    .where('workchain', '=', MASTERCHAIN)
    .executeTakeFirst();
  return row?.root_hash;
}

async function putGenesis({ fetch, db }: RangeContext): Promise<void> {
  const { log, signal, onTrouble } = fetch;
  const accounts = await retryUntilDone(() => fetchGenesis(fetch), {
    log,
    signal,
    onTrouble,
    task: 'fetch the states that the chain began with',
  });
  await writeGenesis(db, accounts);
}

interface BatchLimits<T> {
  /** Whether a batch is full, or has been gathered for long enough. */
  readonly isFull: (batch: readonly T[], ageMs: number) => boolean;
  /** Whether a batch goes out as soon as nothing more is at hand. */
  readonly isUrgent: (batch: readonly T[]) => boolean;
}

const NOTHING_YET = Symbol('nothing yet');

/** Puts items together in batches, in order. */
export async function* inBatches<T>(
  source: AsyncIterable<T>,
  { isFull, isUrgent }: BatchLimits<T>,
): AsyncGenerator<readonly T[], void> {
  const items = source[Symbol.asyncIterator]();
  let batch: T[] = [];
  let begunMs = 0;
  let next = items.next();
  try {
    while (true) {
      const one = await (batch.length > 0 && isUrgent(batch) ? ready(next) : next);
      if (one === NOTHING_YET) {
        yield batch;
        batch = [];
        continue;
      }
      if (one.done) break;
      if (batch.length === 0) begunMs = performance.now();
      batch.push(one.value);
      next = items.next();
      next.catch(() => {});
      if (!isFull(batch, performance.now() - begunMs)) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    void items.return?.();
  }
}

/** What a promise gives if it is settled, or nearly so. */
function ready<T>(promise: Promise<T>): Promise<T | typeof NOTHING_YET> {
  return Promise.race([promise, turn(NOTHING_YET)]);
}
