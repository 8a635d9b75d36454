import { type AccountId, accountKey } from '../../chain/address.ts';
import { type MethodResult, throwMismatch } from '../../chain/contracts/probe.ts';

/** An account as a column value; null for none. */
export function accountOrNull(account: AccountId | undefined): Buffer | null {
  return account === undefined ? null : accountKey(account.workchain, account.hash);
}

/** Reads a get-method result as column values; throws InterfaceMismatch for values that do not fit. */
export class ResultColumns {
  readonly #result: MethodResult;

  constructor(result: MethodResult) {
    this.#result = result;
  }

  /** A `numeric`. */
  decimal(index: number): bigint {
    return this.#result.integer(index);
  }

  /** A `bigint`. */
  int64(index: number): bigint {
    const value = this.#result.integer(index);
    return value === BigInt.asIntN(64, value) ? value : throwMismatch('a 64-bit integer expected');
  }

  /** 32 bytes. */
  bits256(index: number): Buffer {
    const value = this.#result.integer(index);
    if (value !== BigInt.asUintN(256, value)) return throwMismatch('a 256-bit unsigned integer expected');
    return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  }

  flag(index: number): boolean {
    return this.#result.integer(index) !== 0n;
  }

  account(index: number): Buffer {
    return this.accountOrNull(index) ?? throwMismatch('an account expected');
  }

  accountOrNull(index: number): Buffer | null {
    return accountOrNull(this.#result.address(index));
  }
}
