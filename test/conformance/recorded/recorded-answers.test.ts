import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingNetwork } from '../../support/recorded-network.ts';
import type { V2TestApp } from '../../v2/support/v2-app.ts';
import { openRecordedGround } from './open-recorded-ground.ts';
import { describeDifferences } from './outcome-differences.ts';
import { rules } from './rules/rules-list.ts';
import { type Comparison, runComparison } from './run-comparison.ts';

/** What tonlib and the Python service said about a recorded network, and what we say about it. */
describe.skipIf(missingNetwork !== '')(`recorded answers of reference services${missingNetwork}`, () => {
  let ground: V2TestApp;
  let comparison: Comparison;
  beforeAll(async () => {
    ground = await openRecordedGround();
    comparison = await runComparison(ground);
  }, 300_000);
  afterAll(() => ground?.close());

  it('are ours too, but for what is wanted otherwise', () => {
    const wrong = comparison.compared.filter(({ verdict }) => verdict === 'wrong');
    expect(
      wrong.map(({ asked, differences }) => [
        asked.name,
        asked.operation,
        ...describeDifferences(differences, 5),
      ]),
    ).toEqual([]);
  });

  it('are all compared', () => {
    const count = (verdict: string) => comparison.compared.filter((one) => one.verdict === verdict).length;
    expect({
      files: new Set([...comparison.compared.map(({ asked }) => asked.name), ...notOffered()]).size,
      notOffered: notOffered().length,
      questions: comparison.compared.length,
      equal: count('equal'),
      wanted: count('wanted'),
      time: count('time'),
    }).toEqual({ files: 1091, notOffered: 22, questions: 1115, equal: 692, wanted: 387, time: 36 });
  });

  it('need every rule that there is', () => {
    const used = new Set(comparison.compared.flatMap((one) => one.rules));
    expect(rules.filter((rule) => !used.has(rule)).map(({ name }) => name)).toEqual([]);
  });

  function notOffered(): string[] {
    return comparison.notOffered.map(({ name }) => name);
  }
});
