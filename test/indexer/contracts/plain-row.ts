import { Address, Cell } from '@ton/core';

/** A row in a form that can be compared: bytes in hex, all numbers as texts. */
export type PlainRow = Readonly<Record<string, unknown>>;

/** Columns that are bags of cells: their roots count, not how they were written. */
const BAGS = new Set(['custom_payload', 'forward_payload', 'order_boc']);

/** Makes a row comparable, as it comes from the database or from an evaluator. */
export function plainRow(row: Readonly<Record<string, unknown>>): PlainRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, BAGS.has(name) ? plainBag(value) : plain(value)]),
  );
}

/** An account as columns have it: the workchain and 32 bytes. */
export function accountHex({ workChain, hash }: Address): string {
  const workchain = Buffer.alloc(1);
  workchain.writeInt8(workChain);
  return Buffer.concat([workchain, hash]).toString('hex');
}

/** The other way round. */
export function addressOf(account: Buffer): Address {
  return new Address(account.readInt8(0), account.subarray(1));
}

function plain(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.toString('hex');
  if (value instanceof Address) return accountHex(value);
  if (value instanceof Cell) return value.hash().toString('hex');
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  return Array.isArray(value) ? value.map(plain) : value;
}

function plainBag(value: unknown): unknown {
  return Buffer.isBuffer(value) ? plain(Cell.fromBoc(value)[0]!) : plain(value);
}
