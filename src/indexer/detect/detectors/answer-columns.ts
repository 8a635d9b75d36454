import { type AccountId, accountKey } from '../../../chain/address.ts';
import { type MethodResult, throwMismatch } from '../../../chain/contracts/probe.ts';

/** An account as columns have it; null for none. */
export function accountOrNull(account: AccountId | undefined): Buffer | null {
  return account === undefined ? null : accountKey(account.workchain, account.hash);
}

/** An answer read as what columns hold; what does not fit its column throws NotThat. */
export class AnswerColumns {
  readonly #answer: MethodResult;

  constructor(answer: MethodResult) {
    this.#answer = answer;
  }

  /** A `numeric`. */
  decimal(index: number): bigint {
    return this.#answer.integer(index);
  }

  /** A `bigint`. */
  int64(index: number): bigint {
    const value = this.#answer.integer(index);
    return value === BigInt.asIntN(64, value) ? value : throwMismatch('a number of more than 64 bits');
  }

  /** 32 bytes. */
  bits256(index: number): Buffer {
    const value = this.#answer.integer(index);
    if (value !== BigInt.asUintN(256, value)) return throwMismatch('an unsigned number of 256 bits expected');
    return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  }

  flag(index: number): boolean {
    return this.#answer.integer(index) !== 0n;
  }

  account(index: number): Buffer {
    return this.accountOrNull(index) ?? throwMismatch('an account expected');
  }

  accountOrNull(index: number): Buffer | null {
    return accountOrNull(this.#answer.address(index));
  }
}
