import { bytesOf } from '../hash-key.ts';
import type { Code } from './code.ts';

/** A contract that can be run; texts only, so that nothing larger is kept alive by them. */
export interface HeldContract {
  /** The account, as a key of maps. */
  readonly key: string;
  readonly code: Code;
  /** The hash of the data, as a key of maps; empty where there is none. */
  readonly dataKey: string;
  /** A bag of cells in base64. */
  readonly data: string;
  readonly balance: bigint;
}

/** A bag of cells with an empty cell, for an account without data. */
const EMPTY_CELL = 'te6ccgEBAQEAAgAAAA==';

/** Data in the form in which runs take it. */
export function dataText(data: Buffer | null | undefined): string {
  return data ? data.toString('base64') : EMPTY_CELL;
}

/** The address in the form in which runs take it. */
export function addressText(key: string): string {
  const account = bytesOf(key);
  return `${account.readInt8(0)}:${account.toString('hex', 1)}`;
}
