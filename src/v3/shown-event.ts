import { ACCOUNT_BYTES } from '../chain/address.ts';
import type { TokenRequest } from '../chain/messages/token-requests.ts';
import type { JsonText } from '../http/serializer.ts';
import { ownBytes } from '../lib/own-bytes.ts';

/** What lists need to know of a transfer or a burn. Accounts have 33 bytes. */
export interface EventHead extends Pick<TokenRequest, 'source' | 'destination' | 'responseDestination'> {
  /** The jetton wallet or the NFT item. */
  readonly account: Buffer;
  /** The jetton or the collection; null for an NFT without one. */
  readonly token: Buffer | null;
  readonly lt: bigint;
  readonly now: number;
}

const OBJECT_BYTES = 400;

/** A transfer or a burn as lists show it, without its cells. All accounts are in one buffer. */
export class ShownEvent implements Pick<EventHead, 'account' | 'source' | 'destination' | 'lt' | 'now'> {
  readonly lt: bigint;
  readonly now: number;
  readonly text: JsonText;
  #bytes: Buffer;
  readonly #hasDestination: boolean;

  constructor(head: EventHead, text: JsonText) {
    const { account, source, destination, token, responseDestination } = head;
    this.lt = head.lt;
    this.now = head.now;
    this.text = text;
    this.#hasDestination = destination !== undefined;
    const accounts = [account, source, destination, token, responseDestination];
    this.#bytes = Buffer.concat(accounts.flatMap((one) => one ?? []));
  }

  get account(): Buffer {
    return this.#accountAt(0);
  }

  get source(): Buffer {
    return this.#accountAt(1);
  }

  get destination(): Buffer | undefined {
    return this.#hasDestination ? this.#accountAt(2) : undefined;
  }

  /** All accounts that it shows. */
  get accounts(): readonly Buffer[] {
    return Array.from({ length: this.#bytes.length / ACCOUNT_BYTES }, (_, at) => this.#accountAt(at));
  }

  own(): void {
    this.#bytes = ownBytes(this.#bytes);
  }

  /** Approximate memory. */
  get bytes(): number {
    return OBJECT_BYTES + this.#bytes.length + this.text.json.length;
  }

  #accountAt(number: number): Buffer {
    return this.#bytes.subarray(number * ACCOUNT_BYTES, (number + 1) * ACCOUNT_BYTES);
  }
}
