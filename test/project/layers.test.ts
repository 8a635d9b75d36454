import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs');
const config = join(root, '.dependency-cruiser.js');

interface Cruise {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
    }[];
  };
}

/** Runs the project's own configuration on the `src` and `migrations` below a folder. */
function cruise(folder: string): Cruise['summary'] {
  const run = spawnSync(
    process.execPath,
    [cruiser, '--config', config, '--output-type', 'json', 'src', 'migrations', 'web'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 64_000_000 },
  );
  if (!run.stdout.startsWith('{')) throw new Error(`dependency-cruiser said: ${run.stdout}${run.stderr}`);
  return (JSON.parse(run.stdout) as Cruise).summary;
}

/** Name of the file, its text, and the rules it breaks. */
type Probe = readonly [path: string, text: string, rules: readonly string[]];

const probes: readonly Probe[] = [
  // Rooms that are not in the row.
  ['src/lib/up.ts', "import '../chain/cell.ts';", ['lib-imports-rooms-of-its-row']],
  ['src/chain/up.ts', "import '../http/route.ts';", ['chain-imports-rooms-of-its-row']],
  ['src/config/up.ts', "import '../db/table.ts';", ['config-imports-rooms-of-its-row']],
  ['src/observe/up.ts', "import '../http/route.ts';", ['observe-imports-rooms-of-its-row']],
  ['src/lite/up.ts', "import '../db/table.ts';", ['lite-imports-rooms-of-its-row']],
  ['src/vm/up.ts', "import '../lite/pool.ts';", ['vm-imports-rooms-of-its-row']],
  ['src/db/up.ts', "import '../lite/pool.ts';", ['db-imports-rooms-of-its-row']],
  ['src/access/up.ts', "import '../v2/answer.ts';", ['access-imports-rooms-of-its-row']],
  ['src/index/up.ts', "import '../ingest/range.ts';", ['index-imports-rooms-of-its-row']],
  ['src/ingest/up.ts', "import '../access/key.ts';", ['ingest-imports-rooms-of-its-row']],
  ['src/actions/up.ts', "import '../db/table.ts';", ['actions-imports-rooms-of-its-row']],
  ['src/detect/up.ts', "import '../http/route.ts';", ['detect-imports-rooms-of-its-row']],
  ['src/metadata/up.ts', "import '../ingest/range.ts';", ['metadata-imports-rooms-of-its-row']],
  ['src/classify/up.ts', "import '../v3/blocks/get.ts';", ['classify-imports-rooms-of-its-row']],
  ['src/webhooks/up.ts', "import '../v2/answer.ts';", ['webhooks-imports-rooms-of-its-row']],
  ['src/verify/side.ts', "import '../lite/pool.ts';", ['verify-imports-rooms-of-its-row']],
  [
    'src/verify/down.ts',
    "import type { Cell } from '../chain/cell.ts';\nexport type A = Cell;",
    ['verify-imports-rooms-of-its-row'],
  ],
  ['src/verify/ingest.ts', "import '../ingest/range.ts';", ['verify-imports-rooms-of-its-row']],
  ['src/pending/up.ts', "import '../http/route.ts';", ['pending-imports-rooms-of-its-row']],
  ['src/http/up.ts', "import '../v2/answer.ts';", ['http-imports-rooms-of-its-row']],
  [
    'src/http/down.ts',
    "import type { Row } from '../db/table.ts';\nexport type A = Row;",
    ['http-imports-rooms-of-its-row'],
  ],
  ['src/v2/side.ts', "import '../db/table.ts';", ['v2-imports-rooms-of-its-row']],
  ['src/v3/side.ts', "import '../v2/answer.ts';", ['v3-imports-rooms-of-its-row']],
  ['src/localnet/up.ts', "import '../http/route.ts';", ['localnet-imports-rooms-of-its-row']],
  // Values of a room of which only types may be imported.
  [
    'src/http/value.ts',
    "import { log } from '../observe/log.ts';\nlog();",
    ['http-imports-only-types-there'],
  ],
  [
    'src/lite/value.ts',
    "import { log, type Log } from '../observe/log.ts';\nexport const a: Log = log;",
    ['lite-imports-only-types-there'],
  ],
  ['src/db/value.ts', "export { cell } from '../chain/cell.ts';", ['db-imports-only-types-there']],
  [
    'src/access/value.ts',
    "export const a = () => import('../http/route.ts');",
    ['access-imports-only-types-there'],
  ],
  ['src/v3/value.ts', "import '../lite/pool.ts';", ['v3-imports-only-types-there']],
  // Packages and Node modules.
  ['src/lib/package.ts', "import 'kysely';", ['lib-imports-packages-of-its-row']],
  [
    'src/http/package.ts',
    "import type { Kysely } from 'kysely';\nexport type A = Kysely;",
    ['http-imports-packages-of-its-row'],
  ],
  ['src/chain/disk.ts', "import 'node:fs';", ['chain-imports-builtins-of-its-row']],
  ['src/v2/operations/route.ts', "import 'fastify';", ['handlers-do-not-know-fastify']],
  ['src/cli/dev.ts', "import 'vitest';", ['no-development-package']],
  ['src/cli/absent.ts', "import './nowhere.ts';", ['imports-resolve']],
  ['src/cli/test.ts', "import '../../test/app.ts';", ['source-does-not-import-tests']],
  // The pages.
  ['src/web/up.ts', "import '../v3/blocks/get.ts';", ['web-imports-rooms-of-its-row']],
  ['web/page.ts', "import '../src/lib/plain.ts';", ['pages-stand-alone']],
  ['src/cli/page.ts', "import '../../web/other.ts';", ['source-does-not-import-pages']],
  // The storage format of the index.
  ['src/v3/page.ts', "import '../index/format/page.ts';", ['only-index-knows-its-format']],
  ['src/streaming/page.ts', "import '../index/format/page.ts';", ['only-index-knows-its-format']],
  // Shape of the whole.
  ['src/v2/cli.ts', "import '../cli/start.ts';", ['nothing-imports-cli', 'v2-imports-rooms-of-its-row']],
  ['src/main.ts', "import './cli/start.ts';\nimport './http/route.ts';", ['main-imports-cli-only']],
  ['src/lib/one.ts', "import { two } from './two.ts';\nexport const one = () => two;", ['no-cycles']],
  ['migrations/0001-first.ts', "import '../src/db/table.ts';", ['migrations-stand-alone']],
  ['src/store/thing.ts', 'export const thing = 1;', ['file-lives-in-a-known-room-alone']],
  ['src/lib/utils.ts', 'export const a = 1;', ['file-name-says-what-is-inside-alone']],
  ['src/v3/blocks/types.ts', "import '../../lib/plain.ts';", ['file-name-says-what-is-inside']],
];

