import type { Cell } from '@ton/core';
import { sql } from 'kysely';
import { type ChainBlock, type ChainTransaction, readActiveState } from './chain-block.ts';
import { accountAt, type SeqnoContext } from './check-context.ts';
import { accountBytes, bytesOf, entries, readBytes } from './core-readers.ts';
import { describeRow, type Row } from './differences.ts';
import type { PlacedTransaction } from './expected-rows.ts';

const NOMINATORS = 'nominator_pool_events';
const VALIDATORS = 'pool_validator_events';

/** Code hashes of nominator pools: the public contract, and that of the local chain. */
const POOL_CODES: ReadonlySet<string> = new Set([
  '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf',
  '19f49c147f8c120178c4228367e3050c3651b9e6c19609315abff70f9c7ee75a',
]);
/** One with more is not indexed as a pool. */
const MAX_NOMINATORS = 1000;

interface PoolSeqno {
  readonly account: Buffer;
  /** In the order of logical time. */
  readonly transactions: readonly ChainTransaction[];
}

/**
 * Compares the events of nominator pools in a seqno. Events of an account must lead from what the pool kept for it before
 * the seqno to what it keeps afterwards, each beginning where the one before ends.
 */
export async function checkPools(context: SeqnoContext): Promise<void> {
  const { db, findings, mcSeqno, masterchain, placed } = context;
  const pools = poolsOf(placed);
  const rowsIn = async (table: string) =>
    (await sql<Row>`select * from ${sql.table(table)} where mc_seqno = ${mcSeqno}`.execute(db)).rows;
  const byPool = async (table: string) => Map.groupBy(await rowsIn(table), ({ pool }) => hexOf(pool));
  const waiting = new Set((await rowsIn('waiting_pools')).map(({ account }) => hexOf(account)));
  const [nominators, validators] = [await byPool(NOMINATORS), await byPool(VALIDATORS)];
  for (const [table, ofPools] of [[NOMINATORS, nominators] as const, [VALIDATORS, validators] as const])
    for (const [pool, rows] of ofPools)
      if (!pools.has(pool)) for (const row of rows) findings.addSurplus(table, describeRow(row));
  for (const key of waiting) if (!pools.has(key)) findings.addSurplus('waiting_pools', `${key} ${mcSeqno}`);
  for (const [key, pool] of pools) {
    if (waiting.has(key)) {
      findings.skip('events of nominator pools wait for states');
      continue;
    }
    const states = await readStates(context, masterchain, pool);
    if (states === undefined) continue;
    const [own, ofValidator] = [nominators.get(key) ?? [], validators.get(key) ?? []];
    const { before, after } = states;
    if (after === undefined) {
      for (const row of own) findings.addSurplus(NOMINATORS, describeRow(row));
      for (const row of ofValidator) findings.addSurplus(VALIDATORS, describeRow(row));
      continue;
    }
    checkNominators(context, pool, { before, after }, own);
    checkValidator(context, pool, { before, after }, ofValidator);
  }
}

/** The accounts that are pools after a seqno that changed them, by hex. */
function poolsOf(placed: readonly PlacedTransaction[]): Map<string, PoolSeqno> {
  const pools = new Map<string, PoolSeqno>();
  // Ordered by lt: the later block of an account counts.
  for (const [key, own] of Map.groupBy(placed, ({ account }) => hexOf(account))) {
    const { account, block, transaction } = own.at(-1)!;
    const code = block.after.get(transaction.address.toString('hex'))?.codeHash;
    if (code && POOL_CODES.has(code.toString('hex')))
      pools.set(key, { account, transactions: own.map((one) => one.transaction) });
  }
  return pools;
}

interface PoolData {
  readonly validatorAmount: bigint;
  readonly validator: Buffer;
  readonly share: number;
  /** Balance and pending deposit by hex account. */
  readonly nominators: ReadonlyMap<string, readonly [bigint, bigint]>;
  readonly requests: ReadonlySet<string>;
  readonly stakeAt: number;
}

