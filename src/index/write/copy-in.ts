import type { ClientBase } from 'pg';
import { from } from 'pg-copy-streams';
import { COPY_END, COPY_HEAD, type CopyRows, copyStatement, type createRowFormat } from '../../db/copy.ts';

/** Smaller pieces are joined up to this size; joining larger ones would only copy them. */
const JOINED_BYTES = 64 * 1024;

export interface Sent {
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
  // Not a pipeline: that destroys the stream after a server error, when it has lost its connection. For the same reason
  // each piece is sent only after the previous one, and none after an error. The stream may still fail a second time, and
  // an unhandled error would crash the process.
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

/** Writes values as rows of a table. */
export function copyFormat<T>(
  client: ClientBase,
  table: string,
  format: ReturnType<typeof createRowFormat<T>>,
  values: Iterable<T>,
): Promise<Sent> {
  return copyIn(client, table, format.columns, [format.rows(values)]);
}

/** The whole stream, with small pieces joined. */
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

/** What a write did and how long its parts took. */
export interface WriteStats {
  readonly rows: number;
  readonly bytes: number;
  readonly ms: Readonly<Record<WritePart, number>>;
}

/** The parts of a write, in their order. */
type WritePart = 'assemble' | 'copy' | 'upserts' | 'joins' | 'events' | 'commit';

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

  result(): WriteStats {
    return { rows: this.#rows, bytes: this.#bytes, ms: { ...this.#ms } };
  }
}
