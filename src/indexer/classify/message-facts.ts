import type { MessageFacts } from '../actions/trace-facts.ts';
import { keyOf } from '../hash-key.ts';
import { accountText } from './account-text.ts';

/** A message of the index as one transaction saw it. */
export interface MessageRow {
  readonly tx_hash: Buffer;
  readonly account: Buffer;
  readonly ordinal: number;
  readonly hash: Buffer;
  readonly peer: Buffer | null;
  readonly lt: string;
  readonly created_at: string | null;
  readonly value: string | null;
  readonly value_extra: Readonly<Record<string, string>> | null;
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  readonly body: Buffer | null;
  readonly init: Buffer | null;
  /** Whether body and initial state were left out because of their size. */
  readonly isCut: boolean;
}

const NO_CURRENCIES: Readonly<Record<string, string>> = {};

/** Messages from one account to another, by their hashes; those that were received, since only these have their bodies. */
export function internalMessages(rows: readonly MessageRow[]): ReadonlyMap<string, MessageFacts> {
  const found = new Map<string, MessageFacts>();
  for (const row of rows)
    if (row.ordinal === 0 && row.peer !== null) found.set(keyOf(row.hash), messageFacts(row));
  return found;
}

/** A message as the classifier reads it. */
export function messageFacts(row: MessageRow): MessageFacts {
  const isInbound = row.ordinal === 0;
  const account = accountText(row.account);
  const peer = row.peer && accountText(row.peer);
  // Of a message from outside the index has the time of its transaction instead of its own.
  const isFromOutside = isInbound && peer === null;
  return {
    hash: row.hash.toString('base64'),
    source: isInbound ? peer : account,
    destination: isInbound ? account : peer,
    value: row.value === null ? null : BigInt(row.value),
    extraCurrencies: row.value_extra ?? NO_CURRENCIES,
    createdLt: isFromOutside ? null : BigInt(row.lt),
    createdAt: row.created_at === null ? null : Number(row.created_at),
    opcode: row.opcode === null ? null : row.opcode >>> 0,
    bounce: row.bounce,
    body: row.body ?? undefined,
    init: row.init ?? undefined,
  };
}
