import { LRUCache } from 'lru-cache';
import type { LitePool } from '../../lite/pool.ts';
import { Era } from './era.ts';
import { bytesOf, type KeptAnswer } from './kept-answer.ts';

/** The answers that need no work a second time. */
export interface AnswerCache {
  /** What is known while the present head of a pool is its head. */
  at(pool: Pick<LitePool, 'head'>): Era;
  /** Forgets everything: the chain is another one than before. */
  clear(): void;
}

/** How much memory answers may take. */
export interface AnswerCacheOptions {
  /** Answers that can never change. */
  readonly lastingBytes?: number;
  /** Answers that hold until the next block, for each pool. */
  readonly headBytes?: number;
  /** A longer answer is not kept. */
  readonly answerBytes?: number;
}

const MIB = 2 ** 20;

/** Creates an empty cache. */
export function createAnswerCache({
  lastingBytes = 64 * MIB,
  headBytes = 32 * MIB,
  answerBytes = 4 * MIB,
}: AnswerCacheOptions = {}): AnswerCache {
  let lasting: LRUCache<string, KeptAnswer>;
  let eras: WeakMap<Pick<LitePool, 'head'>, Era>;

  /** Work that began before keeps the old ones, so that its answers come to nothing. */
  function clear(): void {
    eras = new WeakMap();
    lasting = new LRUCache({
      maxSize: lastingBytes,
      sizeCalculation: (answer, key) => bytesOf(key, answer),
    });
  }

  clear();
  return {
    at(pool) {
      const { head } = pool;
      const known = eras.get(pool);
      if (known !== undefined && known.head === head) return known;
      // A head never goes back, or away, on a chain that goes on: a local chain was reset.
      if (known?.head !== undefined && (head === undefined || head.seqno <= known.head.seqno)) clear();
      const era = new Era(head, lasting, { headBytes, answerBytes });
      eras.set(pool, era);
      return era;
    },
    clear,
  };
}
