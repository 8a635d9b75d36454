import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = makeTemporaryDirectory('lint');

beforeAll(() => {
  for (const path of ['biome.json', 'lint'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
});
afterAll(() => removeTemporaryDirectory(folder));

/** Checks a file in a folder with the configuration of the project. */
function check(text: string) {
  writeFileSync(join(folder, 'planted.ts'), text);
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const args = [biome, 'ci', '--colors=off', 'planted.ts'];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}

test('the linter rejects a spread object literal', () => {
  const { status, stderr } = check('export const a = (x: number) => ({ y: 1, ...{ b: x, c: 2 } });\n');
  expect(stderr).toContain('Write the members out');
  expect(status).not.toBe(0);
});

test('the linter allows other spreads', () => {
  const text = 'export const a = (x: object, y?: object) => ({ ...x, ...(y && { y }), z: 1 });\n';
  expect(check(text)).toMatchObject({ status: 0 });
});
