import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIndexCheck } from '../../src/cli/index-health.ts';
import { ProgressTracker } from '../../src/indexer/progress.ts';
import { createHealth } from '../../src/observe/health.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

/** The readiness of a process that sees this head; with an indexer if it has a state. */
async function ready(network: string, head: number | undefined, state?: ProgressTracker['state']) {
  const tracker = new ProgressTracker(() => 0);
  if (state !== undefined) tracker.state = state;
  const health = createHealth();
  health.add(
    'index',
    createIndexCheck({
      database: test.database,
      network,
      head: () => head,
      progress: state === undefined ? undefined : () => tracker.read(head),
    }),
  );
  const { ready: isReady, checks } = await health.ready();
  return [isReady, checks.index!.text];
}

describe('readiness of the index', () => {
  it('is given without an index: the process serves v2', async () => {
    expect(await ready('mainnet', 5000)).toEqual([true, 'no index']);
    expect(await ready('mainnet', 5000, 'waiting')).toEqual([true, 'waiting']);
  });

  it('fails while the index is far behind the head, in every process that serves it', async () => {
    const db = test.database.primary;
    await sql`insert into index_origin (zero_state, first_seqno, partition_seqnos)
      values (${Buffer.alloc(32)}, 1001, 1000)`.execute(db);
    const filling = 'the index is being filled anew: ';
    expect(await ready('mainnet', 11_000)).toEqual([
      false,
      `${filling}seqno - of 11000, 0.0 %, 10000 not indexed yet`,
    ]);
    await sql`insert into index_chunks (first_seqno, last_seqno, done_seqno, beat)
      values (1001, null, 2000, now())`.execute(db);
    const far = `${filling}seqno 2000 of 11000, 10.0 %, 9000 not indexed yet`;
    expect(await ready('mainnet', 11_000)).toEqual([false, far]);
    expect(await ready('mainnet', 11_000, 'standby')).toEqual([false, far]);
    expect(await ready('mainnet', 2900)).toEqual([true, 'seqno 2000 of 2900, 52.6 %, 900 not indexed yet']);
    expect(await ready('mainnet', undefined)).toEqual([true, 'seqno 2000 of -, 100.0 %']);
    expect(await ready('mainnet', 2000, 'diverged')).toEqual([false, 'indexing has diverged']);
  });

  it('is given while history is back-filled, except on a local chain, whose index was started over', async () => {
    await sql`insert into index_chunks (first_seqno, last_seqno, done_seqno, beat)
      values (5001, null, 6000, now())`.execute(test.database.primary);
    const text = 'seqno 6000 of 6000, 40.0 %, 3000 not indexed yet';
    expect(await ready('mainnet', 6000)).toEqual([true, text]);
    expect(await ready('mainnet', 6000, 'following')).toEqual([true, `following, ${text}`]);
    expect(await ready('localnet', 6000)).toEqual([false, `the index is being filled anew: ${text}`]);
  });
});
