import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { createDemoRequests } from './demo-requests.ts';
import { openLocalnetApp } from './v2-app.ts';

/**
 * Rewrites the examples of v2 that vary, with the responses of a chain with the demo. Examples that are written by hand
 * stay as they are, and so does the order of all examples; a new one is put before the first that is written by hand.
 */
const CHECKOUT = new URL('../../../', import.meta.url);
const FOLDER = new URL('src/v2/examples/', CHECKOUT);

interface Example {
  readonly title: string;
  readonly varies?: true;
}

const app = await openLocalnetApp({ demo: true, blockMs: 3_600_000 });
try {
  const requests = await createDemoRequests(app);
  // A transfer is accepted once only, so every request gets another number.
  let turn = 0;

  const recordExamples = async (operation: string): Promise<Example[]> => {
    const recorded: Example[] = [];
    for (const { title, params } of (requests[operation] ?? []).filter(({ isExample }) => isExample)) {
      const sent = params(turn++);
      const { status, body } = await app.call(operation, sent);
      if (status !== 200) throw new Error(`${operation}, ${title}: ${status} ${body.error}`);
      recorded.push({ title, params: sent, varies: true, result: body.result } as Example);
    }
    return recorded;
  };

  for (const name of readdirSync(FOLDER)) {
    const file = new URL(name, FOLDER);
    const family: Record<string, Example[]> = JSON.parse(readFileSync(file, 'utf8'));
    for (const [operation, examples] of Object.entries(family))
      family[operation] = merge(examples, await recordExamples(operation));
    writeFileSync(file, JSON.stringify(family, null, 2));
  }
} finally {
  await app.close();
  await removeTemporaryDirectory(app.folder);
}
execFileSync('node_modules/.bin/biome', ['check', '--write', fileURLToPath(FOLDER)], {
  cwd: CHECKOUT,
  stdio: 'inherit',
});

/** Puts recorded examples in the places of those with the same titles; one that is not recorded any more goes. */
function merge(examples: readonly Example[], recorded: readonly Example[]): Example[] {
  const added = recorded.filter(({ title }) => !examples.some((one) => one.varies && one.title === title));
  const merged = examples.flatMap((example) =>
    example.varies ? recorded.filter(({ title }) => title === example.title) : [example],
  );
  const firstFixed = merged.findIndex(({ varies }) => !varies);
  return merged.toSpliced(firstFixed < 0 ? merged.length : firstFixed, 0, ...added);
}