/** Imports that the table allows. */
const allowed: readonly (readonly [path: string, text: string])[] = [
  ['src/lib/plain.ts', "import 'node:fs';\nexport const plain = 1;"],
  [
    'src/chain/cell.ts',
    "import 'node:crypto';\nimport '../lib/plain.ts';\nexport const cell = 1;\nexport type Cell = 1;",
  ],
  ['src/observe/log.ts', 'export type Log = () => void;\nexport const log = (): void => {};'],
  [
    'src/lite/pool.ts',
    "import '../chain/cell.ts';\nimport type { Log } from '../observe/log.ts';\nexport type Pool = Log;",
  ],
  [
    'src/db/table.ts',
    "import 'kysely';\nimport '../../migrations/0002-second.ts';\nimport type { Cell } from '../chain/cell.ts';\nexport type Row = Cell;",
  ],
  ['src/verify/range.ts', "import 'kysely';\nimport 'node:crypto';\nimport '../db/table.ts';"],
  [
    'src/access/key.ts',
    "import '../db/table.ts';\nimport type { Route } from '../http/route.ts';\nexport type Key = Route;",
  ],
  [
    'src/http/route.ts',
    "import 'fastify';\nimport 'node:http';\nimport type { Log } from '../observe/log.ts';\nexport type Route = Log;\nexport type L = import('../observe/log.ts').Log;",
  ],
  [
    'src/v2/answer.ts',
    "import '../http/route.ts';\nimport type { Pool } from '../lite/pool.ts';\nexport type P = Pool;\nexport const answer = 1;",
  ],
  [
    'src/v3/blocks/get.ts',
    "import '../../db/table.ts';\nimport type { Pool } from '../../lite/pool.ts';\nexport type P = Pool;",
  ],
  [
    'src/cli/start.ts',
    "import '../v2/answer.ts';\nimport '../v3/blocks/get.ts';\nimport '../access/key.ts';",
  ],
  ['src/index/format/page.ts', 'export const page = 1;'],
  ['src/index/read/pages.ts', "import '../format/page.ts';"],
  ['migrations/0002-second.ts', "import 'kysely';"],
];

/** Stand-ins for what the files above import. */
const scenery: readonly (readonly [path: string, text: string])[] = [
  // The other half of the cycle: it is reported once, from its first file.
  ['src/lib/two.ts', "import type { one } from './one.ts';\nexport const two = (a: typeof one) => a;"],
  ['test/app.ts', 'export const app = 1;'],
  ['web/other.ts', 'export const other = 1;'],
  ['node_modules/kysely/package.json', '{"name":"kysely","version":"1.0.0","main":"index.js"}'],
  ['node_modules/kysely/index.js', 'module.exports = {};'],
  ['node_modules/fastify/package.json', '{"name":"fastify","version":"1.0.0","main":"index.js"}'],
  ['node_modules/fastify/index.js', 'module.exports = {};'],
  ['node_modules/vitest/package.json', '{"name":"vitest","version":"1.0.0","main":"index.js"}'],
  ['node_modules/vitest/index.js', 'module.exports = {};'],
  [
    'package.json',
    '{"type":"module","dependencies":{"kysely":"1","fastify":"1"},"devDependencies":{"vitest":"1"}}',
  ],
];

describe('the layer check', () => {
  let folder = '';
  let violations: Cruise['summary']['violations'] = [];

  beforeAll(() => {
    folder = makeTemporaryDirectory('layers');
    for (const [path, text] of [...scenery, ...allowed, ...probes]) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), `${text}\n`);
    }
    violations = cruise(folder).violations;
  });

  afterAll(() => removeTemporaryDirectory(folder));

  test.each(probes)('reports %s', (path, _text, rules) => {
    const found = violations
      .filter((violation) => violation.from === path)
      .map((violation) => violation.rule.name);
    expect([...new Set(found)].sort()).toEqual([...rules].sort());
  });

  test.each(allowed)('allows %s', (path) => {
    expect(violations.filter((violation) => violation.from === path)).toEqual([]);
  });

  test('exits with an error on a violation', { timeout: 300_000 }, () => {
    const run = spawnSync(process.execPath, [cruiser, '--config', config, 'src', 'migrations'], {
      cwd: folder,
    });
    expect(run.status).not.toBe(0);
  });

  // `npm run layers` checks it on every push.
  test.runIf(isLongRun)('passes on this project', { timeout: 300_000 }, () => {
    const summary = cruise(root);
    expect(summary.violations).toEqual([]);
    expect(summary.totalCruised).toBeGreaterThan(20);
  });
});
