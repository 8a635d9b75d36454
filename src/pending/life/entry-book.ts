import type { EmulationPayer } from '../emulation-budget.ts';
import type { Entry } from './entry.ts';

/** The messages of this process, and who has how many of them. */
export class EntryBook {
  readonly #entries = new Map<string, Entry>();
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#entries.size;
  }

  add(entry: Entry): void {
    this.#entries.set(entry.key, entry);
    this.#counts.set(entry.payer.id, this.countOf(entry.payer) + 1);
    entry.isCounted = true;
  }

  remove(entry: Entry): void {
    if (this.isCurrent(entry)) this.#entries.delete(entry.key);
    this.release(entry);
  }

  /** Counts a message no longer against who sent it: all that it does has happened. */
  release(entry: Entry): void {
    if (!entry.isCounted) return;
    entry.isCounted = false;
    const { payer } = entry;
    const left = this.countOf(payer) - 1;
    if (left > 0) this.#counts.set(payer.id, left);
    else this.#counts.delete(payer.id);
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  /** Whether a message has not ended while somebody was at work on it. */
  isCurrent(entry: Entry): boolean {
    return this.#entries.get(entry.key) === entry;
  }

  /** Messages of a payer that have not all happened yet. */
  countOf({ id }: EmulationPayer): number {
    return this.#counts.get(id) ?? 0;
  }

  all(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** The keys of those that are shown. */
  shownKeys(): string[] {
    const keys: string[] = [];
    for (const { key, trace } of this.all()) if (trace !== undefined) keys.push(key);
    return keys;
  }

  /** Those that nobody has looked at for longest; they are the last in line then. */
  longestUnseen(count: number): Entry[] {
    const some: Entry[] = [];
    for (const entry of this.all()) {
      if (some.length >= count) break;
      if (!entry.isBusy) some.push(entry);
    }
    for (const entry of some) {
      this.#entries.delete(entry.key);
      this.#entries.set(entry.key, entry);
    }
    return some;
  }

  clear(): void {
    this.#entries.clear();
    this.#counts.clear();
  }
}
