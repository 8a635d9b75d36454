import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/index/chunks.ts';
import type { Writer } from '../../../src/index/write/writer.ts';
import { putChunk, rowsOf } from '../../ingest/support/index-tables.ts';
import { traceTables } from '../../ingest/support/logical-index.ts';
import { expectedTraces, ToyChain, type ToyTransaction, toySeqno } from '../../ingest/support/toy-chain.ts';
import { useToyIndex } from '../../ingest/support/toy-index.ts';

/** One long trace: one transaction per seqno, from account to account. */
const chain = makeLongTrace(9);

function makeLongTrace(count: number): ToyTransaction[] {
  const toy = new ToyChain();
  const account = (at: number) => String(at % 3);
  const made: ToyTransaction[] = [];
  for (let at = 0; at < count; at++)
    made.push(
      toy.transaction({
        mcSeqno: at + 1,
        account: account(at),
        lt: (at + 1) * 10,
        in: made.at(-1)?.sent[0] ?? toy.external(account(0), 'external'),
        to: at === count - 1 ? [] : [account(at + 1)],
      }),
    );
  return made;
}

const TRACE_LOCK = 7_021_584_393;

describe('two concurrent trace writers', () => {
  const index = useToyIndex({ writers: 2 });
  let older: Writer;
  let newer: Writer;
  let low: Claim;
  let high: Claim;
  beforeEach(async () => {
    [older, newer] = index.writers as [Writer, Writer];
    // A partition per chunk: a writer waits for another one that stores the same body in the same partition.
    await index.begin(5);
    low = await putChunk(index.db, 1, 4);
    high = await putChunk(index.db, 5, 9);
  });

  const write = (writer: Writer, claim: Claim, ...seqnos: number[]) =>
    writer.write(claim, {
      seqnos: seqnos.map((seqno) => toySeqno(seqno, [chain[seqno - 1]!])),
      latest: [],
      earlier: [],
    });
  const expectTables = async (...seqnos: number[]) =>
    expect(await traceTables(index.db)).toEqual(
      expectedTraces(chain.filter(({ mcSeqno }) => seqnos.includes(mcSeqno))),
    );

  it('agree on a trace that one joins while the other continues it', async () => {
    await write(newer, high, 5, 6);
    await write(older, low, 1, 2, 3);
    await expectTables(1, 2, 3, 5, 6);
    await write(older, low, 4);
    await expectTables(1, 2, 3, 4, 5, 6);
    await write(newer, high, 7);
    await expectTables(1, 2, 3, 4, 5, 6, 7);
    await write(newer, high, 8, 9);
    await expectTables(1, 2, 3, 4, 5, 6, 7, 8, 9);
  });

  it.each(['the sender', 'the receiver'])('match their messages, %s first', async (first) => {
    await write(older, low, 1, 2, 3);
    const writes = [() => write(older, low, 4), () => write(newer, high, 5, 6)];
    if (first === 'the receiver') writes.reverse();
    await atOnce(writes);
    await expectTables(1, 2, 3, 4, 5, 6);
    await write(newer, high, 7, 8, 9);
    await expectTables(1, 2, 3, 4, 5, 6, 7, 8, 9);
  });

  it.each(['the sender', 'the receiver'])('join a trace that both have parts of, %s first', async (first) => {
    await write(older, low, 1, 2, 3);
    await write(newer, high, 5, 6);
    const writes = [() => write(older, low, 4), () => write(newer, high, 7, 8, 9)];
    if (first === 'the receiver') writes.reverse();
    await atOnce(writes);
    await expectTables(1, 2, 3, 4, 5, 6, 7, 8, 9);
  });

  /** Pauses writes at their joins, in this order, and then resumes them. */
  async function atOnce(writes: readonly (() => Promise<unknown>)[]): Promise<void> {
    const gate = new pg.Client({ connectionString: index.url });
    await gate.connect();
    await gate.query(`select pg_advisory_lock(${TRACE_LOCK})`);
    const running: Promise<unknown>[] = [];
    for (const start of writes) {
      running.push(start());
      while ((await waiting()) < running.length) await sleep(5);
    }
    await gate.end();
    await Promise.all(running);
  }

  async function waiting(): Promise<number> {
    const locks = `select from pg_locks join pg_database on pg_database.oid = database
      where locktype = 'advisory' and not granted and datname = current_database()`;
    return (await rowsOf(index.db, locks)).length;
  }
});
