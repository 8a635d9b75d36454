import type { LRUCache } from 'lru-cache';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { Bound } from '../call.ts';
import type { Execution } from './execution.ts';
import { bytesOf, inOnePiece, type KeptAnswer } from './kept-answer.ts';

/** What answers may take in memory. */
export interface Room {
  /** All answers that hold until the next block, for each pool of lite servers. */
  readonly headBytes: number;
  /** One answer. */
  readonly answerBytes: number;
}

/**
 * The time in which one block is the head of a pool: the answers given in it, and the work that goes on. Nothing of it
 * is used once there is a newer block, so what is finished late can do no harm here.
 */
export class Era {
  /** Work that goes on, by the key of its question. */
  readonly flights = new Map<string, Execution<KeptAnswer>>();
  readonly head: BlockId | undefined;
  readonly #lasting: LRUCache<string, KeptAnswer>;
  readonly #room: Room;
  readonly #answers = new Map<string, KeptAnswer>();
  #bytes = 0;

  /** `lasting` are the answers that outlive eras. */
  constructor(head: BlockId | undefined, lasting: LRUCache<string, KeptAnswer>, room: Room) {
    this.head = head;
    this.#lasting = lasting;
    this.#room = room;
  }

  find(key: string, nowMs: number): KeptAnswer | undefined {
    const known = this.#answers.get(key) ?? this.#lasting.get(key);
    return known === undefined || known.untilMs <= nowMs ? undefined : known;
  }

  /**
   * Keeps an answer as long as it holds. One that was read at another block than the head is given to those who waited
   * for it and not kept: a server may be a block behind.
   */
  keep(key: string, answer: KeptAnswer, bound: readonly Bound[]): void {
    if (bytesOf(key, answer) > this.#room.answerBytes) return;
    if (answer.etag !== undefined) this.#lasting.set(key, inOnePiece(answer));
    else if (this.#isOfHead(bound)) this.#keepForNow(key, inOnePiece(answer));
  }

  #isOfHead(bound: readonly Bound[]): boolean {
    const { head } = this;
    if (head === undefined) return false;
    return bound.every(({ reference }) => reference === undefined || sameBlock(reference, head));
  }

  #keepForNow(key: string, answer: KeptAnswer): void {
    this.#remove(key);
    this.#answers.set(key, answer);
    this.#bytes += bytesOf(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#room.headBytes) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    const known = this.#answers.get(key);
    if (known === undefined) return;
    this.#answers.delete(key);
    this.#bytes -= bytesOf(key, known);
  }
}
