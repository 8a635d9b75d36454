import { LRUCache } from 'lru-cache';
import type { FoundCell } from '../lite/proofs/open-proof.ts';
import { bocText } from './shapes/cell-bytes.ts';

const MAX_BYTES = 16 * 2 ** 20;
const ENTRY_BYTES = 256;

/** Code as text, by its hash: nearly all accounts have one of a few codes, and to write one takes longer than to hash it. */
export class CodeTexts {
  readonly #texts = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    sizeCalculation: (text) => text.length + ENTRY_BYTES,
  });

  /** A bag of cells in base64. */
  textOf({ cells, cell }: FoundCell): string {
    const key = cells.hash(cell).toString('latin1');
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = bocText(cells, cell);
    this.#texts.set(key, text);
    return text;
  }
}
