import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A longer file is a reason to look for the seam; see the house rules in docs/design. */
const LONG_FILE_LINES = 500;
/** Files that are long for a reason. */
const LONG_FILES: readonly string[] = [];

const SMALL_FILE_LINES = 30;
/** A folder with this many files must not consist of small ones. */
const HEAP_FILES = 6;

interface SourceFile {
  readonly path: string;
  readonly lines: number;
}

const sources: readonly SourceFile[] = ['src', 'migrations', 'bench', 'web'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.(ts|tsx|js|mjs|css)$/.test(path))
    .map((path) => `${folder}/${path}`)
    .map((path) => ({ path, lines: readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length })),
);

describe('source files', () => {
  test(`have at most ${LONG_FILE_LINES} lines, with a list of exceptions`, () => {
    expect(sources.length).toBeGreaterThan(300);
    const long = sources.filter(({ lines }) => lines > LONG_FILE_LINES).map(({ path }) => path);
    expect(long.sort()).toEqual([...LONG_FILES].sort());
  });

  test('are not split into heaps of tiny files', () => {
    const folders = Map.groupBy(
      sources.filter(({ path }) => path.startsWith('src/')),
      ({ path }) => dirname(path),
    );
    const heaps = [...folders].filter(([, files]) => {
      const small = files.filter(({ lines }) => lines < SMALL_FILE_LINES);
      return files.length >= HEAP_FILES && small.length > files.length / 2;
    });
    expect(heaps.map(([folder]) => folder)).toEqual([]);
  });
});
