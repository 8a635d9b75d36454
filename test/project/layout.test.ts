import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folders that have a line of their own in the page, with or without a list marker. */
const documented = [
  ...readFileSync(join(root, 'docs/design/layout.md'), 'utf8').matchAll(/^(?:- |\| )?`([^`]+)\/`/gm),
].map(([, folder = '']) => folder);

describe('docs/design/layout.md', () => {
  test('has a line for every room', () => {
    const rooms = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => `src/${name}`);
    expect(rooms.length).toBeGreaterThan(10);
    expect(rooms.filter((room) => !documented.includes(room))).toEqual([]);
  });

  test('names only folders that exist', () => {
    expect(documented.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });

  test('and the decisions name only files that exist', () => {
    const decisions = readdirSync(join(root, 'docs/design/decisions')).map((name) => `decisions/${name}`);
    const missing = ['layout.md', 'glossary.md', ...decisions].flatMap((page) =>
      [...readFileSync(join(root, 'docs/design', page), 'utf8').matchAll(/`(src\/[\w./-]+)`/g)]
        .filter(([, path = '']) => !existsSync(join(root, path)))
        .map(([, path]) => `${page}: ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
