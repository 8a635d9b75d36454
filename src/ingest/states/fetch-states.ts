import { fromAccountBytes } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import { type AccountCells, accountCells } from '../../chain/contracts/account-cells.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { DetectionSession, DetectionState } from '../../detect/detection.ts';
import type { AccountChange } from '../../index/write/decoded-seqno.ts';
import {
  MISSING_QUEUE,
  type MissingRow,
  postponeMissing,
  takeMissing,
} from '../../index/write/missing-queue.ts';
import type { Writer } from '../../index/write/writer.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { getAccountState } from '../../lite/methods/accounts.ts';
import type { LiteSession } from '../../lite/session.ts';

interface StateRequest {
  readonly account: Buffer;
  /** The expected hash of the state; a newer state is useless. */
  readonly hash: Buffer;
}

/** Fetches the cells of an account at a masterchain block; undefined when its state has another hash there. */
async function fetchAccountCells(
  session: LiteSession,
  check: FetchContext['check'],
  block: BlockId,
  { account, hash }: StateRequest,
): Promise<AccountCells | undefined> {
  const id = fromAccountBytes(account);
  const found = await session.run((target) => getAccountState(target.query, block, id, check));
  if (found.account === undefined) return undefined;
  const { cells, cell } = found.account;
  return cells.hash(cell, 0).equals(hash) ? accountCells(found.account) : undefined;
}

interface FetchStatesOptions {
  /** The masterchain block of a change. */
  readonly blockOf: (mcSeqno: number) => BlockId;
  readonly max?: number;
  readonly concurrency?: number;
  /** Time limit for all of them. */
  readonly timeoutMs?: number;
}

const MAX_STATES = 64;
const CONCURRENCY = 8;
const TIMEOUT_MS = 2000;

/** Fetches the states after changes, as many as the limits permit. States that fail are left out. */
export async function fetchStates(
  { pool, check, signal }: Pick<FetchContext, 'pool' | 'check' | 'signal'>,
  changes: readonly (StateRequest & Pick<AccountChange, 'mcSeqno'>)[],
  { blockOf, max = MAX_STATES, concurrency = CONCURRENCY, timeoutMs = TIMEOUT_MS }: FetchStatesOptions,
): Promise<Map<string, AccountCells>> {
  const found = new Map<string, AccountCells>();
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  await mapInOrder(changes.slice(0, max), concurrency, async (change) => {
    if (limit.aborted) return;
    const seqno = change.mcSeqno;
    try {
      const session = await pool.session({ seqno, budgetMs: timeoutMs, signal: limit });
      const cells = await fetchAccountCells(session, check, blockOf(seqno), change);
      if (cells !== undefined) found.set(bytesKey(change.account), cells);
    } catch {
      // It is fetched later, at the head.
    }
  });
  signal.throwIfAborted();
  return found;
}

interface MissingCellsOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'saveAccountCells' | 'dropMissing'>;
  /** Detects the interfaces of completed accounts; left out to skip detection. */
  readonly detection?: DetectionSession | undefined;
  readonly context: FetchContext;
  /** Called after each round with the backlog and the number of requested states. */
  readonly onRound?: (round: { readonly missing: number; readonly requested: number }) => void;
  /** Pause when nothing is due. */
  readonly pauseMs?: number;
}

const BATCH_SIZE = 32;
const MISSING_AT_ONCE = 4;
const PAUSE_MS = 3000;
const FETCH_BUDGET_MS = 10_000;
const DETECT_MS = 10_000;

/** Fetches, at the head, the account cells that blocks left out, until the signal aborts. */
export async function completeMissingCells(options: MissingCellsOptions): Promise<void> {
  const { db, context, onRound, pauseMs = PAUSE_MS } = options;
  const { signal } = context;
  const retry = { ...context, task: 'fetch missing account cells', firstPauseMs: 1000 };
  while (!signal.aborted) {
    const taken = await retryUntilDone(() => completeSome(options), retry);
    onRound?.({ missing: await MISSING_QUEUE.count(db).catch(() => 0), requested: taken.requested });
    // Nobody waits for these: user queries come first.
    const isBusy = taken.rows === BATCH_SIZE;
    await pause(isBusy ? pauseMs / 10 : pauseMs, signal);
  }
}

async function completeSome(options: MissingCellsOptions): Promise<{ rows: number; requested: number }> {
  const { db, writer, context } = options;
  if (context.pool.head === undefined) return { rows: 0, requested: 0 };
  const rows = await takeMissing(db, BATCH_SIZE);
  const left = new Set(rows);
  let requested = 0;
  try {
    await mapInOrder(rows, MISSING_AT_ONCE, async (row) => {
      if (!row.isOpen) await writer.dropMissing(row);
      else {
        requested += 1;
        if (!(await complete(options, row))) await postponeMissing(db, row);
      }
      left.delete(row);
    });
  } finally {
    if (left.size > 0) await MISSING_QUEUE.reserve(db, [...left], 0).catch(() => {});
  }
  return { rows: rows.length, requested };
}

/** Fetches and writes an account; false when it must be retried. */
async function complete({ writer, detection, context }: MissingCellsOptions, row: MissingRow) {
  const { pool, check, signal, onError } = context;
  const fetchCells = async () => {
    const session = await pool.session({ budgetMs: FETCH_BUDGET_MS, signal });
    return fetchAccountCells(session, check, session.reference, row);
  };
  const cells = await fetchCells().catch((error) => {
    signal.throwIfAborted();
    onError?.(error);
    return undefined;
  });
  if (cells === undefined) return false;
  const detected = await detection?.detect({
    states: [detectionState(row, cells)],
    codes: cells.code === undefined ? [] : [cells.code],
    hasKeyBlock: false,
    timeoutMs: DETECT_MS,
    signal,
  });
  const isWritten = await writer.saveAccountCells(row, cells, detected);
  return isWritten && (detected === undefined || detected.undetected.size === 0);
}

function detectionState(row: MissingRow, { data }: AccountCells): DetectionState {
  return {
    account: row.account,
    lastTransLt: BigInt(row.lastTransLt),
    timestamp: Number(row.timestamp),
    balance: BigInt(row.balance),
    codeHash: row.codeHash ?? undefined,
    dataHash: row.dataHash ?? undefined,
    data,
    isMissing: false,
    // What was detected before is not known here.
    mayHaveChangedCode: true,
  };
}
