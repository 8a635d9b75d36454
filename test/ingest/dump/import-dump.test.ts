import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportStates } from '../../../src/localnet/chain/export-states.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { bagId, type DemoBag, makeDemoBags, offered, writeDumpList } from '../../support/dump-bags.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { startStorageDaemon } from '../../support/storage-daemon.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';
import { startDemoChain } from '../../v3/support/indexed-demo.ts';

const TIMEOUT_MS = 120_000;
/** Nobody listens on the discard port. */
const NO_SERVER = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };

let demo: Awaited<ReturnType<typeof makeDemoBags>>;
let folder: string;
let list: string;
let offlineConfig: string;
let database: TestDatabase;
let daemon: Awaited<ReturnType<typeof startStorageDaemon>>;
beforeAll(async () => {
  demo = await makeDemoBags();
}, TIMEOUT_MS);
afterAll(() => removeTemporaryDirectory(demo.folder));
beforeEach(async () => {
  folder = makeTemporaryDirectory('import-dump');
  list = join(folder, 'list.json');
  writeDumpList(list, demo.bags);
  offlineConfig = join(folder, 'config.json');
  writeGlobalConfig(offlineConfig, { zeroState: demo.zeroState, servers: [NO_SERVER] });
  database = await createTestDatabase();
});
afterEach(async () => {
  await daemon?.stop();
  await database?.drop();
  await removeTemporaryDirectory(folder);
});

const downloads = () => join(folder, 'downloads');
const run = (args: readonly string[], config = offlineConfig, dataDir = 'data') =>
  runTongateHere(args, {
    DATABASE_URL: database.url,
    DATA_DIR: join(folder, dataDir),
    INDEX_THREADS: '1',
    NETWORK: 'custom',
    TON_CONFIG: config,
  });
const dumpArguments = (...more: string[]): string[] => [
  'import',
  '--dump',
  list,
  '--storage',
  daemon.url,
  '--downloads',
  downloads(),
  ...more,
];
/** What an import wrote is verified in a short run by `packs/import-packs.test.ts`. */
async function expectNoDifferences(): Promise<void> {
  if (!isLongRun) return;
  const verified = await run(['verify', '--packs', demo.packs]);
  expect(verified.output).toContain('No differences.');
}
const callsOf = (name: string): string[] =>
  daemon.calls.filter(({ call }) => call === name).map(({ bag }) => bag);
const ids = (): string[] => demo.bags.map(({ bag }) => bag);
/** Calls for bags that are loaded at the same time may arrive in another order than they were made. */
function expectInOrder(name: string, ahead: number): void {
  const calls = callsOf(name);
  expect(calls.toSorted()).toEqual(ids().toSorted());
  for (const [at, bag] of ids().entries())
    expect(Math.abs(calls.indexOf(bag) - at)).toBeLessThanOrEqual(ahead);
}

/** How a summary begins a line of missing seqnos. */
const missingRange = ({ from, to }: DemoBag): string =>
  `Missing: masterchain ${from === to ? `seqno ${from}` : `seqnos ${from} to ${to}`}: `;

describe('a dump of ten bags', () => {
  it(
    'is imported without lite servers bag by bag, a few ahead, within the disk that it may take, and deleted',
    async () => {
      daemon = await startStorageDaemon(offered(demo.bags));
      const sizes = ids()
        .map(daemon.sizeOf)
        .sort((a, b) => b - a);
      // Two fit at a time.
      const bound = sizes[0]! + sizes[1]!;
      const imported = await run(
        dumpArguments('--packs', demo.states, '--offline', '--disk', `${bound}`, '--ahead', '2'),
      );
      expect(imported.output).toContain(`${demo.head} of ${demo.head} masterchain seqnos are indexed`);
      expect(imported.code).toBe(0);
      expectInOrder('add', 2);
      expectInOrder('download', 2);
      expect(callsOf('remove')).toEqual(ids());
      expect(daemon.mostBags()).toBe(3);
      expect(daemon.mostBytes()).toBeLessThanOrEqual(bound);
      expect(daemon.mostBytes()).toBeGreaterThan(sizes[0]!);
      expect(daemon.held()).toEqual([]);
      expect(readdirSync(downloads())).toEqual([]);
      // Only the last blocks are needed by what comes after them.
      expect(readdirSync(join(folder, 'data', 'import', 'kept'))).toHaveLength(2);
      await expectNoDifferences();

      const again = await run(dumpArguments('--packs', demo.states, '--offline'));
      expect(again.code).toBe(0);
      expect(callsOf('add')).toHaveLength(ids().length);
    },
    TIMEOUT_MS,
  );

  it(
    'is imported around a bag that never comes, one that stops and one with wrong content, which are named',
    async () => {
      const bags = offered(demo.bags);
      const [never, wrong, stops] = [demo.bags[1]!, demo.bags[2]!, demo.bags[3]!];
      bags.set(never.bag, { files: never.files, fault: 'never' });
      bags.set(stops.bag, { files: stops.files, fault: 'stops' });
      bags.set(wrong.bag, { files: demo.bags[0]!.files });
      daemon = await startStorageDaemon(bags);
      const imported = await run(
        dumpArguments(
          '--packs',
          demo.states,
          '--offline',
          '--bag-timeout',
          '1.5',
          '--to',
          `${demo.bags[5]!.to}`,
        ),
      );
      expect(imported.code).toBe(1);
      const missing = (bag: DemoBag) => `${missingRange(bag)}bag ${bag.bag}: `;
      expect(imported.output).toContain(`${missing(never)}nothing of it came for 1.5 s`);
      expect(imported.output).toContain(`${missing(stops)}stopped at `);
      expect(imported.output).toContain(missing(wrong));
      // Which shard blocks are new in a block, only the one before tells.
      const after = demo.bags[4]!;
      expect(imported.output).toMatch(
        new RegExp(`Missing: masterchain seqnos? ${after.from}( to \\d+)?: bag ${after.bag}: `),
      );
      expect(daemon.held()).toEqual([]);
      expect(readdirSync(downloads())).toEqual([]);

      if (!isLongRun) return;
      // They come the next time. A chunk of a dead process may reach over several bags.
      const chunks = database.database.primary.updateTable('index_chunks').set({ last_seqno: wrong.to });
      await chunks.where('first_seqno', '=', 1).execute();
      bags.clear();
      for (const [bag, offer] of offered(demo.bags)) bags.set(bag, offer);
      const completed = await run(dumpArguments('--packs', demo.states, '--offline'));
      expect(completed.output).toContain(`${demo.head} of ${demo.head} masterchain seqnos are indexed`);
      await expectNoDifferences();
    },
    TIMEOUT_MS,
  );
});

