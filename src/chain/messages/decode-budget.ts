// A step takes less than half a microsecond and writes about 50 characters. The largest bodies that a chain lets through,
// of 8192 cells, need some ten thousand steps; a trap of a few cells that lead to each other would need billions.
const STEPS_A_BODY = 100_000;
const STEPS_AN_ANSWER = 1_000_000;

/** How much may be done for the bodies of one answer together. */
export class DecodeBudget {
  #stepsLeft = STEPS_AN_ANSWER;

  /** What the next body may cost. */
  get forBody(): number {
    return Math.min(this.#stepsLeft, STEPS_A_BODY);
  }

  /** Takes what a body has cost. */
  take(steps: number): void {
    this.#stepsLeft = Math.max(0, this.#stepsLeft - steps);
  }
}
