import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import { COPY_END, COPY_HEAD, type CopyRows, copyStatement } from '../../db/copy.ts';

/** Pieces that are sent as one; more would only be copied for nothing. */
const JOINED_BYTES = 64 * 1024;

/** What was sent. */
interface Sent {
  readonly rows: number;
  readonly bytes: number;
}

/** Sends rows to a table in one stream. */
export async function copyIn(
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: readonly CopyRows[],
): Promise<Sent> {
  const count = rows.reduce((sum, { count }) => sum + count, 0);
  if (count === 0) return { rows: 0, bytes: 0 };
  const stream = client.query(from(copyStatement(table, columns)));
  // Not a pipeline: that destroys the stream after an error of the server, when it has no connection any more. For the
  // same reason it gets the next piece only when the last one is sent, and none after an error. It may still fail a
  // second time, and an error that nobody hears ends the process.
  let hasFailed = false;
  const failed = new Promise<never>((_, reject) => {
    stream.on('error', (error) => {
      hasFailed = true;
      reject(error);
    });
  });
  const sent = async () => {
    let bytes = 0;
    for (const piece of pieces(rows)) {
      await new Promise<void>((resolve) => stream.write(piece, () => resolve()));
      if (hasFailed) return failed;
      bytes += piece.length;
    }
    await new Promise<void>((resolve) => stream.end(resolve));
    return { rows: count, bytes };
  };
  return Promise.race([failed, sent()]);
}

/** The whole stream, small rows together. */
function* pieces(rows: readonly CopyRows[]): Generator<Buffer> {
  let small: Buffer[] = [COPY_HEAD];
  let smallBytes = COPY_HEAD.length;
  for (const { bytes } of rows) {
    if (smallBytes + bytes.length > JOINED_BYTES) {
      yield Buffer.concat(small);
      small = [];
      smallBytes = 0;
    }
    if (bytes.length > JOINED_BYTES) yield bytes;
    else {
      small.push(bytes);
      smallBytes += bytes.length;
    }
  }
  yield Buffer.concat([...small, COPY_END]);
}

/** What a write did, and how long its parts took. */
export interface WriteStats {
  readonly rows: number;
  readonly bytes: number;
  /** Milliseconds by part. */
  readonly ms: Readonly<Record<WritePart, number>>;
}

/** The parts of a write, in their order. */
type WritePart = 'assemble' | 'copy' | 'upserts' | 'joins' | 'events' | 'commit';

/** Counts what is sent and measures the parts of one write. */
export class WriteStatsRecorder {
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

  figures(): WriteStats {
    return { rows: this.#rows, bytes: this.#bytes, ms: { ...this.#ms } };
  }
}
