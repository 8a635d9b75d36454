import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VALIDATOR_TABLES } from '../../../src/db/tables/validator-tables.ts';
import { rowsOf } from '../../ingest/support/index-tables.ts';
import { FIRST_START, madeHistory, writeHistory } from '../../ingest/validators/made-history.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { keyOf, pastOf, setOf } from '../../support/made-elector.ts';

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.drop());

async function dump() {
  const tables = VALIDATOR_TABLES.map(async (table) => [
    table,
    await rowsOf(test.database.primary, `select * from ${table} order by 1, 2, 3`),
  ]);
  return Object.fromEntries(await Promise.all(tables)) as Record<string, Record<string, unknown>[]>;
}

const clear = () => sql.raw(`truncate ${VALIDATOR_TABLES.join(', ')}`).execute(test.database.primary);

describe('what the elector and the configuration show', () => {
  it('is the same in whatever order blocks are written', async () => {
    const history = madeHistory();
    await writeHistory(test.url, [history]);
    const expected = await dump();
    expect(expected.validator_elections).toHaveLength(4);
    expect(expected.validator_cycles).toHaveLength(3);
    expect(expected.validator_complaints).toHaveLength(3);
    const one = history.map((update) => [update]);
    const orders = [
      one,
      one.toReversed(),
      [history.slice(7), history.slice(3, 7), history.slice(0, 3)],
      one.toSorted(([a], [b]) => ((a!.mcSeqno * 7) % 13) - ((b!.mcSeqno * 7) % 13)),
      // Everything twice, as if a state had been missing.
      [...one.toReversed(), ...one],
    ];
    for (const batches of orders) {
      await clear();
      await writeHistory(test.url, batches);
      expect(await dump()).toEqual(expected);
    }
  });

  it('keeps the greatest stakes, although fines lower them', async () => {
    await writeHistory(test.url, [madeHistory()]);
    const { validator_cycles: cycles, validator_cycle_members: members } = await dump();
    const past = pastOf(FIRST_START, setOf(FIRST_START, [1, 2, 3]));
    expect(cycles![0]).toMatchObject({
      cycle_start: `${FIRST_START}`,
      election_id: `${FIRST_START}`,
      total_stake: `${past.totalStake}`,
    });
    const stakes = members!.filter(({ cycle_start }) => cycle_start === `${FIRST_START}`);
    expect(stakes.map(({ stake }) => stake)).toEqual(['1011', '1012', '1013']);
  });

  it('replaces a set by a later one that starts at the same time', async () => {
    const start = FIRST_START;
    const [cycle] = madeHistory().flatMap(({ cycles }) => cycles);
    const update = (mcSeqno: number, numbers: readonly number[], hash: number) => ({
      mcSeqno,
      utime: start,
      election: undefined,
      cycles: [
        { ...cycle!, set: setOf(start, numbers), setHash: Buffer.alloc(32, hash), election: undefined },
      ],
      complaints: [],
    });
    const [early, late] = [update(1, [1, 2, 3], 1), update(2, [4, 2], 2)];
    for (const batches of [[[early], [late]], [[late], [early]], [[early, late]]]) {
      await clear();
      await writeHistory(test.url, batches);
      const { validator_cycles: cycles, validator_cycle_members: members } = await dump();
      expect(cycles).toMatchObject([{ total: 2, set_hash: '02'.repeat(32), source_seqno: 2 }]);
      expect(members!.map(({ pubkey }) => pubkey)).toEqual(
        [4, 2].map((number) => keyOf(number).toString('hex')),
      );
    }
  });
});
