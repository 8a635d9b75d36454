import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Made by tools, not part of the source. Other hidden folders belong to an editor or to git. */
const ignored = new Set(['node_modules', 'data', 'dist', 'coverage']);
const hiddenButOurs = new Set(['.ci']);

const folderNames = (path: string): string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

const holdsFiles = (path: string): boolean =>
  readdirSync(join(root, path), { withFileTypes: true, recursive: true }).some((entry) => entry.isFile());

/** Folders below `path`, all the way down; an empty one is not part of a clone and does not count. */
function foldersBelow(path: string): string[] {
  return folderNames(path)
    .map((name) => `${path}/${name}`)
    .filter(holdsFiles)
    .flatMap((folder) => [folder, ...foldersBelow(folder)]);
}

const realFolders = (): string[] => {
  const top = folderNames('.')
    .filter((name) => !ignored.has(name) && (!name.startsWith('.') || hiddenButOurs.has(name)))
    .filter(holdsFiles);
  return [...top, ...foldersBelow('src')].sort();
};

const documentedFolders = (): string[] =>
  readFileSync(join(root, 'docs/design/layout.md'), 'utf8')
    .split('\n')
    .flatMap((line) => /^- `([^`]+)\/` — \S/.exec(line)?.[1] ?? [])
    .sort();

test('docs/design/layout.md has one line for every folder and none for a folder that is gone', () => {
  expect(documentedFolders()).toEqual(realFolders());
});
