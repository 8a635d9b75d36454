import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { v2Operations } from '../../../src/v2/operations.ts';
import { removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { type DemoQuestion, demoQuestions } from './demo-questions.ts';
import { openLocalnetApp } from './v2-app.ts';

/** Writes the examples of all operations anew: asks a chain with the demo and keeps what it says. */
const CHECKOUT = new URL('../../../', import.meta.url);
const FOLDER = new URL('src/v2/examples/', CHECKOUT);

const ground = await openLocalnetApp({ demo: true, blockMs: 3_600_000 });
try {
  const questions = await demoQuestions(ground);
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [position, { name }] of v2Operations.entries()) {
    const asked = (questions[name] ?? []).filter(({ isExample }) => isExample);
    if (asked.length > 0) await writeExamples(name, asked, position);
  }
} finally {
  await ground.close();
  await removeTemporaryDirectory(ground.folder);
}
execFileSync('node_modules/.bin/biome', ['check', '--write', fileURLToPath(FOLDER)], {
  cwd: CHECKOUT,
  stdio: 'inherit',
});

async function writeExamples(name: string, asked: readonly DemoQuestion[], turn: number): Promise<void> {
  const examples = [];
  for (const { title, params } of asked) {
    const given = params(turn);
    const { status, body } = await ground.call(name, given);
    if (status !== 200) throw new Error(`${name}, ${title}: ${status} ${body.error}`);
    examples.push({ title, params: given, varies: true, result: body.result });
  }
  const file = `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
  const text = `/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const ${name}Examples = ${JSON.stringify(examples, null, 2)} as const;
`;
  writeFileSync(new URL(file, FOLDER), text);
}
