import { ACCOUNT_BYTES } from '../chain/address.ts';
import type { Message } from '../chain/tlb/message.ts';
import type { JsonText } from '../http/serializer.ts';
import { ownBytes } from '../lib/own-bytes.ts';

/** What lists need to know of a message. */
export interface MessageHead extends Pick<Message, 'hash' | 'bodyHash' | 'opcode'> {
  /** Undefined for messages from outside; accounts have 33 bytes. */
  readonly source: Buffer | undefined;
  /** Undefined for messages to outside. */
  readonly destination: Buffer | undefined;
  /** The logical time of its creation, of an external message that of the transaction that received it. */
  readonly lt: bigint;
  /** Undefined for messages from outside. */
  readonly createdAt: number | undefined;
}

const HASH_BYTES = 32;
const OBJECT_BYTES = 400;

/** A message as lists show it, without its cells. All hashes and accounts are in one buffer. */
export class ShownMessage implements MessageHead {
  readonly lt: bigint;
  readonly createdAt: number | undefined;
  readonly opcode: number | undefined;
  readonly text: JsonText;
  #bytes: Buffer;
  readonly #hasSource: boolean;
  readonly #hasDestination: boolean;

  constructor(head: MessageHead, text: JsonText) {
    const { source, destination } = head;
    this.lt = head.lt;
    this.createdAt = head.createdAt;
    this.opcode = head.opcode;
    this.text = text;
    this.#hasSource = source !== undefined;
    this.#hasDestination = destination !== undefined;
    this.#bytes = Buffer.concat([head.hash, head.bodyHash, source ?? NO_BYTES, destination ?? NO_BYTES]);
  }

  get hash(): Buffer {
    return this.#bytes.subarray(0, HASH_BYTES);
  }

  get bodyHash(): Buffer {
    return this.#bytes.subarray(HASH_BYTES, 2 * HASH_BYTES);
  }

  get source(): Buffer | undefined {
    return this.#hasSource ? this.#accountAt(0) : undefined;
  }

  get destination(): Buffer | undefined {
    return this.#hasDestination ? this.#accountAt(Number(this.#hasSource)) : undefined;
  }

  own(): void {
    this.#bytes = ownBytes(this.#bytes);
  }

  /** Approximate memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.#bytes.length + this.text.json.length;
  }

  #accountAt(number: number): Buffer {
    const from = 2 * HASH_BYTES + number * ACCOUNT_BYTES;
    return this.#bytes.subarray(from, from + ACCOUNT_BYTES);
  }
}

const NO_BYTES = Buffer.alloc(0);
