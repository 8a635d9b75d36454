import { hash } from 'node:crypto';
import { sql } from 'kysely';
import { MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { normalizedHash } from '../../../src/chain/tlb/message.ts';
import { type ActionRow, PARTY_COLUMNS } from '../../../src/index/action-row.ts';
import type { ListWindow } from '../../../src/index/read/lists.ts';
import { distinctBytes } from '../../../src/lib/bytes-key.ts';
import {
  createFilledTestDatabase,
  type FilledDatabase,
  readFilledTestDatabase,
  type TestDatabase,
} from '../../support/database.ts';
import { MadeChain, type MadeMessage, type MadeTransaction } from '../../support/made-chain.ts';
import {
  blockHash,
  type MadeBlock,
  type MadeSeqno,
  putOrigin,
  seqnosOf,
  storeSeqnos,
} from '../../support/store-transactions.ts';
import { putActions } from '../../support/stored-actions.ts';

const SEQNOS = 4000;
const WIDTH = 1000;
const TRANSACTIONS = 20_000;
const PER_SEQNO = TRANSACTIONS / SEQNOS;
const ACCOUNTS = 2_500;
const [FIRST_UTIME, STEP_SECONDS, STEP_LT] = [1_700_000_000, 20, 1_000_000];

/** The hash of a generated row, by name. */
export const hashOf = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Account 0 has every fifth transaction. */
export const accountOf = (number: number): Buffer => Buffer.concat([Buffer.of(0), hashOf(`a${number}`)]);

/** An account with many transactions, and one with few. */
export const [BUSY, QUIET] = [accountOf(0), accountOf(3)];

/** Spans in the middle of the index. */
export const MIDDLE_TIMES = { startUtime: 1_700_040_000n, endUtime: 1_700_049_000n };
export const MIDDLE_LTS = { startLt: 2_000_000_000n, endLt: 2_500_000_000n };

/** Those in the middle of the index, in the order of time and of hashes, which differs from that of logical time. */
export function inMiddle<T extends { readonly time: number; readonly hash: Buffer }>(
  found: readonly T[],
  sort: 'asc' | 'desc',
): T[] {
  const sorted = found
    .filter(({ time }) => time >= MIDDLE_TIMES.startUtime && time <= MIDDLE_TIMES.endUtime)
    .sort((a, b) => a.time - b.time || Buffer.compare(a.hash, b.hash));
  return sort === 'asc' ? sorted : sorted.reverse();
}

/** All transactions in the middle of the index, in whole traces. */
export const makeMiddle = (): MadeTransaction[] => makeFilled(9997, 12300);

/** Reads a list page by page to its end. */
export async function readToEnd<T>(
  read: (page: ListWindow) => Promise<{
    readonly items: readonly T[];
    readonly next: readonly string[] | undefined;
  }>,
  limit: number,
): Promise<T[]> {
  const found: T[] = [];
  for (let after: ListWindow['after']; ; ) {
    const { items, next } = await read({ limit, offset: 0, after });
    found.push(...items);
    if (next === undefined) return found;
    after = next;
  }
}

/**
 * A database that only readers share, with an index of four partitions: 20 000 transactions, three per trace, each with one
 * in message and one out message; large enough for the planner to choose as it would with billions. Some of what a
 * masterchain block commits is older than the rest, so that the order of time differs from that of logical time. There is an
 * action per transaction: half of them calls, a few of a rare type, some parts of others. Each contains all transactions of
 * its trace, so that busy accounts have many.
 */
export const openFilledIndex = (): Promise<TestDatabase> => readFilledTestDatabase(FILLED_INDEX);

/** The same in a database of its own. */
export const copyFilledIndex = (): Promise<TestDatabase> => createFilledTestDatabase(FILLED_INDEX);

export const FILLED_INDEX: FilledDatabase = {
  name: 'index',
  source: 'test/db/support/filled-index.ts',
  async fill({ url, database }) {
    const db = database.primary;
    await putOrigin(db, 0, WIDTH);
    const chain = makeFilled(1, TRANSACTIONS);
    const seqnos = seqnosOf(chain, { first: 0, last: SEQNOS - 1 });
    await storeSeqnos({ url, database }, seqnos.map(withBlocks));
    await putActions(db, actionsOf(chain));
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    await sql`vacuum analyze`.execute(db);
  },
};

const seqnoOf = (i: number) => Math.floor((i - 1) / PER_SEQNO);
/** Causes come before effects. */
const ltOf = (i: number) => BigInt(seqnoOf(i) * STEP_LT + ((i - 1) % PER_SEQNO) * 1000);
/** Up to 18 seconds before the time of the masterchain block. */
const timeOf = (i: number) =>
  FIRST_UTIME + seqnoOf(i) * STEP_SECONDS - Number(((ltOf(i) / 1000n) * 7919n) % 19n);
const isFirst = (i: number) => i % 3 === 1;
const isLast = (i: number) => i % 3 === 0;

/** Every tenth transaction is in the masterchain. */
function accountOfTransaction(i: number): Buffer {
  const account = accountOf(i % 5 === 0 ? 0 : (i * 7919) % ACCOUNTS);
  if (i % 10 === 1) account[0] = 0xff;
  return account;
}

/** Makes the transactions of some numbers, from 1, which are those of whole traces: three consecutive ones each. */
export function makeFilled(from: number, to: number): MadeTransaction[] {
  const chain = new MadeChain();
  const made: MadeTransaction[] = [];
  let received: MadeMessage | undefined;
  for (let i = from; i <= to; i++) {
    const account = accountOfTransaction(i);
    const [lt, now] = [ltOf(i), timeOf(i)];
    const body = { opcode: i % 50, bytes: Buffer.from(`b${i % 100}`) };
    // Each external message has its own body, as those of wallets have; every other one has another normalised hash.
    if (isFirst(i))
      received = chain.external({
        to: account,
        body: { opcode: i % 50, bytes: Buffer.from(`external ${i}`) },
        importFee: BigInt(i % 2),
      });
    const sent = { from: account, lt: lt + 1n, at: now, body };
    const message = isLast(i)
      ? chain.log(sent)
      : chain.internal({ ...sent, to: accountOfTransaction(i + 1) });
    made.push(
      chain.transaction({
        account,
        lt,
        now,
        mcSeqno: seqnoOf(i),
        in: received,
        out: [message],
        after: { balance: 7n },
      }),
    );
    received = message;
  }
  return made;
}

/** A transaction by its number. */
export function filledTransaction(i: number): MadeTransaction {
  const first = i - ((i - 1) % 3);
  return makeFilled(first, i).at(-1)!;
}

/** Hashes by the number of the transaction: its own, and that of the message that it sent. */
export const transactionHash = (i: number): Buffer => filledTransaction(i).hash;
export const messageHash = (i: number): Buffer => filledTransaction(i).transaction.outMessages[0]!.hash;

/** The normalised hash of the external message of every sixth transaction, from the first on. */
export function normalizedHashOf(i: number): Buffer {
  if (i % 6 !== 1) throw new Error(`Transaction ${i} has no such message`);
  return normalizedHash(filledTransaction(i).transaction.inMessage!);
}

/** The hash of the body that every hundredth transaction sends. */
export const bodyHash = (number: number): Buffer =>
  filledTransaction(number).transaction.outMessages[0]!.bodyHash;

/** The masterchain block and the blocks of three shards, with different seqnos. */
function blocksOf(mcSeqno: number): MadeBlock[] {
  const times = {
    genUtime: FIRST_UTIME + mcSeqno * STEP_SECONDS,
    startLt: BigInt(mcSeqno * STEP_LT),
    endLt: BigInt(mcSeqno * STEP_LT + STEP_LT - 1000),
  };
  return [
    { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: mcSeqno, ...times },
    ...[-3n, -1n, 1n].map((part, i) => ({
      workchain: 0,
      shard: part * 2n ** 61n,
      seqno: mcSeqno + i,
      ...times,
    })),
  ];
}

/** The actions of all whole traces. */
function actionsOf(chain: readonly MadeTransaction[]): ActionRow[] {
  const [actions, whole]: [ActionRow[], number] = [[], chain.length - (chain.length % 3)];
  for (let at = 0; at < whole; at++) {
    const trace = chain.slice(at - (at % 3), at - (at % 3) + 3);
    actions.push(actionOf(chain[at]!, at + 1, trace));
  }
  return actions;
}

function actionOf(
  { lt, transaction: { now } }: MadeTransaction,
  i: number,
  trace: MadeTransaction[],
): ActionRow {
  const last = trace.at(-1)!;
  return {
    ...NO_DETAILS,
    type: typeOf(i),
    trace_id: trace[0]!.hash,
    action_id: hashOf(`action${i}`),
    trace_mc_seqno_end: last.mcSeqno,
    trace_end_lt: `${last.lt}`,
    trace_end_utime: `${Math.max(...trace.map((one) => one.transaction.now))}`,
    ancestor_type: i % 7 === 0 ? ['evaa_supply'] : [],
    start_lt: `${lt}`,
    end_lt: `${lt + 1n}`,
    start_utime: `${now}`,
    end_utime: `${now}`,
    mc_seqno_end: last.mcSeqno,
    tx_hashes: trace.map(({ hash }) => hash),
    accounts: distinctBytes(trace.map(({ account }) => account)),
  } as unknown as ActionRow;
}

const NO_DETAILS = {
  ...Object.fromEntries(PARTY_COLUMNS.map((name) => [name, null])),
  parent_action_id: null,
  trace_external_hash: null,
  trace_external_hash_norm: null,
  success: true,
  opcode: null,
  value: null,
  amount: null,
  value_extra_currencies: null,
  data: null,
};

function typeOf(i: number): string {
  if (i % 2 === 0) return 'call_contract';
  if (i % 997 === 3) return 'tgbtc_mint';
  if (i % 11 === 0) return 'evaa_supply';
  return i % 3 === 0 ? 'jetton_transfer' : 'ton_transfer';
}

const withBlocks = (one: MadeSeqno): MadeSeqno => ({ ...one, blocks: blocksOf(one.mcSeqno) });

/** A hash of a shard block of a masterchain seqno. */
export const filledBlockHash = (kind: 'root' | 'file', mcSeqno: number): Buffer =>
  blockHash(kind, blocksOf(mcSeqno)[2]!);

const sha256 = (expression: string) => `sha256((${expression})::bytea)`;

const STATEMENTS = [
  'delete from unclassified_traces',
  `insert into latest_account_states
   select '\\x00'::bytea || ${sha256(`'a' || i`)}, ${sha256(`'s' || i`)}, 'active', i * 1000 % 9999, null,
          ${sha256(`'c' || i % 200`)}, ${sha256(`'d' || i`)}, null, 1, '', 1, 1
   from generate_series(0, 15000) i`,
  `insert into account_data select account, data_hash, '\\x00' from latest_account_states`,
  `insert into contract_codes select distinct code_hash, '\\x00'::bytea from latest_account_states`,
];
