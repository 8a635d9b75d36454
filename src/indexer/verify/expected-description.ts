import type { Cell, Slice } from '@ton/core';
import { readAmount, readBytes } from './core-readers.ts';
import type { Row } from './differences.ts';

/**
 * Read by hand: the reader of the library knows neither merges nor suspended accounts. Each function reads one type
 * and gives its columns; what a transaction does not have is null in its row.
 */
type Read = (slice: Slice) => Row;

const STORAGE = ['storage_fees_collected', 'storage_fees_due', 'storage_status_change'];
const CREDIT = ['credit_due_fees_collected', 'credit', 'credit_extra'];
const COMPUTE = [
  ...['skipped', 'skip_reason', 'success', 'msg_state_used', 'account_activated', 'gas_fees', 'gas_used'],
  ...['gas_limit', 'gas_credit', 'mode', 'exit_code', 'exit_arg', 'vm_steps', 'vm_init_state_hash'],
  'vm_final_state_hash',
].map((name) => `compute_${name}`);
const ACTION = [
  ...['success', 'valid', 'no_funds', 'status_change', 'total_fwd_fees', 'total_action_fees', 'result_code'],
  ...['result_arg', 'tot_actions', 'spec_actions', 'skipped_actions', 'msgs_created', 'list_hash'],
  ...['tot_msg_size_cells', 'tot_msg_size_bits'],
].map((name) => `action_${name}`);
const BOUNCE = ['msg_size_cells', 'msg_size_bits', 'req_fwd_fees', 'msg_fees', 'fwd_fees'].map(
  (name) => `bounce_${name}`,
);
const SPLIT = ['cur_shard_pfx_len', 'acc_split_depth', 'this_addr', 'sibling_addr'].map(
  (name) => `split_${name}`,
);

const NOTHING: Row = Object.fromEntries(
  [
    ...['aborted', 'destroyed', 'credit_first', 'is_tock', 'installed', 'bounce'],
    ...[...STORAGE, ...CREDIT, ...COMPUTE, ...ACTION],
    ...[...BOUNCE, ...SPLIT],
  ].map((column) => [column, null]),
);

/** The columns of a transaction that tell what happened in it. */
export function expectedDescription(cell: Cell): Row {
  const slice = cell.beginParse();
  const read = READERS[slice.loadUint(4)];
  if (read === undefined) throw new Error('a transaction of an unknown kind');
  return { ...NOTHING, ...read(slice) };
}

/** By the four bits that a description begins with. */
const READERS: readonly Read[] = [
  (s) => ({
    ...{ kind: 'ord', credit_first: s.loadBit(), ...maybe(s, storage), ...maybe(s, credit) },
    ...{
      ...compute(s),
      ...maybe(s, action),
      aborted: s.loadBit(),
      ...maybe(s, bounce),
      destroyed: s.loadBit(),
    },
  }),
  (s) => ({ kind: 'storage', ...storage(s) }),
  (s) => tickTock(s, false),
  (s) => tickTock(s, true),
  (s) => ({
    ...{ kind: 'split_prepare', ...split(s), ...maybe(s, storage), ...compute(s), ...maybe(s, action) },
    ...{ aborted: s.loadBit(), destroyed: s.loadBit() },
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

/** Gives names to what is read in their order. */
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
