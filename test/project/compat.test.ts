import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/compat.md', root), 'utf8');

/** A test file in code, followed by titles in curly quotes. */
const NAMED = /`(test\/[\w/.-]+\.test\.ts)`((?:,? ?(?:and )?“[^”]+”)*)/g;

test('docs/compat.md names tests that exist', () => {
  const named = [...page.matchAll(NAMED)].flatMap(([, file = '', titles = '']) =>
    [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ file, title })),
  );
  expect(named.length).toBeGreaterThan(50);
  const missing = named.filter(({ file, title }) => {
    const path = fileURLToPath(new URL(file, root));
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
  });
  expect(missing).toEqual([]);
});
