import { hash } from 'node:crypto';

const MAX_MESSAGES = 2 ** 17;
const PERIOD_SECONDS = 60;

/** Messages taken lately: a node does not take the same bytes again within a minute or so. */
export class RecentMessages {
  readonly #now: () => number;
  readonly #hashes = new Set<string>();
  #clearedAt: number;

  /** `now` gives unix seconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#clearedAt = now();
  }

  /** Notes a message; false if it is there already. */
  add(message: Buffer): boolean {
    if (this.#hashes.size >= MAX_MESSAGES || this.#now() - this.#clearedAt >= PERIOD_SECONDS) {
      this.#hashes.clear();
      this.#clearedAt = this.#now();
    }
    const key = keyOf(message);
    if (this.#hashes.has(key)) return false;
    this.#hashes.add(key);
    return true;
  }

  /** Forgets a message that was not taken. */
  drop(message: Buffer): void {
    this.#hashes.delete(keyOf(message));
  }
}

function keyOf(message: Buffer): string {
  return hash('sha256', message, 'base64');
}
