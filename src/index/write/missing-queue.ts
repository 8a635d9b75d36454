import { sql } from 'kysely';
import { readRows } from '../../db/driver.ts';
import { createQueue } from '../../db/queue.ts';
import type { Db } from '../../db/tables/tables.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import { readKnownCodes } from '../read/accounts.ts';

/** An account with its newest state. */
export interface NewestState {
  readonly account: Buffer;
  readonly hash: Buffer;
  readonly lastTransLt: string;
  readonly timestamp: string;
  readonly balance: string;
  readonly codeHash: Buffer | null;
  readonly dataHash: Buffer | null;
}

/** An account whose code or data must be fetched. */
export interface MissingRow extends NewestState {
  readonly tries: number;
  /** Whether anything is still missing, or the contract is not detected yet. */
  readonly isOpen: boolean;
  /** The history of the index when it was taken: contracts were detected beside others of that history. */
  readonly historyId: string;
}

/** Accounts whose code or data blocks left out. */
export const MISSING_QUEUE = createQueue({
  table: 'missing_cells',
  key: ['account'],
  leaseSeconds: 20,
  pauseSeconds: [5, 3600],
});

/** Takes due accounts and reserves them for the lease. */
export async function takeMissing(db: Db, max: number): Promise<MissingRow[]> {
  // Before their states: if blocks are taken back meanwhile, nothing is written.
  const history = await db.selectFrom('index_origin').select('history_id').executeTakeFirst();
  const taken = await MISSING_QUEUE.take(db, (queue) =>
    MISSING_QUEUE.due(queue).orderBy('next_try').limit(max),
  );
  const states = await readStates(
    db,
    taken.map(({ account }) => account),
  );
  const codes = await readKnownCodes(
    db,
    [...states.values()].flatMap(({ codeHash }) => codeHash ?? []),
  );
  const knownCodes = new Set(codes.map(bytesKey));
  return taken.flatMap(({ account, tries, undetected }) => {
    const state = states.get(bytesKey(account));
    if (history === undefined || state === undefined) return [];
    const { hasData, ...known } = state;
    const hasCode = known.codeHash === null || knownCodes.has(bytesKey(known.codeHash));
    // Extra currencies that a block left out cannot be told from none, so every account is fetched once.
    const isOpen = undetected || tries === 0 || !hasCode || !hasData;
    return [{ ...known, tries, historyId: history.history_id, isOpen }];
  });
}

const NEWEST_STATE = sql`state.account, state.hash, state.code_hash as "codeHash", state.data_hash as "dataHash",
  state.last_trans_lt as "lastTransLt", state.timestamp, state.balance`;

interface StateRow extends NewestState {
  /** Whether the index has the data of the state, or there is none. */
  readonly hasData: boolean;
}

async function readStates(db: Db, accounts: readonly Buffer[]) {
  const rows = await readRows<StateRow>(db)`
    select ${NEWEST_STATE},
      state.data_hash is null or data.hash is not distinct from state.data_hash as "hasData"
    from latest_account_states state left join account_data data using (account)
    where state.account = any(${accounts}::bytea[])
  `;
  return new Map(rows.map((row) => [bytesKey(row.account), row]));
}

/** The accounts behind one whose contracts are not detected yet, whoever has them reserved. */
export function listUndetected(
  db: Db,
  { after, max }: { readonly after: Buffer; readonly max: number },
): Promise<readonly NewestState[]> {
  return readRows<NewestState>(db)`
    select ${NEWEST_STATE} from missing_cells waiting join latest_account_states state using (account)
    where waiting.undetected and waiting.account > ${after}
    order by waiting.account limit ${sql.lit(max)}
  `;
}

/** A new transaction of the account resets tries and time, perhaps while this waits for it; that takes precedence. */
const IS_OURS = sql<boolean>`next_try > clock_timestamp()`;

/** Retries an account later, with back-off. */
export function postponeMissing(db: Db, row: MissingRow): Promise<void> {
  return MISSING_QUEUE.postpone(db, row, IS_OURS);
}
