import type { MethodAnswer } from '../../../chain/contracts/method-answer.ts';
import { refuse } from '../../../chain/contracts/not-that.ts';
import { accountOrNull } from './account-or-null.ts';

/** An answer read as what columns hold; what does not fit its column throws NotThat. */
export class AnswerColumns {
  readonly #answer: MethodAnswer;

  constructor(answer: MethodAnswer) {
    this.#answer = answer;
  }

  /** A `numeric`. */
  decimal(index: number): bigint {
    return this.#answer.integer(index);
  }

  /** A `bigint`. */
  int64(index: number): bigint {
    const value = this.#answer.integer(index);
    return value === BigInt.asIntN(64, value) ? value : refuse('a number of more than 64 bits');
  }

  /** 32 bytes. */
  bits256(index: number): Buffer {
    const value = this.#answer.integer(index);
    if (value !== BigInt.asUintN(256, value)) return refuse('an unsigned number of 256 bits expected');
    return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
  }

  flag(index: number): boolean {
    return this.#answer.integer(index) !== 0n;
  }

  account(index: number): Buffer {
    return this.accountOrNull(index) ?? refuse('an account expected');
  }

  accountOrNull(index: number): Buffer | null {
    return accountOrNull(this.#answer.address(index));
  }
}