describe('lite servers beside a dump', () => {
  let chain: Awaited<ReturnType<typeof startDemoChain>>;
  beforeAll(async () => {
    chain = await startDemoChain();
  }, TIMEOUT_MS);
  afterAll(() => chain?.stop());

  it(
    'fill its gaps, while bags get lost and the daemon is away for a while',
    async () => {
      const bags = offered(demo.bags);
      const [never, lost, wrong] = [demo.bags[2]!, demo.bags[4]!, demo.bags[6]!];
      bags.set(never.bag, { files: never.files, fault: 'never' });
      bags.set(wrong.bag, { files: demo.bags[1]!.files });
      daemon = await startStorageDaemon(bags);
      let isLost = false;
      let restarted: Promise<void> | undefined;
      daemon.onLook((bag) => {
        if (bag === demo.bags[5]!.bag && !isLost) {
          isLost = true;
          daemon.lose(lost.bag);
        }
        if (bag === demo.bags[7]!.bag) restarted ??= daemon.stop().then(daemon.start);
      });
      const to = sampled(demo.bags[7]!.to, demo.head);
      const imported = await run(
        dumpArguments('--bag-timeout', '1.5', '--to', `${to}`),
        chain.globalConfigPath,
      );
      await restarted;
      expect(imported.output).toContain(`${to} of ${to} masterchain seqnos are indexed`);
      expect(imported.code).toBe(0);
      expect(daemon.held()).toEqual([]);
      await expectNoDifferences();
    },
    TIMEOUT_MS,
  );

  it.runIf(isLongRun)(
    'prove where a bag in the middle begins, and find dates',
    async () => {
      daemon = await startStorageDaemon(offered(demo.bags));
      const { from } = demo.bags[7]!;
      const part = await run(
        dumpArguments('--from', `${from}`, '--to', `${demo.bags[8]!.to}`),
        chain.globalConfigPath,
      );
      expect(part.output).toContain(`are indexed, ${from} to ${demo.bags[8]!.to}.`);
      expect(part.code).toBe(0);
      expect(callsOf('download')).toEqual([demo.bags[7]!.bag, demo.bags[8]!.bag]);
      const { rows } = await sql<{ utime: number; first: number }>`
        select gen_utime::int as utime, min(mc_seqno) as first from blocks where workchain = -1
        group by gen_utime order by gen_utime desc limit 1`.execute(database.database.primary);
      const { utime, first } = rows[0]!;
      const date = new Date(utime * 1000).toISOString();
      const dated = await run(dumpArguments('--from', date), chain.globalConfigPath);
      expect(dated.output).toContain(`Importing masterchain seqnos from ${first} on from `);
    },
    TIMEOUT_MS,
  );

  it.runIf(isLongRun)(
    'fill a gap of pack files too',
    async () => {
      const packs = join(folder, 'packs');
      const gap = demo.bags[4]!;
      cpSync(demo.packs, packs, {
        recursive: true,
        filter: (path) => !gap.files.some((file) => file === path),
      });
      const offline = await run(['import', '--packs', packs, '--offline']);
      expect(offline.output).toContain(missingRange(gap));
      expect(offline.code).toBe(1);
      const filled = await run(['import', '--packs', packs], chain.globalConfigPath);
      expect(filled.output).toContain('Filling gaps of the packs from lite servers');
      expect(filled.output).toContain(`${demo.head} of ${demo.head} masterchain seqnos are indexed`);
      expect(filled.code).toBe(0);
      await expectNoDifferences();
    },
    TIMEOUT_MS,
  );

  it(
    'prove the states in a bag, which is loaded, imported and deleted',
    async () => {
      const { store } = chain.localnet;
      const folderOfStates = join(folder, 'states');
      const names = await exportStates({ store, folder: folderOfStates, splitDepth: 3 });
      const bag = bagId('states');
      daemon = await startStorageDaemon(
        new Map([[bag, { files: names.map((name) => join(folderOfStates, name)) }]]),
      );
      const states = [
        { at_block: 5, bag: bagId('older') },
        { at_block: store.head.seqno, bag },
      ];
      writeFileSync(list, JSON.stringify({ blocks: [], states }));
      // Waits for a lite server as long as the others take.
      const unproven = run(['import', '--states', folderOfStates], offlineConfig, 'unproven');
      for (const name of names)
        if (name.startsWith('state')) {
          const later = name.replace(`_${store.head.seqno}_`, `_${store.head.seqno + 100_000}_`);
          cpSync(join(folderOfStates, name), join(folder, 'later', later));
        }
      expect(await run(['import', '--states', join(folder, 'later')], chain.globalConfigPath)).toMatchObject({
        code: 1,
        output: expect.stringMatching(
          /tongate: The state at masterchain block \d+ cannot be proven: [^\n]*\n$/,
        ),
      });
      const args = ['import', '--states', 'dump', '--dump', list, '--storage', daemon.url];
      const refused = await run([...args, '--at', '7'], chain.globalConfigPath);
      expect(refused.output).toContain(
        `has no states at masterchain block 7; the newest are at 5, ${store.head.seqno}`,
      );
      const small = await run([...args, '--disk', '1kB'], chain.globalConfigPath);
      expect(small.output).toMatch(
        /--states: bag [0-9a-f]{64}: it has \d+ bytes, more than --disk allows \(1000\)/,
      );
      const imported = await run(args, chain.globalConfigPath);
      expect(imported.output).toContain(
        `The state at masterchain block ${store.head.seqno} is complete in the index.`,
      );
      expect(imported.code).toBe(0);
      expect(daemon.held()).toEqual([]);
      expect(readdirSync(join(folder, 'data', 'downloads'))).toEqual([]);
      expect(await unproven).toMatchObject({
        code: 1,
        output: expect.stringMatching(/\ntongate: No lite server of custom responds[^\n]*\n$/),
      });
    },
    TIMEOUT_MS,
  );
});

