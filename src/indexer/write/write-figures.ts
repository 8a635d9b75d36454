/** What a write did, and how long its parts took. */
export interface WriteFigures {
  readonly rows: number;
  readonly bytes: number;
  /** Milliseconds by part. */
  readonly ms: Readonly<Record<WritePart, number>>;
}

/** The parts of a write, in their order. */
export type WritePart = 'assemble' | 'copy' | 'upserts' | 'joins' | 'events' | 'commit';

/** Counts what is sent and measures the parts of one write. */
export class FigureBook {
  readonly #ms = { assemble: 0, copy: 0, upserts: 0, joins: 0, events: 0, commit: 0 };
  #rows = 0;
  #bytes = 0;

  add({ rows, bytes }: { readonly rows: number; readonly bytes: number }): void {
    this.#rows += rows;
    this.#bytes += bytes;
  }

  async time<T>(part: WritePart, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#ms[part] += performance.now() - start;
    }
  }

  figures(): WriteFigures {
    return { rows: this.#rows, bytes: this.#bytes, ms: { ...this.#ms } };
  }
}
