import { Cells } from './cells.ts';

/**
 * The cells of a bag under a cover that remembers which ones were opened for reading: what a proof of an answer must
 * keep. Exotic cells are opened by other means, so whoever looks into one adds it by hand.
 */
export class ReadRecorder extends Cells {
  /** The cells opened so far. */
  readonly read = new Set<number>();
  readonly #cells: Cells;

  constructor(cells: Cells) {
    super(cells);
    this.#cells = cells;
  }

  override hash(cell: number, level = 3): Buffer {
    return this.#cells.hash(cell, level);
  }

  override depth(cell: number, level = 3): number {
    return this.#cells.depth(cell, level);
  }

  override copyHash(cell: number, level: number, target: Buffer, at: number): void {
    this.#cells.copyHash(cell, level, target, at);
  }

  override assertReadable(cell: number): void {
    super.assertReadable(cell);
    this.read.add(cell);
  }
}
