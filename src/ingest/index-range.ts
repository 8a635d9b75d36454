import { setImmediate as turn } from 'node:timers/promises';
import type { BlockId } from '../chain/block-id.ts';
import type { DetectionState } from '../detect/detection.ts';
import type { Claim } from '../index/chunks.ts';
import type { Origin } from '../index/coverage.ts';
import { readMasterchainBlock } from '../index/snapshot.ts';
import type { DecodedSeqno } from '../index/write/decoded-seqno.ts';
import type { BusyTime } from '../lib/busy-time.ts';
import { mapAhead } from '../lib/concurrency.ts';
import type { ChainSource } from './fetch/chain-source.ts';
import { bytesOf } from './fetch/fetch-seqnos.ts';
import type { IndexerMetrics, IndexerOptions } from './indexer-options.ts';
import { findPoolEvents } from './pools/find-pool-events.ts';
import {
  createEarlierStates,
  type GenesisAccount,
  genesisAccounts,
  writeGenesis,
} from './states/earlier-states.ts';
import { createStateTracker, type PreparedUpdate } from './states/state-tracker.ts';
import { createElectorTracker } from './validators/elector-tracker.ts';

/** The parts that index a range. */
export interface RangeContext extends Pick<IndexerOptions, 'db' | 'decoder' | 'writer' | 'detection'> {
  readonly source: ChainSource;
  /** Measures the time during which anything is decoded. */
  readonly decoding: BusyTime;
  readonly metrics: IndexerMetrics;
  readonly origin: Origin;
  /** Whether the chain may be rolled back to an earlier block. */
  readonly mayGoBack: boolean;
  /**
   * The work on the range before, if that still goes on: blocks are read and decoded meanwhile, but what they change of
   * accounts is found in what that work writes. Its failure is one of this range too.
   */
  readonly before?: Promise<void> | undefined;
  /** Called after each written batch; false stops the work on the range. */
  readonly onWritten: (batch: WrittenBatch) => boolean;
}

interface WrittenBatch {
  readonly seqnos: number;
  readonly transactions: number;
  readonly requested: number;
}

/** A decoded seqno with the facts about its blocks that are still needed. */
interface Piece {
  readonly decoded: DecodedSeqno;
  readonly id: BlockId;
  readonly bytes: number;
}

const BATCH_SEQNOS = 200;
const BATCH_TRANSACTIONS = 5000;
/** Small enough that a process which is killed again and again still makes progress. */
const BATCH_MS = 1000;
const BATCH_BYTES = 16 * 1024 * 1024;
const AHEAD_SEQNOS = 64;
const AHEAD_BYTES = 16 * 1024 * 1024;
/** Within this distance of the head each seqno is written at once and missing states are fetched right away. */
const NEAR_SEQNOS = 5;
/** Time limits for contract detection in a batch; accounts that are not reached are detected later, apart from blocks. */
const DETECT_NEAR_HEAD_MS = 3000;
const DETECT_MS = 15_000;
/** Time limits for fetching the state of the elector; one that is late is fetched again, apart from blocks. */
const ELECTOR_NEAR_HEAD_MS = 3000;
const ELECTOR_MS = 15_000;

/**
 * Indexes a range from its checkpoint to its end, or forever; fetching and decoding continue while a batch is written.
 * Any error is thrown; the range can then be resumed from its checkpoint.
 */
