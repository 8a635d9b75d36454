import type { Db } from '../../db/tables/tables.ts';
import type { DetectionSession } from '../../detect/detection.ts';
import { listUndetected } from '../../index/write/missing-queue.ts';
import type { Writer } from '../../index/write/writer.ts';
import { detectionState } from '../states/fetch-states.ts';

interface DetectImportedOptions {
  readonly db: Db;
  readonly writer: Pick<Writer, 'saveDetected'>;
  readonly detection: DetectionSession;
  readonly signal: AbortSignal;
  /** Called after each write with the number of accounts in it. */
  readonly onDetected?: ((accounts: number) => void) | undefined;
}

const BATCH_ACCOUNTS = 4000;
const DETECT_MS = 600_000;

/**
 * Detects all contracts that wait for it. After a whole state is imported the index has everything that their get-methods need to
 * know about other contracts, so that nobody is asked for it. What was detected waits no more: after an interruption it goes on.
 */
export async function detectImported(options: DetectImportedOptions): Promise<void> {
  const { db, writer, detection, signal, onDetected } = options;
  for (let after: Buffer = Buffer.alloc(0); ; ) {
    const rows = await listUndetected(db, { after, max: BATCH_ACCOUNTS });
    const last = rows.at(-1);
    if (last === undefined) return;
    const detected = await detection.detect({
      states: rows.map((row) => detectionState(row, undefined)),
      codes: [],
      hasKeyBlock: false,
      timeoutMs: DETECT_MS,
      signal,
    });
    await writer.saveDetected(rows, detected);
    onDetected?.(rows.length);
    after = last.account;
  }
}
