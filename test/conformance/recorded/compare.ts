import { parseArgs } from 'node:util';
import { missingNetwork } from '../../support/recorded-network.ts';
import { openRecordedGround } from './open-recorded-ground.ts';
import { describeDifferences } from './outcome-differences.ts';
import { type Compared, type Comparison, runComparison, type Verdict } from './run-comparison.ts';

const VERDICTS: readonly Verdict[] = ['equal', 'wanted', 'time', 'wrong'];

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
  },
});

if (missingNetwork !== '') {
  console.error(`Nothing to compare with${missingNetwork}`);
  process.exit(2);
}
const ground = await openRecordedGround();
try {
  const comparison = await runComparison(ground, values.only);
  printTable(comparison);
  printDetails(comparison, values.verbose);
  process.exitCode = comparison.compared.some(({ verdict }) => verdict === 'wrong') ? 1 : 0;
} finally {
  await ground.close();
}

function printTable({ compared, notOffered }: Comparison): void {
  const operations = [...new Set(compared.map(({ asked }) => asked.operation))].sort();
  const count = (of: readonly Compared[], verdict: Verdict): number =>
    of.filter((one) => one.verdict === verdict).length;
  const row = (name: string, of: readonly Compared[]) => ({
    operation: name,
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, count(of, verdict) || ''])),
  });
  const rows = operations.map((name) =>
    row(
      name,
      compared.filter(({ asked }) => asked.operation === name),
    ),
  );
  console.table([...rows, row('all', compared)]);
  const files = new Set(compared.map(({ asked }) => asked.name)).size;
  console.log(
    `${compared.length} questions from ${files} recorded files; ${notOffered.length} files not offered`,
  );
}

function printDetails({ compared, notOffered }: Comparison, verbose: boolean): void {
  if (verbose) {
    for (const { name, function: asked, why } of notOffered)
      console.log(`not offered  ${name} (${asked}): ${why}`);
    for (const { asked, verdict, rules } of compared.filter((one) => one.rules.length > 0)) {
      console.log(`${verdict}  ${title(asked)}: ${rules.map(({ name }) => name).join('; ')}`);
    }
  }
  for (const { asked, rules, differences } of compared.filter(({ verdict }) => verdict === 'wrong')) {
    console.log(`\nwrong  ${title(asked)}`);
    console.log(`       ${JSON.stringify(asked.request).slice(0, verbose ? undefined : 400)}`);
    if (rules.length > 0) console.log(`       with: ${rules.map(({ name }) => name).join('; ')}`);
    for (const line of describeDifferences(differences, verbose ? 50 : 8)) console.log(`       ${line}`);
  }
}

function title({ name, operation, transport }: Compared['asked']): string {
  return `${name} → ${operation} by ${transport}`;
}
