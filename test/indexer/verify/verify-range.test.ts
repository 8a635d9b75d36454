import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Verification, verifyRange } from '../../../src/indexer/verify/verify-range.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openLocalnetGround, openReplayGround, type V2Ground } from '../../v2/support/v2-ground.ts';
import { type IndexGround, isWhole, openIndexGround, until, untilNothingIsMissing } from '../index-ground.ts';
import { DAMAGES } from './damages.ts';

/** What is compared by whom, for both chains. */
function describeChain(open: () => Promise<V2Ground>, headOf: (chain: V2Ground) => number): void {
  let chain: V2Ground;
  let index: IndexGround;
  let head: number;

  beforeAll(async () => {
    chain = await open();
    index = await openIndexGround();
    head = headOf(chain);
    const indexer = index.indexer(chain.pool, { lanes: 2, chunkSeqnos: 20 });
    indexer.start();
    await until(indexer, isWhole(head));
    await untilNothingIsMissing(index);
    await indexer.close();
  });
  afterAll(async () => {
    await index?.close();
    await chain?.close();
  });

  const verify = (from = 1, to = head): Promise<Verification> =>
    verifyRange({ db: index.database.primary, pool: chain.pool, check: { verify: true }, from, to });

  it('finds nothing wrong with the whole index', async () => {
    const { differences, differenceCount, compared } = await verify();
    expect(differences).toEqual([]);
    expect(differenceCount).toBe(0);
    for (const table of [
      'blocks',
      'shard_states',
      'transactions',
      'messages',
      'message_contents',
      'traces',
    ]) {
      const { rows } = await sql<{ count: string }>`select count(*) from ${sql.table(table)} where ${
        table === 'message_contents' ? sql`true` : sql.ref(table === 'traces' ? 'mc_seqno_end' : 'mc_seqno')
      }${table === 'message_contents' ? sql`` : sql` <= ${head}`}`.execute(index.database.primary);
      if (table === 'message_contents')
        expect(compared.get(table)).toBeGreaterThanOrEqual(Number(rows[0]!.count));
      else expect(compared.get(table), table).toBe(Number(rows[0]!.count));
    }
  });

  it('finds nothing wrong with parts of it', async () => {
    const middle = Math.floor(head / 2);
    for (const [from, to] of [
      [1, 5],
      [20, middle],
      [middle, head],
    ] as const)
      expect((await verify(from, to)).differences).toEqual([]);
  });

  it.each(DAMAGES)('finds $name', async ({ damage, table, column }) => {
    const client = index.database.primary;
    const undo = await damage(client, head);
    try {
      const { differences } = await verify();
      expect(differences).toContainEqual(
        expect.objectContaining(column === undefined ? { table } : { table, column }),
      );
      expect(differences.length).toBeLessThan(5);
    } finally {
      await undo();
    }
  });
}

describe.skipIf(missingNetwork !== '')(`the recorded network${missingNetwork}`, () => {
  describeChain(openReplayGround, () => 125);
});

describe('a local chain with a demo', () => {
  describeChain(
    () => openLocalnetGround({ demo: true, shards: 2, blockMs: 60_000 }),
    (chain) => chain.pool.head!.seqno,
  );
});
