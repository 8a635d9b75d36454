import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { mapInOrder } from '../../lib/concurrency.ts';
import { pause } from '../../lib/wait.ts';
import type { DetectionSession, DetectionState } from '../detect/detection.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { retryUntilDone } from '../retry.ts';
import type { Writer } from '../write/writer.ts';
import { type AccountCells, fetchAccountCells } from './fetch-states.ts';
import {
  countMissing,
  dropMissing,
  giveBackMissing,
  type MissingRow,
  postponeMissing,
  takeMissing,
} from './missing-queue.ts';

export interface MissingCellsOptions {
  readonly db: Kysely<Tables>;
  readonly writer: Pick<Writer, 'keepAccount'>;
  /** Finds out what contracts are, now that all of them is known; left out where nobody wants to know. */
  readonly detection?: DetectionSession | undefined;
  readonly context: FetchContext;
  /** Hears how many accounts wait, and how many were asked for since the last time. */
  readonly onRound?: (round: { readonly missing: number; readonly asked: number }) => void;
  /** The pause when nothing is due. */
  readonly pauseMs?: number;
}

const AT_ONCE = 32;
const CONCURRENCY = 4;
const PAUSE_MS = 3000;
const ASK_BUDGET_MS = 10_000;
const JUDGE_MS = 10_000;

/** Asks for the cells of accounts that blocks did not show, at the head, until the signal ends it. */
export async function completeMissingCells(options: MissingCellsOptions): Promise<void> {
  const { db, context, onRound, pauseMs = PAUSE_MS } = options;
  const { log, signal, onError: onTrouble } = context;
  while (!signal.aborted) {
    const taken = await retryUntilDone(() => completeSome(options), {
      log,
      signal,
      onError: onTrouble,
      task: 'fetch missing account cells',
      firstPauseMs: 1000,
    });
    onRound?.({ missing: await countMissing(db).catch(() => 0), asked: taken.asked });
    // Nobody waits for these: queries of users come first.
    const isBusy = taken.rows === AT_ONCE;
    await pause(isBusy ? pauseMs / 10 : pauseMs, signal);
  }
}

async function completeSome(options: MissingCellsOptions): Promise<{ rows: number; asked: number }> {
  const { db, context } = options;
  if (context.pool.head === undefined) return { rows: 0, asked: 0 };
  const rows = await takeMissing(db, AT_ONCE);
  const left = new Set(rows);
  let asked = 0;
  try {
    await mapInOrder(rows, CONCURRENCY, async (row) => {
      if (!row.isOpen) await dropMissing(db, row);
      else {
        asked += 1;
        if (!(await complete(options, row))) await postponeMissing(db, row);
      }
      left.delete(row);
    });
  } finally {
    if (left.size > 0) await giveBackMissing(db, [...left]).catch(() => {});
  }
  return { rows: rows.length, asked };
}

/** Asks for an account and writes what came out; false when it must be tried again. */
async function complete(
  { writer, detection, context }: MissingCellsOptions,
  row: MissingRow,
): Promise<boolean> {
  const { pool, check, signal, onError: onTrouble } = context;
  const ask = async () => {
    const session = await pool.session({ budgetMs: ASK_BUDGET_MS, signal });
    return fetchAccountCells(session, check, session.reference, row);
  };
  const cells = await ask().catch((error) => {
    signal.throwIfAborted();
    onTrouble?.(error);
    return undefined;
  });
  if (cells === undefined) return false;
  const detected = await detection?.detect({
    states: [detectionState(row, cells)],
    codes: cells.code === undefined ? [] : [cells.code],
    hasKeyBlock: false,
    timeoutMs: JUDGE_MS,
    signal,
  });
  const isKept = await writer.saveAccountCells(row, cells, detected);
  return isKept && (detected === undefined || detected.undetected.size === 0);
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
    // What it was judged to be before, if it was, is not known here.
    mayHaveChangedCode: true,
  };
}
