import { type Cells, LIBRARY_REFERENCE, PRUNED_BRANCH } from '../boc/cells.ts';

/**
 * The maximum nesting of records. A wallet may send 255 messages at once, each nested in the previous one; the call
 * stack has room for several times as many.
 */
const MAX_DEPTH = 384;

/** The state of one decoding: the remaining steps, and the current depth. */
export class DecodeRun {
  /** How many bodies the current one is nested in. */
  nesting = 0;
  #depth = 0;
  #stepsLeft: number;

  constructor(steps: number) {
    this.#stepsLeft = steps;
  }

  get stepsLeft(): number {
    return this.#stepsLeft;
  }

  /** Spends steps: one per field, or per `CHARS_PER_STEP` characters of output. */
  spend(steps: number): void {
    this.#stepsLeft -= steps;
    if (this.#stepsLeft < 0) throw new DecodeBudgetExceeded();
  }

  /** Enters a nested record; false if it is too deep, and then `leave` must not be called. */
  enter(): boolean {
    if (this.#depth === MAX_DEPTH) return false;
    this.#depth++;
    return true;
  }

  leave(): void {
    this.#depth--;
  }
}

/** Decoding took too many steps: the body shares cells over and over. */
export class DecodeBudgetExceeded extends Error {}

export const CHARS_PER_STEP = 32;

// A step takes less than half a microsecond and writes about 50 characters. The largest bodies that a chain accepts,
// of 8192 cells, need some ten thousand steps; an attack with a few shared cells would need billions.
const MAX_STEPS_PER_BODY = 100_000;
const MAX_STEPS_PER_RESPONSE = 1_000_000;

/** The step budget of all bodies in one response. */
export class DecodeBudget {
  #stepsLeft = MAX_STEPS_PER_RESPONSE;

  get forBody(): number {
    return Math.min(this.#stepsLeft, MAX_STEPS_PER_BODY);
  }

  take(steps: number): void {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - steps);
  }
}

/** A body that could not be decoded, with the reason in TON Center's wording. */
export class DecodeFailure {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** The failure for an exotic cell: the error of a TVM without libraries. */
export function unreadableCell(cells: Cells, cell: number): DecodeFailure {
  const kind = cells.kind(cell);
  if (kind === LIBRARY_REFERENCE)
    return new DecodeFailure('vm error - failed to load library cell (no vm_state_interface available)');
  if (kind === PRUNED_BRANCH) return new DecodeFailure('vm error - trying to load prunned cell');
  return new DecodeFailure('vm error - unexpected special cell');
}

export const OPCODE_BITS = 32;
