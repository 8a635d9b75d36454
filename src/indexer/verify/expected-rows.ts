import type { Cell, Slice } from '@ton/core';
import type { ChainBlock, ChainMessage, ChainState, ChainTransaction } from './chain-block.ts';
import type { ChainSeqno } from './chain-seqno.ts';
import { type Amount, accountBytes, readAmount, readBytes } from './core-readers.ts';
import type { Row } from './differences.ts';

/** Global version from which messages carry flags in place of the IHR fee. */
export const FLAGS_FROM_VERSION = 12;

/** A transaction with its position, for all comparisons. */
export interface PlacedTransaction {
  readonly account: Buffer;
  readonly block: ChainBlock;
  readonly transaction: ChainTransaction;
  /** Whether it is the first or the last of its account in the block. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** All transactions of a seqno in the order of trace assembly. */
export function placedTransactions({ blocks }: ChainSeqno): PlacedTransaction[] {
  const placed = blocks.flatMap((block) =>
    block.transactions.map((transaction, i) => ({
      account: accountBytes(block.id.workchain, transaction.address),
      block,
      transaction,
      isFirst: !block.transactions[i - 1]?.address.equals(transaction.address),
      isLast: !block.transactions[i + 1]?.address.equals(transaction.address),
    })),
  );
  return placed.sort(
    (a, b) =>
      Number(a.transaction.lt - b.transaction.lt) ||
      a.block.id.workchain - b.block.id.workchain ||
      a.transaction.address.compare(b.transaction.address),
  );
}

/** The state of the account after a transaction, if the block shows it. */
export function stateAfter({ block, transaction, isLast }: PlacedTransaction): ChainState | undefined {
  if (!isLast) return undefined;
  return block.after.get(transaction.address.toString('hex'));
}

/** The row of a block. */
export function blockRow(mcSeqno: number, { id, columns }: ChainBlock): Row {
  const { workchain, shard, seqno, rootHash, fileHash } = id;
  return { mc_seqno: mcSeqno, workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash, ...columns };
}

/** The row of the newest blocks at a masterchain block. */
export function shardStateRow({ mcSeqno, masterchain }: ChainSeqno): Row {
  const tops = masterchain.tops.filter(({ seqno }) => seqno > 0);
  const all = [masterchain.id, ...tops].sort(
    (a, b) => a.workchain - b.workchain || (a.shard < b.shard ? -1 : a.shard > b.shard ? 1 : 0),
  );
  return {
    mc_seqno: mcSeqno,
    workchains: all.map(({ workchain }) => workchain),
    shards: all.map(({ shard }) => shard),
    seqnos: all.map(({ seqno }) => seqno),
  };
}

/** The row of a transaction, without its trace id. */
export function transactionRow(mcSeqno: number, placed: PlacedTransaction): Row {
  const { account, block, transaction: tx } = placed;
  const after = stateAfter(placed);
  const shown = after?.status === 'nonexist' ? undefined : after;
  return {
    account,
    lt: tx.lt,
    hash: tx.hash,
    mc_seqno: mcSeqno,
    block_shard: block.id.shard,
    block_seqno: block.id.seqno,
    prev_hash: tx.prevHash,
    prev_lt: tx.prevLt,
    now: tx.now,
    orig_status: tx.origStatus,
    end_status: tx.endStatus,
    total_fees: tx.totalFees.grams,
    total_fees_extra: tx.totalFees.extra,
    state_hash_before: tx.stateBefore,
    state_hash_after: tx.stateAfter,
    balance: shown?.balance.grams,
    ...extraColumn(shown?.balance),
    code_hash: shown?.codeHash,
    data_hash: shown?.dataHash,
    frozen_hash: shown?.frozenHash,
    ...expectedDescription(tx.description),
  };
}

/** The extra currencies of an account, if the block shows them. */
export function extraColumn(balance: Amount | undefined): Row {
  if (balance === undefined) return { balance_extra: null };
  return balance.extra === undefined ? {} : { balance_extra: balance.extra };
}

/** The rows of the messages of a transaction: the in message, then the out messages. */
export function messageRows(mcSeqno: number, globalVersion: number, placed: PlacedTransaction): Row[] {
  const { inMessage, outMessages } = placed.transaction;
  const rows = outMessages.map((message, i) => messageRow(mcSeqno, globalVersion, placed, message, i + 1));
  return inMessage === undefined ? rows : [messageRow(mcSeqno, globalVersion, placed, inMessage, 0), ...rows];
}

function messageRow(
  mcSeqno: number,
  globalVersion: number,
  { account, transaction }: PlacedTransaction,
  message: ChainMessage,
  ordinal: number,
): Row {
  const { flags, value, feeOrFlags, normalHash, hash } = message;
  const hasFlags = globalVersion >= FLAGS_FROM_VERSION;
  const body = message.body.beginParse();
  return {
    account,
    tx_lt: transaction.lt,
    ordinal,
    mc_seqno: mcSeqno,
    hash,
    hash_norm: ordinal === 0 && normalHash !== undefined && !normalHash.equals(hash) ? normalHash : null,
    peer: ordinal === 0 ? message.source : message.destination,
    lt: message.createdLt ?? transaction.lt,
    created_at: message.createdAt,
    value: value?.grams,
    value_extra: value?.extra,
    fwd_fee: message.fwdFee,
    ihr_fee: feeOrFlags === undefined ? null : hasFlags ? 0 : feeOrFlags,
    extra_flags: hasFlags ? feeOrFlags : null,
    import_fee: message.importFee,
    opcode: body.remainingBits >= 32 ? body.loadInt(32) : null,
    ihr_disabled: flags?.ihrDisabled,
    bounce: flags?.bounce,
    bounced: flags?.bounced,
    body_hash: message.body.hash(),
    init_hash: message.init?.hash(),
  };
}

/**
 * Not read with @ton/core, which supports neither merges nor suspended accounts. Each function reads one type and returns
 * its columns; absent parts are null in the row.
 */
type Read = (slice: Slice) => Row;

const STORAGE = ['storage_fees_collected', 'storage_fees_due', 'storage_status_change'];
const CREDIT = ['credit_due_fees_collected', 'credit', 'credit_extra'];
const COMPUTE = [
  'skipped',
  'skip_reason',
  'success',
  'msg_state_used',
  'account_activated',
  'gas_fees',
  'gas_used',
  'gas_limit',
  'gas_credit',
  'mode',
  'exit_code',
  'exit_arg',
  'vm_steps',
  'vm_init_state_hash',
  'vm_final_state_hash',
].map((name) => `compute_${name}`);
const ACTION = [
  'success',
  'valid',
  'no_funds',
  'status_change',
  'total_fwd_fees',
  'total_action_fees',
  'result_code',
  'result_arg',
  'tot_actions',
  'spec_actions',
  'skipped_actions',
  'msgs_created',
  'list_hash',
  'tot_msg_size_cells',
  'tot_msg_size_bits',
].map((name) => `action_${name}`);
const BOUNCE = ['msg_size_cells', 'msg_size_bits', 'req_fwd_fees', 'msg_fees', 'fwd_fees'].map(
  (name) => `bounce_${name}`,
);
const SPLIT = ['cur_shard_pfx_len', 'acc_split_depth', 'this_addr', 'sibling_addr'].map(
  (name) => `split_${name}`,
);

const NOTHING: Row = Object.fromEntries(
  [
    'aborted',
    'destroyed',
    'credit_first',
    'is_tock',
    'installed',
    'bounce',
    ...STORAGE,
    ...CREDIT,
    ...COMPUTE,
    ...ACTION,
    ...BOUNCE,
    ...SPLIT,
  ].map((column) => [column, null]),
);

/** The description columns of a transaction. */
export function expectedDescription(cell: Cell): Row {
  const slice = cell.beginParse();
  const read = READERS[slice.loadUint(4)];
  if (read === undefined) throw new Error('a transaction of an unknown kind');
  return { ...NOTHING, ...read(slice) };
}

/** By the four tag bits of a description. */
const READERS: readonly Read[] = [
  (s) => ({
    kind: 'ord',
    credit_first: s.loadBit(),
    ...maybe(s, storage),
    ...maybe(s, credit),
    ...compute(s),
    ...maybe(s, action),
    aborted: s.loadBit(),
    ...maybe(s, bounce),
    destroyed: s.loadBit(),
  }),
  (s) => ({ kind: 'storage', ...storage(s) }),
  (s) => tickTock(s, false),
  (s) => tickTock(s, true),
  (s) => ({
    kind: 'split_prepare',
    ...split(s),
    ...maybe(s, storage),
    ...compute(s),
    ...maybe(s, action),
    aborted: s.loadBit(),
    destroyed: s.loadBit(),
  }),
  (s) => ({ kind: 'split_install', ...split(s), installed: s.loadBit() }),
  (s) => ({ kind: 'merge_prepare', ...split(s), ...storage(s), aborted: s.loadBit() }),
  (s) => {
    const parts = { kind: 'merge_install', ...split(s) };
    s.loadRef();
    const phases = { ...maybe(s, storage), ...maybe(s, credit), ...compute(s), ...maybe(s, action) };
    return { ...parts, ...phases, aborted: s.loadBit(), destroyed: s.loadBit() };
  },
];

function tickTock(s: Slice, isTock: boolean): Row {
  const phases = { ...storage(s), ...compute(s), ...maybe(s, action) };
  return { kind: 'tick_tock', is_tock: isTock, ...phases, aborted: s.loadBit(), destroyed: s.loadBit() };
}

function maybe(s: Slice, read: Read): Row {
  return s.loadBit() ? read(s) : {};
}

const maybeCoins = (s: Slice) => (s.loadBit() ? s.loadCoins() : null);
const maybeInt = (s: Slice) => (s.loadBit() ? s.loadInt(32) : null);
const statusChange = (s: Slice) => (s.loadBit() ? (s.loadBit() ? 'deleted' : 'frozen') : 'unchanged');

/** Reads named values in order. */
function named(names: readonly string[], values: readonly unknown[]): Row {
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}

function storage(s: Slice): Row {
  return named(STORAGE, [s.loadCoins(), maybeCoins(s), statusChange(s)]);
}

function credit(s: Slice): Row {
  const due = maybeCoins(s);
  const { grams, extra } = readAmount(s);
  return named(CREDIT, [due, grams, extra]);
}

function compute(s: Slice): Row {
  if (!s.loadBit()) {
    const reason = s.loadUint(2);
    if (reason === 3) s.skip(1);
    return named(COMPUTE, [true, ['no_state', 'bad_state', 'no_gas', 'suspended'][reason]]);
  }
  const before = [false, null, s.loadBit(), s.loadBit(), s.loadBit(), s.loadCoins()];
  const vm = s.loadRef().beginParse();
  const gas = [vm.loadVarUintBig(3), vm.loadVarUintBig(3), vm.loadBit() ? vm.loadVarUintBig(2) : null];
  const exit = [vm.loadInt(8), vm.loadInt(32), maybeInt(vm), vm.loadUint(32)];
  return named(COMPUTE, [...before, ...gas, ...exit, unlessZero(readBytes(vm)), unlessZero(readBytes(vm))]);
}

function action(slice: Slice): Row {
  const s = slice.loadRef().beginParse();
  const success = [s.loadBit(), s.loadBit(), s.loadBit(), statusChange(s)];
  const result = [maybeCoins(s), maybeCoins(s), s.loadInt(32), maybeInt(s)];
  const counts = [s.loadUint(16), s.loadUint(16), s.loadUint(16), s.loadUint(16)];
  return named(ACTION, [...success, ...result, ...counts, readBytes(s), ...size(s)]);
}

function bounce(s: Slice): Row {
  const isDone = s.loadBit();
  if (!isDone && !s.loadBit()) return { bounce: 'negfunds' };
  if (!isDone) return { bounce: 'nofunds', ...named(BOUNCE, [...size(s), s.loadCoins()]) };
  return { bounce: 'ok', ...named(BOUNCE, [...size(s), null, s.loadCoins(), s.loadCoins()]) };
}

/** Cells, then bits. */
function size(s: Slice): [bigint, bigint] {
  return [s.loadVarUintBig(3), s.loadVarUintBig(3)];
}

function split(s: Slice): Row {
  return named(SPLIT, [s.loadUint(6), s.loadUint(6), readBytes(s), readBytes(s)]);
}

function unlessZero(hash: Buffer): Buffer | null {
  return hash.some((byte) => byte !== 0) ? hash : null;
}
