import type { Db } from '../../db/tables/tables.ts';
import type { Detection } from '../../detect/detection.ts';
import { listUndetected, type NewestState } from '../../index/write/missing-queue.ts';
import type { Writer } from '../../index/write/writer.ts';
import { detectionState } from '../states/fetch-states.ts';

interface DetectImportedOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'saveDetected'>;
  readonly detection: Pick<Detection, 'open'>;
  readonly signal: AbortSignal;
  /** Called after each write with the number of accounts in it. */
  readonly onDetected?: ((accounts: number) => void) | undefined;
}

const BATCH_ACCOUNTS = 2000;
/** While one or two are read or written, the get-methods of another run. */
const BATCHES_AT_ONCE = 3;
const DETECT_MS = 600_000;

/**
 * Detects all contracts that wait for it. After a whole state is imported the index has everything that their get-methods need to
 * know about other contracts, so that nobody is asked for it. What was detected waits no more: after an interruption it goes on.
 */
export async function detectImported(options: DetectImportedOptions): Promise<void> {
  const { db, writer, detection, onDetected } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  let after: Buffer | undefined = Buffer.alloc(0);
  let reading: Promise<unknown> = Promise.resolve();

  /** The next accounts in order; none when there are no more. */
  function take(): Promise<readonly NewestState[]> {
    const taken = reading.then(async () => {
      signal.throwIfAborted();
      if (after === undefined) return [];
      const rows = await listUndetected(db, { after, max: BATCH_ACCOUNTS });
      after = rows.at(-1)?.account;
      return rows;
    });
    reading = taken.catch(() => {});
    return taken;
  }

  async function detectBatches(): Promise<void> {
    const session = detection.open({ follows: false, inBulk: true });
    for (let rows = await take(); rows.length > 0; rows = await take()) {
      const detected = await session.detect({
        states: rows.map((row) => detectionState(row, undefined)),
        codes: [],
        hasKeyBlock: false,
        timeoutMs: DETECT_MS,
        signal,
      });
      await writer.saveDetected(rows, detected);
      onDetected?.(rows.length);
    }
  }

  const batches = Array.from({ length: BATCHES_AT_ONCE }, () =>
    detectBatches().catch((error) => {
      failed.abort(error);
      throw error;
    }),
  );
  // None goes on after another has failed.
  const failures = (await Promise.allSettled(batches)).filter(({ status }) => status === 'rejected');
  if (failures.length > 0) throw failed.signal.reason;
}
