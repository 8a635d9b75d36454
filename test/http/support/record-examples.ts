import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const CHECKOUT = new URL('../../../', import.meta.url);
const PREFIXES = {
  'src/v2/examples/': ['/api/v2/'],
  'src/v3/examples/': ['/api/v3/', '/api/emulate/v1/'],
};

/** Whether `npm run examples` runs, which writes what the server responds to the files of the examples. */
export const isRecording = process.env.RECORD_EXAMPLES === '1';

interface Recorded {
  readonly varies?: true;
  result: unknown;
}

/** Writes results of operations, by path, to the files that have their examples. */
export function recordExamples(results: ReadonlyMap<string, unknown>): void {
  for (const [path, prefixes] of Object.entries(PREFIXES)) {
    const folder = new URL(path, CHECKOUT);
    for (const name of readdirSync(folder)) {
      const file = new URL(name, folder);
      const family: Record<string, Recorded | Recorded[]> = JSON.parse(readFileSync(file, 'utf8'));
      for (const [operation, examples] of Object.entries(family)) {
        const example = Array.isArray(examples) ? examples.find(({ varies }) => varies) : examples;
        const found = prefixes.map((prefix) => prefix + operation).find((one) => results.has(one));
        if (example !== undefined && found !== undefined) example.result = results.get(found);
      }
      writeFileSync(file, JSON.stringify(family, null, 2));
    }
    execFileSync('node_modules/.bin/biome', ['check', '--write', fileURLToPath(folder)], {
      cwd: CHECKOUT,
      stdio: 'inherit',
    });
  }
}
