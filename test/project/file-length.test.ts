import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Folder to the most lines a file in it may have. */
const walls: readonly (readonly [folder: string, lines: number])[] = [
  ['src', 300],
  ['migrations', 300],
  ['bench', 300],
  ['test', 400],
];

/** Tables and generated files that may be longer, as paths from the root. */
const excepted: readonly string[] = [];

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js|mjs)$/.test(path))
    .map((path) => `${folder}/${path}`)
    .filter((path) => !excepted.includes(path));
}

describe('file length', () => {
  test.each(walls)('no file of %s has more than %i lines', (folder, wall) => {
    const paths = sourcesBelow(folder);
    const long = paths
      .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length }))
      .filter((file) => file.lines > wall);
    expect(paths.length).toBeGreaterThan(0);
    expect(long).toEqual([]);
  });
});
