import type { SharedBoc } from '../shared-boc.ts';

/** A thread keeps as many shared bags of cells; the ones that were not used for longest are forgotten. */
const MAX_KNOWN = 64;

/** Which shared bags of cells a thread has been sent. */
export class KnownTexts {
  readonly #keys = new Set<string>();

  /** What must be sent with a job that uses these, and what the thread may forget. */
  use(texts: readonly SharedBoc[]): { fresh: [key: string, text: string][]; forgotten: string[] } {
    const fresh: [string, string][] = [];
    for (const { key, text } of texts) {
      if (!this.#keys.delete(key)) fresh.push([key, text]);
      this.#keys.add(key);
    }
    const forgotten: string[] = [];
    // Those just used are the last ones; a job may use more than are kept.
    const spare = this.#keys.size - Math.max(MAX_KNOWN, texts.length);
    for (const key of this.#keys) {
      if (forgotten.length >= spare) break;
      forgotten.push(key);
      this.#keys.delete(key);
    }
    return { fresh, forgotten };
  }
}