export async function indexRange(context: RangeContext, claim: Claim): Promise<void> {
  const { source, db, writer, detection, metrics, origin, onWritten } = context;
  const genesis = claim.firstSeqno === 1 && claim.doneSeqno === 0 ? await putGenesis(context) : [];
  const tracker = createStateTracker({ db });
  const elector = createElectorTracker({ db, source, genesis });
  const follows = claim.lastSeqno === undefined;
  const session = detection?.open({ follows });
  // States before block 1 come from the zero states; before any other first block they are unknown.
  const beginsIndex = claim.firstSeqno === origin.firstSeqno && origin.firstSeqno > 1;
  const findEarlier = beginsIndex ? createEarlierStates(db, origin.firstSeqno) : async () => [];
  const isNearHead = (seqno: number) => source.lagOf(seqno) <= NEAR_SEQNOS;
  const limits = {
    isFull: isFullBatch,
    isUrgent: (batch: readonly Piece[]) => isNearHead(batch.at(-1)!.decoded.mcSeqno),
  };
  const before = await readMasterchainBlock(db, claim.doneSeqno);
  for await (const batch of inBatches(decodedPieces(context, claim, before?.root_hash), limits)) {
    await context.before;
    const seqnos = batch.map(({ decoded }) => decoded);
    const ids = new Map(batch.map(({ decoded, id }) => [decoded.mcSeqno, id]));
    const startMs = performance.now();
    const states = await tracker.prepare({
      seqnos,
      isNewest: follows,
      fetch: isNearHead(seqnos.at(-1)!.mcSeqno)
        ? (changes) => source.states(changes, { blockOf: (seqno) => ids.get(seqno)! })
        : undefined,
    });
    const earlier = await findEarlier(seqnos);
    const pools = await findPoolEvents(db, seqnos);
    const validators = await elector.prepare(seqnos, {
      blockOf: (seqno) => ids.get(seqno)!,
      timeoutMs: isNearHead(seqnos.at(-1)!.mcSeqno) ? ELECTOR_NEAR_HEAD_MS : ELECTOR_MS,
    });
    const detectMs = performance.now();
    metrics.time('states', detectMs - startMs);
    const last = seqnos.at(-1)!.mcSeqno;
    const detected = await session?.detect({
      states: states.latest.map(detectionState),
      codes: [...seqnos.flatMap(({ codes }) => codes), ...states.codes],
      // History is detected against the current state of other contracts: old states are not available.
      block: follows ? ids.get(last) : undefined,
      hasKeyBlock: seqnos.some(({ hasKeyBlock }) => hasKeyBlock),
      timeoutMs: isNearHead(last) ? DETECT_NEAR_HEAD_MS : DETECT_MS,
      signal: source.signal,
    });
    const writeMs = performance.now();
    metrics.time('detect', writeMs - detectMs);
    const { ms } = await writer.write(claim, {
      seqnos: withCodes(seqnos, states.codes),
      latest: states.latest,
      earlier,
      detected,
      pools,
      validators,
    });
    metrics.time('assemble', ms.assemble);
    metrics.time('write', performance.now() - writeMs - ms.assemble);
    const total = (of: (piece: Piece) => number) => batch.reduce((sum, piece) => sum + of(piece), 0);
    const transactions = total(({ decoded }) => decoded.transactions.count);
    metrics.count('seqnos', seqnos.length);
    metrics.count('transactions', transactions);
    metrics.count(
      'messages',
      total(({ decoded }) => decoded.messages.count),
    );
    metrics.count(
      'bytes',
      total(({ bytes }) => bytes),
    );
    metrics.count('requested', states.requested);
    if (!onWritten({ seqnos: seqnos.length, transactions, requested: states.requested })) return;
  }
}

function detectionState({ change, data, isMissing, mayHaveChangedCode }: PreparedUpdate): DetectionState {
  const { account, lastTransLt, timestamp, balance, codeHash, dataHash } = change;
  const state = { account, lastTransLt, timestamp, balance, codeHash, dataHash };
  return { ...state, data, isMissing, mayHaveChangedCode };
}

function decodedPieces(
  { source, decoder, decoding, mayGoBack }: RangeContext,
  { doneSeqno, lastSeqno }: Claim,
  previousHash: Buffer | undefined,
): AsyncIterable<Piece> {
  const range = { from: doneSeqno + 1, to: lastSeqno, previousHash, mayGoBack };
  const limits = { count: AHEAD_SEQNOS, weight: AHEAD_BYTES, weighItem: bytesOf };
  return mapAhead(source.seqnos(range, { bytes: AHEAD_BYTES }), limits, async (fetched) => {
    // The blocks are moved to another thread, so this is read first.
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

/** Fetched codes are written with the last seqno. */
function withCodes(seqnos: readonly DecodedSeqno[], codes: DecodedSeqno['codes']): readonly DecodedSeqno[] {
  if (codes.length === 0) return seqnos;
  const last = seqnos.at(-1)!;
  return [...seqnos.slice(0, -1), { ...last, codes: [...last.codes, ...codes] }];
}

async function putGenesis({ source, db }: RangeContext): Promise<readonly GenesisAccount[]> {
  const accounts = genesisAccounts(await source.zeroStates());
  await writeGenesis(db, accounts);
  return accounts;
}

interface BatchLimits<T> {
  readonly isFull: (batch: readonly T[], ageMs: number) => boolean;
  /** Whether a batch is yielded as soon as no further item is ready. */
  readonly isUrgent: (batch: readonly T[]) => boolean;
}

const NOT_READY = Symbol('not ready');

/** Groups items into batches, in order. */
export async function* inBatches<T>(
  source: AsyncIterable<T>,
  { isFull, isUrgent }: BatchLimits<T>,
): AsyncGenerator<readonly T[], void> {
  const items = source[Symbol.asyncIterator]();
  let batch: T[] = [];
  let startedMs = 0;
  let next = items.next();
  try {
    while (true) {
      const one = await (batch.length > 0 && isUrgent(batch) ? ready(next) : next);
      if (one === NOT_READY) {
        yield batch;
        batch = [];
        continue;
      }
      if (one.done) break;
      if (batch.length === 0) startedMs = performance.now();
      batch.push(one.value);
      next = items.next();
      next.catch(() => {});
      if (!isFull(batch, performance.now() - startedMs)) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  } finally {
    void items.return?.();
  }
}

/** The value of a promise that is settled by the next turn of the event loop. */
function ready<T>(promise: Promise<T>): Promise<T | typeof NOT_READY> {
  return Promise.race([promise, turn(NOT_READY)]);
}
