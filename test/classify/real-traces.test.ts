import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { classifyTrace } from '../../src/actions/classify-trace.ts';
import { classifyNewest } from '../../src/classify/classify-loop.ts';
import { asRow, compareActions } from '../conformance/traces/compare-actions.ts';
import { fixtureInput, readTraceFixture } from '../conformance/traces/read-fixture.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun } from '../support/long-run.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { readStoredActions } from '../support/stored-actions.ts';
import { openConnections } from './support/classifying.ts';
import { actionOf, putContracts, putTrace } from './support/fixture-rows.ts';

const TRACES = fileURLToPath(new URL('../../../shared/data/traces/data/', import.meta.url));
const missing = existsSync(TRACES) ? '' : ' (skipped: the traces are not beside this checkout)';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
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
      const found = classifyTrace(input).actions;
      // A sample has the traces with several types of actions that no earlier one had.
      const added = new Set(found.map(({ type }) => type).filter((type) => !types.has(type)));
      if (!isLongRun && added.size < 2) continue;
      for (const { type } of found) types.add(type);
      const { actions } = classifyTrace({ ...input, trace: await putTrace(database, input.trace) });
      expect(actions.length).toBe(found.length);
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
  });
});
