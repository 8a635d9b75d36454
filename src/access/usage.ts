import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection.ts';
import type { Log } from '../lib/log.ts';
import { addUsage, dropUsage, type UsageRow } from './stored-usage.ts';

/** Counts how often keys call which operations. */
export type UsageCounter = ReturnType<typeof createUsageCounter>;

interface UsageCounterOptions {
  readonly database: Pick<Database, 'write'>;
  readonly log: Log;
  /** A killed process loses the counts of this time at most. */
  readonly flushMs: number;
  readonly retentionSeconds: number;
  /** Unix milliseconds. */
  readonly clock?: () => number;
}

interface Cell {
  requests: number;
  limited: number;
  rejected: number;
  failed: number;
}

type Cells = Map<string, Map<string, Map<string, Cell>>>;

interface Batch {
  readonly number: number;
  readonly rows: readonly UsageRow[];
}

const ANONYMOUS = '0';
const DAY_MS = 86_400_000;
const DROP_INTERVAL_MS = 3_600_000;
/** A statement with more rows would hold its locks for long. */
const MAX_ROWS = 5000;

/**
 * Counts in memory and adds to the database in batches, with those of other processes. A count belongs to the day on which
 * it was made: a timer starts a new day, so that a request costs a look-up and an addition.
 */
export function createUsageCounter(options: UsageCounterOptions) {
  const { database, log, flushMs, retentionSeconds, clock = Date.now } = options;
  const writer = randomUUID();
  /** Counts that are in no batch yet, by day. */
  let days = new Map<string, Cells>();
  let cells: Cells = new Map();
  /** Batches that are not known to be written; the first one may be. */
  const batches: Batch[] = [];
  let lastBatch = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let isFailing = false;
  let isClosed = false;
  let droppedAt = Number.NEGATIVE_INFINITY;

  function openDay(): void {
    const day = dayOf(clock());
    cells = days.get(day) ?? new Map();
    days.set(day, cells);
  }

  /** Turns counts into batches. */
  function makeBatches(): void {
    const rows = [...days].flatMap(([day, counted]) => rowsOf(day, counted));
    days = new Map();
    openDay();
    for (let at = 0; at < rows.length; at += MAX_ROWS)
      batches.push({ number: ++lastBatch, rows: rows.slice(at, at + MAX_ROWS) });
  }

  async function writeBatches(): Promise<void> {
    while (batches.length > 0) {
      const { number, rows } = batches[0]!;
      await database.write((db) => addUsage(db, { writer, batch: number, rows }));
      batches.shift();
    }
  }

  async function write(): Promise<void> {
    // Those of a write that failed: they may be in the database, so they are repeated as they were.
    await writeBatches();
    makeBatches();
    await writeBatches();
  }

  async function drop(): Promise<void> {
    const now = clock();
    if (now - droppedAt < DROP_INTERVAL_MS) return;
    droppedAt = now;
    await database.write((db) => dropUsage(db, { before: dayOf(now - retentionSeconds * 1000) }));
  }

  /** Writes the counts; rejects if the database does not take them, which then stay in memory. */
  function flush(): Promise<void> {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function flushAndLog(): Promise<void> {
    try {
      await flush();
      if (isFailing) log.info({}, 'Writing usage of keys recovered');
      isFailing = false;
      await drop();
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'Failed to write usage of keys');
      isFailing = true;
    }
  }

  function schedule(): void {
    if (isClosed) return;
    const untilMidnightMs = DAY_MS - (clock() % DAY_MS);
    timer = setTimeout(
      () => {
        // Counts that are made while the last day is written belong to the new one.
        openDay();
        void flushAndLog().then(schedule);
      },
      Math.min(flushMs, untilMidnightMs),
    ).unref();
  }

  openDay();
  schedule();
  return {
    /** Counts one call; null for a caller without a key. */
    count(keyId: string | null, interfaceName: string, operation: string, status: number): void {
      const cell = cellOf(cells, keyId ?? ANONYMOUS, interfaceName, operation);
      cell.requests += 1;
      if (status < 400) return;
      if (status === 429) cell.limited += 1;
      else if (status < 500) cell.rejected += 1;
      else cell.failed += 1;
    },
    flush,
    /** Writes what is left, once. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      await writing?.catch(() => {});
      await flushAndLog();
    },
  };
}

function cellOf(cells: Cells, keyId: string, interfaceName: string, operation: string): Cell {
  return (
    cells.get(keyId)?.get(interfaceName)?.get(operation) ?? addCell(cells, keyId, interfaceName, operation)
  );
}

function addCell(cells: Cells, keyId: string, interfaceName: string, operation: string): Cell {
  const cell = { requests: 0, limited: 0, rejected: 0, failed: 0 };
  const interfaces = cells.get(keyId) ?? new Map<string, Map<string, Cell>>();
  const operations = interfaces.get(interfaceName) ?? new Map<string, Cell>();
  cells.set(keyId, interfaces.set(interfaceName, operations.set(operation, cell)));
  return cell;
}

function rowsOf(day: string, cells: Cells): UsageRow[] {
  return [...cells].flatMap(([keyId, interfaces]) =>
    [...interfaces].flatMap(([interfaceName, operations]) =>
      [...operations].map(([operation, cell]) => ({
        keyId,
        day,
        interface: interfaceName,
        operation,
        ...cell,
      })),
    ),
  );
}

/** The day of a time in UTC, as `YYYY-MM-DD`. */
export function dayOf(unixMs: number): string {
  return new Date(unixMs).toISOString().slice(0, 10);
}
