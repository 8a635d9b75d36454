import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const program = fileURLToPath(new URL('../../lint/draw-rooms.ts', import.meta.url));
const PLACE = '<!-- rooms: drawn by npm run layers:draw -->\n<!-- end of rooms -->\n';

let folder: string;
beforeAll(async () => {
  folder = await makeTemporaryDirectory('draw-rooms');
});
afterAll(() => removeTemporaryDirectory(folder));

/** Writes a tree with a page for the drawing, and draws it. */
function draw(name: string, files: Readonly<Record<string, string>>, ...args: string[]) {
  const root = join(folder, name);
  for (const [path, text] of Object.entries({ 'docs/design/layout.md': PLACE, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stderr } = spawnSync(process.execPath, [program, '--root', root, ...args], {
    encoding: 'utf8',
  });
  return { status, stderr, page: readFileSync(join(root, 'docs/design/layout.md'), 'utf8') };
}

describe('lint/draw-rooms.ts', () => {
  test('draws the imports of rooms, and with --check fails on a page without them', () => {
    const files = {
      'src/v2/accounts.ts': "import '../chain/tlb/account.ts';",
      'src/chain/tlb/account.ts': "import '../boc/cells.ts';",
      'src/chain/boc/cells.ts': '',
    };
    const drawn = draw('tree', files);
    expect(drawn).toMatchObject({ status: 0, stderr: '' });
    expect(drawn.page).toContain('v2 --> chain');
    expect(draw('tree', files, '--check')).toMatchObject({ status: 1, page: PLACE });
  });

  test('fails if two folders of a room import each other', () => {
    const { status, stderr, page } = draw('siblings', {
      'src/chain/tlb/account.ts': "import '../boc/cells.ts';",
      'src/chain/boc/cells.ts': "import type { A } from '../tlb/block.ts';",
      'src/chain/tlb/block.ts': 'export type A = 1;',
    });
    expect({ status, page }).toEqual({ status: 1, page: PLACE });
    expect(stderr).toContain('Folders import each other in a circle: src/chain/boc, src/chain/tlb');
  });

  test('fails if a folder and its parent import each other', () => {
    const { status, stderr } = draw('parent', {
      'src/lite/pool.ts': "import './methods/blocks.ts';",
      'src/lite/methods/blocks.ts': "import '../errors.ts';",
      'src/lite/errors.ts': '',
    });
    expect(status).toBe(1);
    expect(stderr).toContain('Folders import each other in a circle: src/lite, src/lite/methods');
  });

  test('fails on a circle of three folders in two rooms', () => {
    const { status, stderr } = draw('rooms', {
      'src/lite/pool.ts': "import '../chain/tlb/block.ts';",
      'src/chain/tlb/block.ts': "import '../boc/cells.ts';",
      'src/chain/boc/cells.ts': "import '../../lite/pool.ts';",
    });
    expect(status).toBe(1);
    expect(stderr).toContain('src/chain/boc, src/chain/tlb, src/lite');
  });
});
