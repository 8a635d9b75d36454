import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell, contractAddress, loadStateInit } from '@ton/core';

const TRACES = new URL('../../../../../shared/data/traces/data/', import.meta.url);

/** Added to the names of tests that are skipped because the traces are not there; empty if they are. */
export const missingTraces = existsSync(TRACES) ? '' : ' (skipped: the traces are not beside this checkout)';

/** What the reference says of a contract. Numbers are of 53 bits, or texts of what is left of larger ones. */
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

/** A transaction that was made on mainnet. */
export interface TraceTransaction {
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly orig_status: string;
  readonly aborted: boolean;
  readonly in_msg: TraceMessage;
}

/** The state that an account started with. */
export interface FirstState {
  readonly code: Cell;
  readonly data: Cell;
  /** The transaction that deployed it, where it is in the traces. */
  readonly deployed: TraceTransaction | undefined;
}

interface TraceFile {
  readonly transactions: readonly TraceTransaction[];
  readonly interfaces: Readonly<Record<string, Readonly<Record<string, InterfaceRecord['fields']>>>>;
}

/** All records of the traces, and the first states of accounts that messages brought. */
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

/** Takes the state that a message brings, if it is that of the account: its hash is the address. */
function addState(states: Map<string, FirstState>, transaction: TraceTransaction): void {
  const { account, in_msg: message, orig_status: before } = transaction;
  if (message.init_state_boc === null) return;
  const { code, data } = loadStateInit(Cell.fromBase64(message.init_state_boc).beginParse());
  if (!code || !data || addressOf(code, data) !== account) return;
  const deployed = before === 'active' ? states.get(account)?.deployed : transaction;
  states.set(account, { code, data, deployed });
}

/**
 * The first state of another wallet of the same jetton: that of a known one with the other owner in it. Undefined if it
 * does not come out at the address of the wallet.
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

/** The bits of a cell, a character each. */
function bitsOf({ bits }: Cell): string {
  return Array.from({ length: bits.length }, (_, at) => (bits.at(at) ? '1' : '0')).join('');
}
