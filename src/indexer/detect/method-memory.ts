import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import type { MethodAnswer } from '../../chain/contracts/method-answer.ts';
import type { HeldContract } from './held-contract.ts';

/** What came of a get-method: an answer, or why there is none. */
export type MethodOutcome = (
  | { readonly answer: MethodAnswer; readonly bag: CellBag }
  | { readonly answer?: undefined; readonly refusal: string }
) & {
  /** Whether it may be otherwise the next time, and is not to be remembered. */
  readonly passes?: boolean;
};

/** One question to a contract. */
export interface MethodQuestion {
  readonly contract: HeldContract;
  /** The key of the configuration. */
  readonly config: string;
  readonly methodId: number;
  /** A bag of cells with the arguments. */
  readonly stack: Buffer | undefined;
}

const MAX_BYTES = 64 * 2 ** 20;
const MAX_ENTRIES = 100_000;
const ENTRY_BYTES = 512;
/** A parsed cell with its hash. */
const BYTES_A_CELL = 160;

/** Results of get-methods: with the same code, data, configuration and arguments they are the same. */
export type MethodMemory = LRUCache<string, MethodOutcome>;

/** Creates an empty memory. */
export function createMethodMemory(): MethodMemory {
  return new LRUCache({
    ...{ max: MAX_ENTRIES, maxSize: MAX_BYTES },
    sizeCalculation: (outcome) => ENTRY_BYTES + (outcome.answer === undefined ? 0 : bytesOfBag(outcome.bag)),
  });
}

/** The key of a question; each of its parts but the last has a fixed length. */
export function questionKey({ contract, config, methodId, stack }: MethodQuestion): string {
  const { key, code, dataKey } = contract;
  const parts = `${key}${code.key}${dataKey.padEnd(32)}${config}${methodId} `;
  const head = Buffer.from(parts, 'latin1');
  return hash('sha256', stack === undefined ? head : Buffer.concat([head, stack]), 'base64');
}

function bytesOfBag({ count, bytes }: CellBag): number {
  return count * BYTES_A_CELL + bytes.length;
}
