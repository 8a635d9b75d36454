import { sql } from 'kysely';
import { expect } from 'vitest';
import { type BlockId, MASTERCHAIN } from '../../../src/chain/block-id.ts';
import { CONTRACT_TABLES } from '../../../src/db/contract-tables.ts';
import type { LitePool } from '../../../src/lite/pool.ts';
import type { TestDatabase } from '../../support/database.ts';
import { AskedChain } from './asked-chain.ts';
import { ASKED, askZone } from './asked-contract.ts';
import { type AskedEvent, eventsOfBlock } from './asked-events.ts';
import { metadataOf } from './asked-metadata.ts';
import { accountHex, addressOf, type PlainRow, plainRow } from './plain-row.ts';

const AT_ONCE = 16;
const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'] as const;
const TOKEN_TABLES = ['jetton_masters', 'nft_collections', 'nft_items'] as const;

/** Rows by table. */
type Rows = Record<string, PlainRow[]>;

/**
 * Compares all that the index says of contracts with what they say themselves at the block of their last transaction,
 * and the events with the transactions of the chain. Gives how many rows each table has.
 */
export async function compareContracts(
  { database }: Pick<TestDatabase, 'database'>,
  pool: LitePool,
): Promise<Record<string, number>> {
  const db = database.primary;
  const chain = new AskedChain(pool);
  const blocks = await readBlocks(db);
  const masterchain = new Map(
    blocks.filter(({ id }) => id.workchain === MASTERCHAIN).map(({ id }) => [id.seqno, id]),
  );
  const head = [...masterchain.values()].reduce((a, b) => (a.seqno > b.seqno ? a : b));
  const zone = await askZone(chain, head);
  const expected: Rows = Object.fromEntries(CONTRACT_TABLES.map((table) => [table, []]));
  await inTurns(await readStates(db), async ({ account, lt, mcSeqno, codeHash, dataHash }) => {
    const at = masterchain.get(mcSeqno ?? head.seqno)!;
    for (const [table, ask] of Object.entries(ASKED)) {
      const columns = await ask({ chain, at, address: addressOf(account), zone });
      const state = { account, last_transaction_lt: lt, code_hash: codeHash, data_hash: dataHash };
      if (columns !== undefined) expected[table]!.push(plainRow({ ...state, ...columns }));
    }
  });
  const events: AskedEvent[] = [];
  await inTurns(blocks, async ({ id, mcSeqno }) => {
    events.push(...eventsOfBlock(await chain.block(id), mcSeqno, id));
  });
  const known = eventRows(events, expected);
  const counts: Record<string, number> = {};
  for (const table of [...CONTRACT_TABLES, ...EVENT_TABLES]) {
    const found = (await readRows(db, table)).map(({ id: _, ...row }) => row);
    const wanted = expected[table] ?? known.rows[table] ?? [];
    expect({ table, rows: sorted(found) }).toEqual({ table, rows: sorted(wanted) });
    counts[table] = found.length;
  }
  await compareMetadata(db, expected);
  await compareTransactions(db, known.hashes);
  return counts;
}

type Db = TestDatabase['database']['primary'];

/** What the tokens say beside: whose they are. */
function eventRows(events: readonly AskedEvent[], contracts: Rows): { rows: Rows; hashes: Set<string> } {
  const wallets = new Map(contracts.jetton_wallets!.map((row) => [row.account, { jetton: row.jetton }]));
  const items = new Map(
    contracts.nft_items!.map(({ account, collection, index }) => [account, { collection, index }]),
  );
  const rows: Rows = { jetton_transfers: [], jetton_burns: [], nft_transfers: [] };
  const hashes = new Set<string>();
  for (const { table, account, hash, columns } of events) {
    const token = (table === 'nft_transfers' ? items : wallets).get(accountHex(account));
    if (token === undefined) continue;
    rows[table]!.push({ ...plainRow(columns), ...token });
    hashes.add(hash.toString('hex'));
  }
  return { rows, hashes };
}

async function compareMetadata(db: Db, contracts: Rows): Promise<void> {
  const wanted = TOKEN_TABLES.flatMap((kind) => contracts[kind]!.map((row) => metadataOf(kind, row)));
  const found = (await readRows(db, 'token_metadata')).map(
    ({ source_hash, next_try, priority: _, ...row }) => {
      expect(source_hash).toHaveLength(64);
      return { ...row, isDue: next_try !== null };
    },
  );
  expect(sorted(found)).toEqual(sorted(wanted));
}

/** Each event has its transaction, which knows its trace. */
async function compareTransactions(db: Db, hashes: ReadonlySet<string>): Promise<void> {
  const found: string[] = [];
  for (const table of EVENT_TABLES) {
    const { rows } = await sql<{ hash: Buffer | null; trace: Buffer | null }>`
      select t.hash, r.trace_id as trace from ${sql.table(table)} e
      left join transactions t on (t.account, t.lt, t.mc_seqno) = (e.account, e.lt, e.mc_seqno)
      left join traces r on r.trace_id = t.trace_id
    `.execute(db);
    for (const { hash, trace } of rows) {
      expect(trace).not.toBeNull();
      found.push(hash!.toString('hex'));
    }
  }
  expect(found.sort()).toEqual([...hashes].sort());
}

async function readRows(db: Db, table: string): Promise<PlainRow[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(db);
  return rows.map(plainRow);
}

interface KeptState {
  readonly account: Buffer;
  readonly lt: string;
  /** Null for accounts of the beginning that had no transaction. */
  readonly mcSeqno: number | null;
  readonly codeHash: Buffer;
  readonly dataHash: Buffer;
}

async function readStates(db: Db): Promise<KeptState[]> {
  const { rows } = await sql<KeptState>`
    select s.account, s.last_trans_lt as lt, t.mc_seqno as "mcSeqno", s.code_hash as "codeHash",
      s.data_hash as "dataHash"
    from latest_account_states s left join transactions t on t.account = s.account and t.lt = s.last_trans_lt
    where s.code_hash is not null and s.data_hash is not null
  `.execute(db);
  return rows;
}

async function readBlocks(db: Db): Promise<{ readonly id: BlockId; readonly mcSeqno: number }[]> {
  const rows = await db
    .selectFrom('blocks')
    .select(['mc_seqno', 'workchain', 'shard', 'seqno', 'root_hash', 'file_hash'])
    .execute();
  return rows.map(({ mc_seqno, workchain, shard, seqno, root_hash, file_hash }) => ({
    id: { workchain, shard: BigInt(shard), seqno, rootHash: root_hash, fileHash: file_hash },
    mcSeqno: mc_seqno,
  }));
}

async function inTurns<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

function sorted(rows: readonly PlainRow[]): PlainRow[] {
  const key = ({ account, lt, kind }: PlainRow) => `${account} ${String(lt).padStart(20, '0')} ${kind}`;
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}
