import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/db/tables/tables.ts';

/** When each seqno was written. */
export interface WrittenSeqnos {
  /** Milliseconds on the clock of this machine, which is that of the database; undefined if it is not known. */
  readonly at: (seqno: number) => number | undefined;
  readonly stop: () => Promise<void>;
}

const POLL_MS = 10;
/** Seqnos that may be written between two looks. */
const MAX_BEHIND = 50;

/** Starts to note when seqnos are written. */
export function watchWrittenSeqnos(db: Kysely<Tables>): WrittenSeqnos {
  const writtenAtMs = new Map<number, number>();
  let isOver = false;
  const running = (async () => {
    let last = 0;
    while (!isOver) {
      const { rows } = await sql<{ done_seqno: number; beat: number }>`
        select done_seqno, extract(epoch from beat)::float8 * 1000 as beat from index_chunks where last_seqno is null`.execute(
        db,
      );
      const [head] = rows;
      if (head !== undefined) {
        for (let one = Math.max(last + 1, head.done_seqno - MAX_BEHIND); one <= head.done_seqno; one++)
          writtenAtMs.set(one, head.beat);
        last = head.done_seqno;
      }
      await sleep(POLL_MS);
    }
  })();
  running.catch(() => {});
  return {
    at: (seqno) => writtenAtMs.get(seqno),
    async stop() {
      isOver = true;
      await running;
    },
  };
}
