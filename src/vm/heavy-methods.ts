import { hash } from 'node:crypto';
import type { GetMethodRun } from './runs.ts';

/** Get-methods that are known to need more than a light run. */
const MAX_METHODS = 10_000;

/**
 * The get-methods that need the heavy lane. A mistake costs time and not correctness: one that is missing here is run
 * twice, and one that is light again is removed when that shows.
 */
export class HeavyMethods {
  /** The ones seen last come last. */
  readonly #methods = new Set<string>();

  has(run: GetMethodRun): boolean {
    if (this.#methods.size === 0) return false;
    const code = codeOf(run);
    return this.#touch(`${code} ${run.methodId}`) || this.#touch(code);
  }

  /** The method used up the gas of a light run. */
  add(run: GetMethodRun): void {
    this.#put(`${codeOf(run)} ${run.methodId}`);
  }

  /** The code took too long in spite of the gas limit, so none of its methods is trusted. */
  addCode(run: GetMethodRun): void {
    this.#put(codeOf(run));
  }

  /** The method was light after all: it had other arguments before, or the machine was busy. */
  remove(run: GetMethodRun): void {
    const code = codeOf(run);
    this.#methods.delete(`${code} ${run.methodId}`);
    this.#methods.delete(code);
  }

  #touch(name: string): boolean {
    const isHeavy = this.#methods.delete(name);
    if (isHeavy) this.#methods.add(name);
    return isHeavy;
  }

  #put(name: string): void {
    this.#methods.delete(name);
    this.#methods.add(name);
    if (this.#methods.size <= MAX_METHODS) return;
    const [oldest] = this.#methods;
    this.#methods.delete(oldest!);
  }
}

function codeOf({ codeHash, code }: GetMethodRun): string {
  return codeHash ?? hash('sha256', code);
}