it(
  'explains what is wrong with its options, the list and the daemon',
  async () => {
    daemon = await startStorageDaemon(offered(demo.bags));
    const small = await run(dumpArguments('--packs', demo.states, '--offline', '--disk', '1kB', '--to', '3'));
    expect(small.output).toMatch(
      /Missing: masterchain seqnos 1 to 3: bag [0-9a-f]{64}: it has \d+ bytes, more than --disk allows \(1000\)/,
    );
    const nothing = await run(dumpArguments('--packs', demo.states, '--offline', '--from', '1000000'));
    expect(nothing.output).toContain('--dump: no bag of');
    const date = await run(dumpArguments('--packs', demo.states, '--offline', '--from', '2024-01-01'));
    expect(date.output).toContain('--from: a date needs lite servers');
    const stateless = await run(dumpArguments('--offline', '--to', '5'));
    expect(stateless.output).toContain('The zero state of workchain -1 is in none of the folders');
    for (const [args, text] of [
      [['--storage', 'nowhere'], '--storage is "nowhere"'],
      [['--disk', 'much'], '--disk is "much"'],
      [['--ahead', '99'], '--ahead is "99"'],
      [['--bag-timeout', 'x'], '--bag-timeout is "x"'],
    ] as const) {
      const refused = await run(dumpArguments(...args));
      expect(refused).toMatchObject({ code: 2 });
      expect(refused.output).toContain(text);
    }
    expect(await run(['import', '--dump'])).toMatchObject({ code: 2 });
    const unpublished = await run(['import', '--dump', '--storage', daemon.url]);
    expect(unpublished.output).toContain('there is no public list of bags of custom');
    writeFileSync(list, JSON.stringify({ blocks: [{ from: 5, to: 1, bag: bagId('x') }] }));
    const broken = await run(dumpArguments());
    expect(broken.output).toContain(
      `--dump: the list of bags ${list} cannot be used: blocks[0] ends before it begins`,
    );
    writeDumpList(list, demo.bags);
    await daemon.stop();
    const away = await run(dumpArguments());
    expect(away.output).toContain('--storage: The storage daemon http://127.0.0.1:');
    expect(away).toMatchObject({ code: 1 });
  },
  TIMEOUT_MS,
);
