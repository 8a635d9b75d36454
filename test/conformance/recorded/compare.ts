import { parseArgs } from 'node:util';
import { missingNetwork } from '../../support/recorded-network.ts';
import {
  type Compared,
  type Comparison,
  describeDifferences,
  runComparison,
  type Verdict,
} from './comparison.ts';
import { openRecordedApp } from './recorded-app.ts';

const VERDICTS: readonly Verdict[] = ['equal', 'intended', 'time', 'wrong'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

if (missingNetwork !== '') {
  console.error(`Nothing to compare${missingNetwork}`);
  process.exit(2);
}
const app = await openRecordedApp();
try {
  const comparison = await runComparison(app, values.only);
  printTable(comparison);
  printDetails(comparison, values.verbose);
  process.exitCode = comparison.compared.some(({ verdict }) => verdict === 'wrong') ? 1 : 0;
} finally {
  await app.close();
}

function printTable({ compared, notOffered }: Comparison): void {
  const operations = [...new Set(compared.map(({ testCase }) => testCase.operation))].sort();
  const count = (of: readonly Compared[], verdict: Verdict): number =>
    of.filter((one) => one.verdict === verdict).length;
  const row = (name: string, of: readonly Compared[]) => ({
    operation: name,
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(of, verdict) || ''])),
  });
  const rows = operations.map((name) =>
    row(
      name,
      compared.filter(({ testCase }) => testCase.operation === name),
    ),
  );
  console.table([...rows, row('all', compared)]);
  const files = new Set(compared.map(({ testCase }) => testCase.name)).size;
  console.log(
    `${compared.length} requests from ${files} recorded files; ${notOffered.length} files without an operation`,
  );
}

function printDetails({ compared, notOffered }: Comparison, verbose: boolean): void {
  if (verbose) {
    for (const { name, function: tonlibFunction, why } of notOffered)
      console.log(`not offered  ${name} (${tonlibFunction}): ${why}`);
    for (const { testCase, verdict, rules } of compared.filter((one) => one.rules.length > 0)) {
      console.log(`${verdict}  ${title(testCase)}: ${rules.map(({ name }) => name).join('; ')}`);
    }
  }
  for (const { testCase, rules, differences } of compared.filter(({ verdict }) => verdict === 'wrong')) {
    console.log(`\nwrong  ${title(testCase)}`);
    console.log(`       ${JSON.stringify(testCase.request).slice(0, verbose ? undefined : 400)}`);
    if (rules.length > 0) console.log(`       with: ${rules.map(({ name }) => name).join('; ')}`);
    for (const line of describeDifferences(differences, verbose ? 50 : 8)) console.log(`       ${line}`);
  }
}

function title({ name, operation, transport }: Compared['testCase']): string {
  return `${name} → ${operation} by ${transport}`;
}