interface PoolStates {
  /** Undefined if it was no pool. */
  readonly before: PoolData | undefined;
  readonly after: PoolData;
}

/** The same, where the data afterwards may not be that of a pool. */
type FoundStates = Pick<PoolStates, 'before'> & { readonly after: PoolData | undefined };

/** The states of a pool around a seqno; undefined if lite servers do not have them any more. */
async function readStates(
  context: SeqnoContext,
  { id, previous }: ChainBlock,
  { account }: PoolSeqno,
): Promise<FoundStates | undefined> {
  const reason = 'old states of nominator pools are not to be had';
  const before = await accountAt(context, previous[0]!, account, reason);
  const after = before === 'missing' ? before : await accountAt(context, id, account, reason);
  if (before === 'missing' || after === 'missing') return undefined;
  return { before: before && poolIn(before.cell), after: after && poolIn(after.cell) };
}

function poolIn(account: Cell): PoolData | undefined {
  const { code, data } = readActiveState(account) ?? {};
  if (!code || !data || !POOL_CODES.has(code.hash().toString('hex'))) return undefined;
  try {
    const pool = readData(data);
    return Math.max(pool.nominators.size, pool.requests.size) > MAX_NOMINATORS ? undefined : pool;
  } catch {
    return undefined;
  }
}

function readData(data: Cell): PoolData {
  const slice = data.beginParse();
  slice.skip(8 + 16);
  slice.loadCoins();
  const validatorAmount = slice.loadCoins();
  const config = slice.loadRef().beginParse();
  const nominators = entries(slice.loadMaybeRef(), 256, (value): readonly [bigint, bigint] => [
    value.loadCoins(),
    value.loadCoins(),
  ]);
  const requests = entries(slice.loadMaybeRef(), 256, () => true);
  const hex = (key: bigint) => hexOf(accountBytes(0, bytesOf(key)));
  return {
    validatorAmount,
    validator: accountBytes(-1, readBytes(config)),
    share: config.loadUint(16),
    nominators: new Map(nominators.map(([key, value]) => [hex(key), value])),
    requests: new Set(requests.map(([key]) => hex(key))),
    stakeAt: slice.loadUint(32),
  };
}

const NO_BALANCES = [0n, 0n] as const;

function checkNominators(
  { findings }: SeqnoContext,
  { account, transactions }: PoolSeqno,
  { before, after }: PoolStates,
  rows: readonly Row[],
): void {
  const balances = new Map(before?.nominators);
  const requests = new Set(before?.requests);
  const seen = new Map<string, number>();
  for (const row of inOrder(rows)) {
    const key = `${hexOf(account)} ${row.lt} ${row.event_index}`;
    const transaction = transactions.find(({ lt }) => lt === BigInt(row.lt as string));
    if (transaction === undefined) {
      findings.addSurplus(NOMINATORS, key);
      continue;
    }
    const nominator = hexOf(row.nominator);
    const [balance, pending] = balances.get(nominator) ?? NO_BALANCES;
    const to = [BigInt(row.balance_after as string), BigInt(row.pending_after as string)] as const;
    const index = seen.get(String(row.lt)) ?? 0;
    const expected = {
      event_index: index,
      tx_hash: transaction.hash,
      utime: transaction.now,
      balance_before: balance,
      pending_before: pending,
      withdraw_before: requests.has(nominator),
      ...kindOf(isReturn(transaction), to[0] - balance, to[1] - pending),
    };
    findings.compareRow(NOMINATORS, key, expected, row);
    seen.set(String(row.lt), index + 1);
    balances.set(nominator, to);
    if (row.withdraw_after === true) requests.add(nominator);
    else requests.delete(nominator);
  }
  const table = NOMINATORS;
  for (const nominator of new Set([...balances.keys(), ...after.nominators.keys()])) {
    const [have, want] = [balances, after.nominators].map((map) =>
      (map.get(nominator) ?? NO_BALANCES).join(' + '),
    );
    const key = `${hexOf(account)} ${nominator}`;
    if (have !== want) findings.add({ table, key, column: 'balance_after', expected: want, found: have });
  }
  for (const nominator of after.requests)
    if (!requests.has(nominator))
      findings.add({
        table,
        key: `${hexOf(account)} ${nominator}`,
        column: 'withdraw_after',
        expected: 'true',
        found: 'false',
      });
}

