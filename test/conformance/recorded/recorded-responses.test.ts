import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongRun, sampleOf } from '../../support/long-run.ts';
import { missingNetwork } from '../../support/recorded-network.ts';
import type { V2TestApp } from '../../v2/support/v2-app.ts';
import { type Comparison, describeDifferences, rules, runComparison } from './comparison.ts';
import { openRecordedApp } from './recorded-app.ts';

/** Cases of a short run. */
const SAMPLE = 350;

/** Responses of tonlib and the Python service about a recorded network, compared with ours. */
describe.skipIf(missingNetwork !== '')(
  `recorded responses of tonlib and the Python service${missingNetwork}`,
  () => {
    let app: V2TestApp;
    let comparison: Comparison;
    beforeAll(async () => {
      app = await openRecordedApp();
      comparison = await runComparison(app, '', (cases) => sampleOf(cases, SAMPLE));
    }, 300_000);
    afterAll(() => app?.close());

    it('equal the responses of tongate, except for intended differences', () => {
      const wrong = comparison.compared.filter(({ verdict }) => verdict === 'wrong');
      expect(
        wrong.map(({ testCase, differences }) => [
          testCase.name,
          testCase.operation,
          ...describeDifferences(differences, 5),
        ]),
      ).toEqual([]);
    });

    it.runIf(isLongRun)('are compared completely', () => {
      const count = (verdict: string) => comparison.compared.filter((one) => one.verdict === verdict).length;
      expect({
        files: new Set([...comparison.compared.map(({ testCase }) => testCase.name), ...notOffered()]).size,
        notOffered: notOffered().length,
        cases: comparison.compared.length,
        equal: count('equal'),
        intended: count('intended'),
        time: count('time'),
      }).toEqual({ files: 1091, notOffered: 22, cases: 1115, equal: 692, intended: 387, time: 36 });
    });

    it.runIf(isLongRun)('need every rule', () => {
      const used = new Set(comparison.compared.flatMap((one) => one.rules));
      expect(rules.filter((rule) => !used.has(rule)).map(({ name }) => name)).toEqual([]);
    });

    function notOffered(): string[] {
      return comparison.notOffered.map(({ name }) => name);
    }
  },
);
