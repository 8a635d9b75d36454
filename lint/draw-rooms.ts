import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import ts from 'typescript';

// Draws the rooms of src/ and their imports into docs/design/layout.md. With --check it fails if the page shows others.

const root = join(import.meta.dirname, '..');
const page = join(root, 'docs/design/layout.md');
const [START, END] = ['<!-- rooms: drawn by npm run layers:draw -->', '<!-- end of rooms -->'];
/** Open to every room, so their arrows would hide the others. */
const OPEN_ROOMS = new Set(['lib']);

const roomOf = (path: string): string | undefined => /^src\/([^/]+)\//.exec(path)?.[1];

/** The rooms that each room imports, types included. */
function readImports(): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
    const file = join('src', path);
    const room = roomOf(file);
    if (room === undefined || !file.endsWith('.ts')) continue;
    const targets = imports.get(room) ?? new Set();
    imports.set(room, targets);
    for (const { fileName } of ts.preProcessFile(readFileSync(join(root, file), 'utf8')).importedFiles) {
      const target = fileName.startsWith('.') && roomOf(normalize(join(dirname(file), fileName)));
      if (target && target !== room) targets.add(target);
    }
  }
  return imports;
}

/** All rooms that a room reaches. */
function reached(imports: ReadonlyMap<string, ReadonlySet<string>>, room: string): Set<string> {
  const seen = new Set<string>();
  const rest = [...(imports.get(room) ?? [])];
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
  const cyclic = rooms.filter((room) => below.get(room)!.has(room));
  if (cyclic.length > 0) throw new Error(`Rooms import each other in a circle: ${cyclic.join(', ')}`);
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

const text = readFileSync(page, 'utf8');
const [before, rest] = text.split(START);
const after = rest?.split(END)[1];
if (after === undefined) throw new Error(`docs/design/layout.md has no place for the drawing: ${START}`);
const drawn = `${before}${draw(readImports())}${after}`;
if (!process.argv.includes('--check')) writeFileSync(page, drawn);
else if (drawn !== text) {
  process.stderr.write('The drawing of rooms in docs/design/layout.md is not up to date: npm run layers:draw\n');
  process.exitCode = 1;
}
