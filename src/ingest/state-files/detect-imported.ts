import { sql } from 'kysely';
import { readRows } from '../../db/driver.ts';
import type { Db } from '../../db/tables/tables.ts';
import type { DetectionSession } from '../../detect/detection.ts';
import type { Writer } from '../../index/write/writer.ts';

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

interface UndetectedRow {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly lastTransLt: string;
  readonly timestamp: string;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
}

/**
 * Detects all contracts that wait for it. After a whole state is imported the index has everything that their get-methods need to
 * know about other contracts, so that nobody is asked for it. What was detected waits no more: after an interruption it goes on.
 */
export async function detectImported(options: DetectImportedOptions): Promise<void> {
  const { db, writer, detection, signal, onDetected } = options;
  for (let after: Buffer = Buffer.alloc(0); ; ) {
    const rows = await undetectedAfter(db, after);
    const last = rows.at(-1);
    if (last === undefined) return;
    const detected = await detection.detect({
      states: rows.map(({ account, lastTransLt, timestamp, balance, codeHash, dataHash }) => ({
        account,
        lastTransLt: BigInt(lastTransLt),
        timestamp: Number(timestamp),
        balance: BigInt(balance),
        codeHash: codeHash ?? undefined,
        dataHash: dataHash ?? undefined,
        data: undefined,
        isMissing: false,
        mayHaveChangedCode: true,
      })),
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

function undetectedAfter(db: Db, after: Buffer): Promise<readonly UndetectedRow[]> {
  return readRows<UndetectedRow>(db)`
    select state.account, state.hash, state.code_hash as "codeHash", state.data_hash as "dataHash",
      state.last_trans_lt as "lastTransLt", state.timestamp, state.balance
    from missing_cells waiting join latest_account_states state using (account)
    where waiting.undetected and waiting.account > ${after}
    order by waiting.account limit ${sql.lit(BATCH_ACCOUNTS)}
  `;
}
