import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestDatabase } from '../support/database.ts';
import { openFilledIndex } from './support/filled-index.ts';
import {
  ACCOUNT_AND_TRACE_CASES,
  BLOCK_CASES,
  MESSAGE_CASES,
  TRANSACTION_CASES,
} from './support/query-cases.ts';
import { openPlans, type PlanReader } from './support/query-plan.ts';

/** Out of about 20 000 to 40 000 rows in a large table. */
const FEW = 750;

let test: TestDatabase;
let reader: PlanReader | undefined;

beforeAll(async () => {
  test = await openFilledIndex();
  reader = openPlans(test.url);
});
afterAll(async () => {
  await reader?.close();
  await test.drop();
});

describe.each([
  ['blocks', BLOCK_CASES],
  ['transactions', TRANSACTION_CASES],
  ['messages', MESSAGE_CASES],
  ['accounts and traces', ACCOUNT_AND_TRACE_CASES],
])('%s', (_, cases) => {
  it.each(cases)('$name: reads few rows and sorts few', async ({ sql, values = [] }) => {
    const plan = await reader!.planOf(sql, values);
    expect(plan.seqScans, plan.text).toEqual([]);
    expect(plan.sortedRows, plan.text).toBeLessThan(FEW);
    expect(plan.touchedRows, plan.text).toBeLessThan(FEW);
  });
});
