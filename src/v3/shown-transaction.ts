import { ACCOUNT_BYTES } from '../chain/address.ts';
import type { JsonText } from '../http/serializer.ts';
import type { Position } from '../index/format/position.ts';
import { ownBytes } from '../lib/own-bytes.ts';
import { accountsOfTransaction, type PlacedTransaction } from './placed-transaction.ts';

/** What lists need to know of a transaction. */
export interface TransactionHead {
  readonly at: Position;
  readonly hash: Buffer;
  /** 33 bytes. */
  readonly account: Buffer;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly block: PlacedTransaction['block'];
}

const HASH_BYTES = 32;
const OBJECT_BYTES = 500;

/**
 * A transaction as responses show it, without its cells, which is cached by position. It never changes, but its trace id may,
 * when traces are joined, and on a local chain another one may take its position. All hashes and accounts are in one buffer:
 * its own, that of its trace, the hashes of its messages, and the accounts for the address book.
 */
export class ShownTransaction implements TransactionHead {
  readonly at: Position;
  readonly lt: bigint;
  readonly now: number;
  readonly mcSeqno: number;
  readonly block: PlacedTransaction['block'];
  readonly text: JsonText;
  /** Whether nothing of the text can change as long as its page is the same. */
  readonly isSettled: boolean;
  #bytes: Buffer;
  readonly #hasIn: boolean;
  readonly #outs: number;

  constructor(
    placed: TransactionHead & Pick<PlacedTransaction, 'transaction' | 'traceId'>,
    text: JsonText,
    isSettled: boolean,
  ) {
    const { inMessage, outMessages } = placed.transaction;
    this.at = placed.at;
    this.lt = placed.lt;
    this.now = placed.now;
    this.mcSeqno = placed.mcSeqno;
    this.block = placed.block;
    this.text = text;
    this.isSettled = isSettled;
    this.#hasIn = inMessage !== undefined;
    this.#outs = outMessages.length;
    this.#bytes = Buffer.concat([
      placed.hash,
      placed.traceId,
      ...(inMessage === undefined ? [] : [inMessage.hash]),
      ...outMessages.map((message) => message.hash),
      placed.account,
      ...accountsOfTransaction(placed.transaction),
    ]);
  }

  get hash(): Buffer {
    return this.#hashAt(0);
  }

  get traceId(): Buffer {
    return this.#hashAt(1);
  }

  get inHash(): Buffer | undefined {
    return this.#hasIn ? this.#hashAt(2) : undefined;
  }

  get outHashes(): readonly Buffer[] {
    return Array.from({ length: this.#outs }, (_, i) => this.#hashAt(2 + Number(this.#hasIn) + i));
  }

  get account(): Buffer {
    return this.accounts[0]!;
  }

  /** Its account, and those at the other ends of its messages. */
  get accounts(): readonly Buffer[] {
    const from = (2 + Number(this.#hasIn) + this.#outs) * HASH_BYTES;
    const count = (this.#bytes.length - from) / ACCOUNT_BYTES;
    return Array.from({ length: count }, (_, i) =>
      this.#bytes.subarray(from + i * ACCOUNT_BYTES, from + (i + 1) * ACCOUNT_BYTES),
    );
  }

  own(): void {
    this.#bytes = ownBytes(this.#bytes);
  }

  /** Approximate memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.#bytes.length + this.text.json.length;
  }

  #hashAt(i: number): Buffer {
    return this.#bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES);
  }
}
