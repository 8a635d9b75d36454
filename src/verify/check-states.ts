import { sql } from 'kysely';
import { CONTRACT_TABLES } from '../db/tables/contract-tables.ts';
import type { Db } from '../db/tables/tables.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import { type ChainState, readChainState } from './chain-block.ts';
import { accountAt, type SeqnoContext } from './check-context.ts';
import { entries, hashInside, rootOf } from './core-readers.ts';
import { type Findings, type Row, rowsByKey } from './differences.ts';
import { extraColumn, type PlacedTransaction, stateAfter } from './expected-rows.ts';

const ACCOUNTS_AT_ONCE = 8;
const AT_HEAD = 'latest_account_states';

/** Compares the newest states of accounts whose last transaction is in the seqno, their contracts, and stored earlier states. */
export async function checkStates(context: SeqnoContext): Promise<void> {
  await checkEarlier(context);
  const { db, findings, mcSeqno, placed } = context;
  const last = placed.filter(({ isLast }) => isLast);
  // Ordered by lt: the later block of an account counts.
  const byAccount = new Map(last.map((one) => [one.account.toString('hex'), one]));
  if (byAccount.size === 0) return;
  const accounts = [...byAccount.values()].map(({ account }) => account);
  const stored = rowsByKey(await readLatest(db, accounts), ['account']);
  const newest = new Map<string, Row>();
  const atHead: (readonly [PlacedTransaction, Row])[] = [];
  for (const [key, one] of byAccount) {
    const row = stored.get(key);
    if (row !== undefined && Number(row.mc_seqno) > mcSeqno) continue;
    const state = stateAfter(one);
    const expected = { ...latestRow(mcSeqno, one), ...(state && stateRow(state)) };
    findings.compareRow('latest_account_states', key, expected, row);
    if (row !== undefined) {
      newest.set(key, row);
      checkCells(findings, key, row);
      atHead.push([one, row]);
    }
  }
  await mapInOrder(atHead, ACCOUNTS_AT_ONCE, ([one, row]) => checkAtHead(context, one, row));
  await checkContracts(context, newest);
}

/** Reads the newest states with code and data, one table after the other: on a cluster they cannot be joined. */
async function readLatest(db: Db, accounts: readonly Buffer[]): Promise<Row[]> {
  const { rows: missing } = await sql<{ account: Buffer }>`
    select account from missing_cells where account = any(${accounts}::bytea[])`.execute(db);
  const { rows } = await sql<Row & { account: Buffer; code_hash: Buffer | null }>`
    select s.*, d.hash as kept_hash, d.boc as data
    from latest_account_states s left join account_data d on d.account = s.account
    where s.account = any(${accounts}::bytea[])`.execute(db);
  const { rows: codes } = await sql<Row & { hash: Buffer }>`
    select hash, boc as code, methods from contract_codes
    where hash = any(${rows.flatMap(({ code_hash }) => code_hash ?? [])}::bytea[])`.execute(db);
  const codeOf = new Map(codes.map(({ hash, code, methods }) => [hash.toString('hex'), { code, methods }]));
  const isMissing = new Set(missing.map(({ account }) => account.toString('hex')));
  const none = { code: null, methods: null };
  return rows.map((row) => ({
    ...row,
    ...((row.code_hash && codeOf.get(row.code_hash.toString('hex'))) ?? none),
    is_missing: isMissing.has(row.account.toString('hex')),
  }));
}

function latestRow(mcSeqno: number, { transaction, block }: PlacedTransaction): Row {
  return {
    hash: transaction.stateAfter,
    last_trans_lt: transaction.lt,
    last_trans_hash: transaction.hash,
    status: transaction.endStatus,
    timestamp: block.genUtime,
    mc_seqno: mcSeqno,
  };
}

function stateRow(state: ChainState): Row {
  return {
    hash: state.hash,
    status: state.status,
    balance: state.balance.grams,
    ...extraColumn(state.balance),
    code_hash: state.codeHash,
    data_hash: state.dataHash,
    frozen_hash: state.frozenHash,
  };
}

