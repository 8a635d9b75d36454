/**
 * Compares our classification of traces with that of the reference, field by field, and prints how many actions of
 * each type are equal; then with the test cases of the reference. Usage: npm run check:traces [-- FOLDER...]
 * [--only TEXT] [--verbose]. A folder has `data/` and optionally `golden/` and `expected/`, like the reference data; cases
 * may be about traces of another folder. Exits with 1 if anything differs.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { checkExpected } from './check-expected.ts';
import { checkTraces } from './check-traces.ts';

const { values, positionals } = parseArgs({
  options: { only: { type: 'string', default: '' }, verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const shared = (name: string) => fileURLToPath(new URL(`../../../../shared/data/${name}`, import.meta.url));
const folders = positionals.length > 0 ? positionals : [shared('traces'), shared('traces-1.3')];
const { types, traces, faults } = checkTraces(folders, values.only);
for (const [type, { matched, differing }] of [...types].sort()) {
  process.stdout.write(
    `${type.padEnd(34)} ${String(matched).padStart(4)} equal ${String(differing).padStart(4)} differing\n`,
  );
}
const equal = traces.filter(({ isEqual }) => isEqual).length;
print(faults.map(({ trace, text }) => `${trace}: ${text}`));
process.stdout.write(`${equal} of ${traces.length} traces equal, ${faults.length} differences\n`);
const expected = checkExpected(folders, values.only);
print(expected.faults.map(({ name, text }) => `${name}: ${text}`));
process.stdout.write(
  `${expected.cases} expected cases, ${expected.values} values, ${expected.faults.length} differences\n`,
);
process.exitCode = faults.length + expected.faults.length > 0 ? 1 : 0;

function print(lines: readonly string[]): void {
  for (const line of values.verbose ? lines : lines.slice(0, 40)) process.stdout.write(`${line}\n`);
}
