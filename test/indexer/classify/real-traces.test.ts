import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import { classifyTrace } from '../../../src/indexer/actions/classify-trace.ts';
import { classifyNewest } from '../../../src/indexer/classify/classify-loop.ts';
import { asRow, compareActions } from '../../conformance/traces/compare-actions.ts';
import { fixtureInput, readTraceFixture } from '../../conformance/traces/read-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { isLongRun } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { readStoredActions } from '../../support/stored-actions.ts';
import { openConnections } from './support/classifying.ts';
import { actionOf, putContracts, putTrace } from './support/fixture-rows.ts';

const TRACES = fileURLToPath(new URL('../../../../shared/data/traces/data/', import.meta.url));
const missing = existsSync(TRACES) ? '' : ' (skipped: the traces are not beside this checkout)';
const WIDTH = 1_000_000_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  const db = database.database.primary;
  await ensurePartitions(db, { from: 0, to: 0, width: WIDTH });
  const origin = { zero_state: Buffer.alloc(32), first_seqno: 1, partition_seqnos: WIDTH };
  await db.insertInto('index_origin').values(origin).execute();
});
afterAll(() => database?.drop());

describe.skipIf(missing !== '')(`indexed mainnet traces${missing}`, () => {
  it('have the actions that classifyTrace returns', async () => {
    const db = database.database.primary;
    const connections = openConnections(database);
    const context = { connections, log: createQuietLog(), partitions: new Set<number>() };
    const faults: string[] = [];
    const types = new Set<string>();
    for (const name of readdirSync(TRACES)) {
      const fixture = readTraceFixture(join(TRACES, name));
      const input = fixtureInput(fixture);
      const { actions } = classifyTrace(input);
      // A sample has every type of action once.
      if (!isLongRun && actions.every(({ type }) => types.has(type))) continue;
      for (const { type } of actions) types.add(type);
      await putTrace(db, input.trace);
      await putContracts(db, fixture.interfaces);
      await classifyNewest(context);
      const rows = await readStoredActions(db);
      const expected = actions.map((action) =>
        asRow({ ...action, accounts: action.accounts.filter((one) => one.includes(':')) }),
      );
      for (const { text } of compareActions(rows.map(actionOf), expected).differing) faults.push(text);
    }
    await connections.close();
    expect(faults).toEqual([]);
    expect(types.size).toBeGreaterThan(20);
    expect(context.log.lines).toEqual([]);
  }, 60_000);
});