/** What a change must be called, and its amount. */
function kindOf(isReturned: boolean, balance: bigint, pending: bigint): Row {
  if (isReturned) return { type: pending < 0n ? 'pending_deposit_activation' : 'reward', amount: balance };
  const sum = balance + pending;
  if (sum === 0n) return { type: 'withdrawal_request', amount: 0n, withdraw_after: true };
  return sum > 0n ? { type: 'deposit', amount: sum } : { type: 'withdrawal', amount: -sum };
}

function checkValidator(
  { findings }: SeqnoContext,
  { account, transactions }: PoolSeqno,
  { before, after }: PoolStates,
  rows: readonly Row[],
): void {
  const { validator, share } = before ?? after;
  let amount = before?.validatorAmount ?? 0n;
  for (const row of inOrder(rows)) {
    const key = `${hexOf(account)} ${row.lt}`;
    const transaction = transactions.find(({ lt }) => lt === BigInt(row.lt as string));
    if (transaction === undefined) {
      findings.addSurplus(VALIDATORS, key);
      continue;
    }
    const to = BigInt(row.balance_after as string);
    const { opcode, queryId } = headOf(transaction);
    const isReturned = isReturn(transaction);
    const byOpcode = opcode === 4 ? 'deposit' : opcode === 5 ? 'withdrawal' : null;
    // Between the transactions of a seqno it is not known.
    const stakeAt = transactions.length === 1 ? { cycle_start: before?.stakeAt || null } : {};
    findings.compareRow(
      VALIDATORS,
      key,
      {
        validator,
        validator_reward_share: share,
        tx_hash: transaction.hash,
        utime: transaction.now,
        balance_before: amount,
        query_id: queryId,
        type: isReturned ? (to > amount ? 'reward' : 'penalty') : byOpcode,
        ...(isReturned ? stakeAt : { cycle_start: null }),
      },
      row,
    );
    amount = to;
  }
  // One that was deployed with an amount has no event of it.
  if (before !== undefined && amount !== after.validatorAmount)
    findings.add({
      table: VALIDATORS,
      key: hexOf(account),
      column: 'balance_after',
      expected: String(after.validatorAmount),
      found: String(amount),
    });
}

/** What the body of the incoming message begins with. */
function headOf({ inMessage }: ChainTransaction): { opcode: number | null; queryId: bigint | null } {
  if (inMessage?.kind !== 'internal' || inMessage.body.isExotic) return { opcode: null, queryId: null };
  const slice = inMessage.body.beginParse();
  const opcode = slice.remainingBits < 32 ? null : slice.loadUint(32);
  return { opcode, queryId: slice.remainingBits < 64 || opcode === null ? null : slice.loadUintBig(64) };
}

const ELECTOR = accountBytes(-1, Buffer.alloc(32, 0x33));

/** Whether the elector returned the stake. A pool that fails to take it has no events. */
function isReturn(transaction: ChainTransaction): boolean {
  return headOf(transaction).opcode === 0xf96f7324 && transaction.inMessage?.source?.equals(ELECTOR) === true;
}

function inOrder(rows: readonly Row[]): Row[] {
  const numberOf = ({ lt, event_index: index = 0 }: Row) => [BigInt(lt as string), Number(index)] as const;
  return [...rows].sort((a, b) => {
    const [[lt, index], [otherLt, otherIndex]] = [numberOf(a), numberOf(b)];
    return lt === otherLt ? index - otherIndex : lt < otherLt ? -1 : 1;
  });
}

function hexOf(bytes: unknown): string {
  return (bytes as Buffer).toString('hex');
}
