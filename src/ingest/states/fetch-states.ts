import type { AccountCells } from '../../chain/contracts/account-cells.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { DetectionSession, DetectionState } from '../../detect/detection.ts';
import {
  MISSING_QUEUE,
  type MissingRow,
  type NewestState,
  postponeMissing,
  takeMissing,
} from '../../index/write/missing-queue.ts';
import type { Writer } from '../../index/write/writer.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { fetchAccountCells } from '../fetch/account-states.ts';

/** Reads code and data of the newest state of an account; undefined if they are not to be had, or it has another hash. */
type ReadCells = (row: MissingRow) => Promise<AccountCells | undefined>;

interface CompleteOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'saveAccountCells' | 'dropMissing'>;
  /** Detects the interfaces of completed accounts; left out to skip detection. */
  readonly detection?: DetectionSession | undefined;
  readonly readCells: ReadCells;
  readonly signal: AbortSignal;
  readonly onError?: ((error: unknown) => void) | undefined;
}

interface MissingCellsOptions extends Omit<CompleteOptions, 'readCells' | 'signal' | 'onError'> {
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
  const { pool, check, signal, onError } = context;
  const readCells: ReadCells = async (row) => {
    const session = await pool.session({ budgetMs: FETCH_BUDGET_MS, signal });
    return fetchAccountCells(session, check, session.reference, row);
  };
  const retry = { ...context, task: 'fetch missing account cells', firstPauseMs: 1000 };
  while (!signal.aborted) {
    const complete = async () =>
      pool.head === undefined
        ? { rows: 0, requested: 0 }
        : completeSome({ ...options, readCells, signal, onError });
    const taken = await retryUntilDone(complete, retry);
    onRound?.({ missing: await MISSING_QUEUE.count(db).catch(() => 0), requested: taken.requested });
    // Nobody waits for these: user queries come first.
    const isBusy = taken.rows === BATCH_SIZE;
    await pause(isBusy ? pauseMs / 10 : pauseMs, signal);
  }
}

/** Completes the accounts that are due; those that cannot be completed are due again later. */
export async function completeDueCells(options: CompleteOptions): Promise<void> {
  while ((await completeSome(options)).rows > 0) options.signal.throwIfAborted();
}

async function completeSome(options: CompleteOptions): Promise<{ rows: number; requested: number }> {
  const { db, writer } = options;
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

/** Reads and writes an account; false when it must be retried. */
async function complete(
  { writer, detection, readCells, signal, onError }: CompleteOptions,
  row: MissingRow,
): Promise<boolean> {
  const cells = await readCells(row).catch((error) => {
    signal.throwIfAborted();
    onError?.(error);
    return undefined;
  });
  if (cells === undefined) return false;
  const detected = await detection?.detect({
    states: [detectionState(row, cells.data)],
    codes: cells.code === undefined ? [] : [cells.code],
    hasKeyBlock: false,
    timeoutMs: DETECT_MS,
    signal,
  });
  const isWritten = await writer.saveAccountCells(row, cells, detected);
  return isWritten && (detected === undefined || detected.undetected.size === 0);
}

/** What is detected of an account; `data` is left out where the index has it. */
export function detectionState(row: NewestState, data: AccountCells['data']): DetectionState {
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
