import type { Slice } from '../../boc/slice.ts';

/** Reads a value from where a slice stands, as JSON; undefined if what is there has another form. */
export type Reader = (run: Run, slice: Slice, env: Environment) => string | undefined;

/** Numbers that a constructor was given or has read, each in its place. */
export type Environment = number[];

/** What a reader is given where there are none. */
export const NO_NUMBERS: Environment = [];

/**
 * How many records may be in each other. A wallet may send 255 messages at once, which lie one below the other; the
 * stack has room for several times as many.
 */
const MAX_DEPTH = 384;

/** More work than a body is worth: it is made of parts that are used again and again. */
export class TooMuchWork extends Error {}

/** The state of one decoding: how much may still be done, and how deep it is. */
export class Run {
  /** How often a cell within a cell was taken for a body. */
  nesting = 0;
  #depth = 0;
  #stepsLeft: number;

  constructor(steps: number) {
    this.#stepsLeft = steps;
  }

  get stepsLeft(): number {
    return this.#stepsLeft;
  }

  /** Counts work: a step is a field, or what is written in as many characters. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new TooMuchWork();
  }

  /** Counts a record within a record; false if it is too deep, and then nothing is to be left. */
  enter(): boolean {
    if (this.#depth === MAX_DEPTH) return false;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }
}

/** Characters that count as one step. */
export const CHARACTERS_A_STEP = 32;
