import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import { mapInOrder } from '../../lib/map-in-order.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { persist } from '../fetch/persist.ts';
import { askAccountCells } from './ask-states.ts';
import {
  countMissing,
  dropMissing,
  giveBackMissing,
  keepCells,
  type MissingRow,
  postponeMissing,
  takeMissing,
} from './missing-rows.ts';

export interface MissingCellsOptions {
  readonly db: Kysely<Tables>;
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

/** Asks for the cells of accounts that blocks did not show, at the head, until the signal ends it. */
export async function completeMissingCells(options: MissingCellsOptions): Promise<void> {
  const { db, context, onRound, pauseMs = PAUSE_MS } = options;
  const { log, signal, onTrouble } = context;
  while (!signal.aborted) {
    const taken = await persist(() => completeSome(options), {
      ...{ log, signal, onTrouble, task: 'complete the states of accounts', firstPauseMs: 1000 },
    });
    onRound?.({ missing: await countMissing(db).catch(() => 0), asked: taken.asked });
    // Nobody waits for these: queries of users come first.
    const isBusy = taken.rows === AT_ONCE;
    await sleep(isBusy ? pauseMs / 10 : pauseMs, undefined, { signal }).catch(() => {});
  }
}

async function completeSome({ db, context }: MissingCellsOptions): Promise<{ rows: number; asked: number }> {
  if (context.pool.head === undefined) return { rows: 0, asked: 0 };
  const rows = await takeMissing(db, AT_ONCE);
  const left = new Set(rows);
  let asked = 0;
  try {
    await mapInOrder(rows, CONCURRENCY, async (row) => {
      if (!row.isOpen) await dropMissing(db, row);
      else {
        asked += 1;
        if (!(await complete(db, context, row))) await postponeMissing(db, row);
      }
      left.delete(row);
    });
  } finally {
    if (left.size > 0) await giveBackMissing(db, [...left]).catch(() => {});
  }
  return { rows: rows.length, asked };
}

async function complete(
  db: Kysely<Tables>,
  { pool, check, signal, onTrouble }: FetchContext,
  row: MissingRow,
): Promise<boolean> {
  const ask = async () => {
    const session = await pool.session({ budgetMs: ASK_BUDGET_MS, signal });
    return askAccountCells(session, check, session.reference, row);
  };
  const cells = await ask().catch((error) => {
    signal.throwIfAborted();
    onTrouble?.(error);
    return undefined;
  });
  return cells !== undefined && keepCells(db, row, cells);
}