/** Checks that code and data are stored with the hashes of the state, or listed as missing. */
function checkCells(findings: Findings, key: string, row: Row): void {
  const isMissing = row.is_missing === true;
  if (row.code_hash !== null && !(isMissing && row.code === null)) {
    const stored = Buffer.isBuffer(row.code)
      ? { boc: hashInside(row.code), methods: row.methods }
      : undefined;
    const methods = Buffer.isBuffer(row.code) ? methodsOf(row.code) : null;
    findings.compareRow('contract_codes', key, { boc: row.code_hash, methods }, stored);
  }
  const isKept = Buffer.isBuffer(row.data);
  if (row.data_hash === null && isKept) findings.addSurplus('account_data', key);
  if (row.data_hash === null || (isMissing && String(row.kept_hash) !== String(row.data_hash))) return;
  const stored = isKept ? { hash: row.kept_hash, boc: hashInside(row.data as Buffer) } : undefined;
  findings.compareRow('account_data', key, { hash: row.data_hash, boc: row.data_hash }, stored);
}

/** The method ids of a code that starts with SETCP0 and a dictionary; null for others. */
function methodsOf(boc: Buffer): number[] | null {
  try {
    const slice = rootOf(boc).beginParse();
    if (slice.loadUint(16) !== 0xff00 || slice.loadUint(14) !== 0b11110100101001) return null;
    const bits = slice.loadUint(10);
    const methods = entries(slice.loadRef(), bits, () => true).map(([method]) => Number(method));
    return methods.sort((a, b) => a - b);
  } catch {
    return null;
  }
}

/** Compares with a lite server at the last indexed block: this finds accounts whose later transactions are missing. */
async function checkAtHead(context: SeqnoContext, { account }: PlacedTransaction, row: Row) {
  const { findings, last } = context;
  const reason = `the states of masterchain block ${last.seqno} are not to be had`;
  const state = await accountAt(context, last, account, reason);
  if (state === 'missing') return;
  // A deleted account has no state and no visible last transaction.
  const expected =
    state === undefined
      ? { status: 'nonexist' }
      : {
          ...stateRow(readChainState(state.cell)),
          last_trans_lt: state.lastTransLt,
          last_trans_hash: state.lastTransHash,
        };
  findings.compareRow(AT_HEAD, account.toString('hex'), expected, row);
}

/** Compares stored states from before the index, where the block shows them. */
async function checkEarlier({ db, findings, placed }: SeqnoContext): Promise<void> {
  const shown = placed.flatMap(({ account, block, transaction, isFirst }) => {
    const state = isFirst ? block.before.get(transaction.address.toString('hex')) : undefined;
    return state === undefined ? [] : [{ account, state }];
  });
  if (shown.length === 0) return;
  const { rows } = await sql<Row>`
    select s.* from unnest(${shown.map(({ account }) => account)}::bytea[],
      ${shown.map(({ state }) => state.hash)}::bytea[]) as page (account, hash)
    join account_states s using (account, hash)`.execute(db);
  const expected = rowsByKey(
    shown.map(({ account, state }) => ({ account, ...stateRow(state) })),
    ['account', 'hash'],
  );
  for (const [key, row] of rowsByKey(rows, ['account', 'hash']))
    findings.compareRow('account_states', key, expected.get(key)!, row);
}

/**
 * Finds contracts whose code or data is not that of the newest state: a detection that was not repeated, or an account that
 * was destroyed. Whether other columns are right only get-methods can tell. `states` are the newest states by hex account.
 */
async function checkContracts(
  { db, findings }: SeqnoContext,
  states: ReadonlyMap<string, Row>,
): Promise<void> {
  const accounts = [...states.keys()].map((key) => Buffer.from(key, 'hex'));
  for (const row of await readContracts(db, accounts)) {
    const key = row.account.toString('hex');
    const { code_hash, data_hash, is_missing } = states.get(key)!;
    if (is_missing === true) continue;
    if (code_hash === null) findings.addSurplus(row.table, key);
    else findings.compareRow(row.table, key, { code_hash, data_hash }, row);
  }
}

type ContractRow = Row & { readonly table: string; readonly account: Buffer };

async function readContracts(db: Db, accounts: readonly Buffer[]): Promise<ContractRow[]> {
  if (accounts.length === 0) return [];
  const parts = CONTRACT_TABLES.map(
    (table) => sql`
      select ${sql.lit(table)} as "table", account, code_hash, data_hash from ${sql.table(table)}
      where account = any(${accounts}::bytea[])`,
  );
  const { rows } = await sql<ContractRow>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
