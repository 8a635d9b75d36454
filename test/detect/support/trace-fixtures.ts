import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell, contractAddress, loadStateInit } from '@ton/core';

const TRACES = new URL('../../../../shared/data/traces/data/', import.meta.url);

/** Suffix for titles of tests that are skipped without the traces; empty if they are available. */
export const missingTraces = existsSync(TRACES)
  ? ''
  : ' (skipped: the traces are not stored next to this checkout)';

/** A contract in the reference. Numbers above 53 bits are texts of their rounded values. */
export interface InterfaceRecord {
  readonly kind: string;
  readonly account: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface TraceMessage {
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly created_lt: string | null;
  readonly created_at: number | null;
  readonly fwd_fee: string | null;
  readonly bounce: boolean | null;
  readonly body_boc: string;
  readonly init_state_boc: string | null;
}

/** A mainnet transaction. */
export interface TraceTransaction {
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly orig_status: string;
  readonly aborted: boolean;
  readonly in_msg: TraceMessage;
}

/** The initial state of an account. */
export interface FirstState {
  readonly code: Cell;
  readonly data: Cell;
  /** The transaction that deployed it, if it is in the traces. */
  readonly deployed: TraceTransaction | undefined;
}

interface TraceFile {
  readonly transactions: readonly TraceTransaction[];
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, InterfaceRecord['fields']>>>>;
}

/** All records of the traces, and the initial states of accounts in their messages. */
export function readTraces(): { records: InterfaceRecord[]; states: Map<string, FirstState> } {
  const records: InterfaceRecord[] = [];
  const states = new Map<string, FirstState>();
  for (const name of readdirSync(TRACES)) {
    const { transactions, interfaces }: TraceFile = JSON.parse(readFileSync(new URL(name, TRACES), 'utf8'));
    for (const [account, kinds] of Object.entries(interfaces))
      for (const [kind, fields] of Object.entries(kinds)) records.push({ kind, account, fields });
    for (const transaction of transactions) addState(states, transaction);
  }
  return { records, states };
}

/** Adds the initial state in a message, if its hash is the address of the account. */
function addState(states: Map<string, FirstState>, transaction: TraceTransaction): void {
  const { account, in_msg: message, orig_status: before } = transaction;
  if (message.init_state_boc === null) return;
  const { code, data } = loadStateInit(Cell.fromBase64(message.init_state_boc).beginParse());
  if (!code || !data || addressOf(code, data) !== account) return;
  const deployed = before === 'active' ? states.get(account)?.deployed : transaction;
  states.set(account, { code, data, deployed });
}

/**
 * The initial state of another wallet of the same jetton: that of a known wallet with the owner replaced. Undefined if its
 * hash is not the address of the wallet.
 */
export function stateOfSibling(
  known: FirstState,
  from: string,
  to: string,
  account: string,
): FirstState | undefined {
  const bits = bitsOf(known.data);
  const owner = addressBits(from);
  const at = bits.indexOf(owner);
  if (at < 0) return undefined;
  const builder = beginCell();
  for (const bit of bits.slice(0, at) + addressBits(to) + bits.slice(at + owner.length))
    builder.storeBit(bit === '1');
  for (const ref of known.data.refs) builder.storeRef(ref);
  const data = builder.endCell();
  return addressOf(known.code, data) === account
    ? { code: known.code, data, deployed: undefined }
    : undefined;
}

function addressOf(code: Cell, data: Cell): string {
  return contractAddress(0, { code, data }).toRawString().toUpperCase();
}

function addressBits(raw: string): string {
  return bitsOf(beginCell().storeAddress(Address.parseRaw(raw)).endCell());
}

/** The bits of a cell, one character each. */
function bitsOf({ bits }: Cell): string {
  return Array.from({ length: bits.length }, (_, at) => (bits.at(at) ? '1' : '0')).join('');
}
