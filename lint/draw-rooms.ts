import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

// Draws the rooms of src/ and their imports into docs/design/layout.md. With --check it fails if the page shows others.
// It always fails if folders import each other in a circle, a folder and one inside of it too: dependency-cruiser counts
// these as one. --root names another tree than this one.

const { check, root } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    root: { type: 'string', default: join(import.meta.dirname, '..') },
  },
}).values;
const page = join(root, 'docs/design/layout.md');
const [START, END] = ['<!-- rooms: drawn by npm run layers:draw -->', '<!-- end of rooms -->'];
/** Open to every room, so their arrows would hide the others. */
const OPEN_ROOMS = new Set(['lib']);

const roomOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/** Files with those they import, types included. */
const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => join('src', path))
  .map((file) => ({
    file,
    targets: ts
      .preProcessFile(readFileSync(join(root, file), 'utf8'))
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => normalize(join(dirname(file), fileName))),
  }));

/** The groups that each group of files imports. */
function importsBy(groupOf: (file: string) => string | undefined): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const { file, targets } of files) {
    const group = groupOf(file);
    if (group === undefined) continue;
    const reachedFrom = imports.get(group) ?? new Set();
    imports.set(group, reachedFrom);
    for (const target of targets.map(groupOf)) if (target && target !== group) reachedFrom.add(target);
  }
  return imports;
}

/** Everything that a group reaches. */
function reached(imports: ReadonlyMap<string, ReadonlySet<string>>, group: string): Set<string> {
  const seen = new Set<string>();
  const rest = [...(imports.get(group) ?? [])];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    rest.push(...(imports.get(next) ?? []));
  }
  return seen;
}

/** A drawing with the arrows that do not follow from others, and a table with all of them. */
function draw(imports: ReadonlyMap<string, ReadonlySet<string>>): string {
  const rooms = [...imports.keys()].sort();
  const below = new Map(rooms.map((room) => [room, reached(imports, room)]));
  const arrows = rooms.flatMap((room) => {
    const targets = [...imports.get(room)!].filter((target) => !OPEN_ROOMS.has(target)).sort();
    return targets
      .filter((target) => !targets.some((other) => below.get(other)!.has(target)))
      .map((target) => `  ${room} --> ${target}`);
  });
  const rows = rooms.map((room) => `| \`${room}\` | ${[...imports.get(room)!].sort().join(', ') || '—'} |`);
  return [
    START,
    '```mermaid',
    'flowchart TD',
    ...arrows,
    '```',
    '',
    'An arrow that follows from others is left out, and so are those to `lib`. All imports:',
    '',
    '| Room | imports |',
    '|---|---|',
    ...rows,
    END,
  ].join('\n');
}

const folders = importsBy((file) => (roomOf(file) === undefined ? undefined : dirname(file)));
const cyclic = [...folders.keys()].filter((folder) => reached(folders, folder).has(folder)).sort();
if (cyclic.length > 0) throw new Error(`Folders import each other in a circle: ${cyclic.join(', ')}`);

const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(START);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`docs/design/layout.md has no place for the drawing: ${START}`);
const drawn = `${before}${draw(importsBy(roomOf))}${after}`;
if (!check) writeFileSync(page, drawn);
else if (drawn !== text) {
  process.stderr.write(
    'The drawing of rooms in docs/design/layout.md is not up to date: npm run layers:draw\n',
  );
  process.exitCode = 1;
}
