import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../../src/chain/block-id.ts';
import { type PackageEntry, readEntries } from '../../../src/ingest/fetch/packs/package-file.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { writeGlobalConfig } from '../../support/global-config-file.ts';
import { isLongRun, sampled } from '../../support/long-run.ts';
import { MAINNET_PACKS, missingPacks, REAL_CONFIG, REAL_PACKS } from '../../support/pack-files.ts';
import { serveHere } from '../../support/serve-here.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { runTongateHere } from '../../support/tongate-process.ts';

const TIMEOUT_MS = 120_000;
const PACK = 'archive.00000.pack';
const SHARD_PACK = 'archive.00000.0_8000000000000000.pack';
const folder = makeTemporaryDirectory('import-packs');
afterAll(() => removeTemporaryDirectory(folder));

function commandsOn(
  database: () => TestDatabase,
  dataDir: string,
  network: Readonly<Record<string, string>> = { NETWORK: 'mainnet' },
) {
  return (...args: string[]) =>
    runTongateHere(args, {
      DATABASE_URL: database().url,
      DATA_DIR: join(folder, dataDir),
      INDEX_THREADS: '1',
      ...network,
    });
}

describe.skipIf(missingPacks !== '')(`the first slice of mainnet${missingPacks}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  const run = commandsOn(() => database, 'whole');

  it(
    'is imported without lite servers, and equals what @ton/core reads from the same files',
    async () => {
      const imported = await run('import', '--packs', MAINNET_PACKS);
      expect(imported.output).toContain('99 of 99 masterchain seqnos are indexed, 1 to 99.');
      expect(imported.code).toBe(0);
      const db = database.database.primary;
      const blocks = db.selectFrom('blocks').select((eb) => eb.fn.countAll<string>().as('count'));
      expect(await blocks.where('workchain', '=', 0).executeTakeFirst()).toEqual({ count: '200' });
      const afterSplit = await blocks.where('after_split', '=', true).executeTakeFirstOrThrow();
      expect(Number(afterSplit.count)).toBeGreaterThan(1);
      expect(await db.selectFrom('missing_cells').selectAll().execute()).toEqual([]);
      expect(await db.selectFrom('missing_elector_states').selectAll().execute()).toEqual([]);
      const verified = await run('verify', '--packs', MAINNET_PACKS, '--from', sampled('80', '1'));
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );

  it(
    'has nothing left to import the next time',
    async () => {
      const again = await run('import', '--packs', MAINNET_PACKS, '--from', 'genesis');
      expect(again).toMatchObject({ code: 0 });
      expect(again.output).toContain('99 of 99 masterchain seqnos are indexed');
    },
    TIMEOUT_MS,
  );

  it(
    'is served although no lite server can be reached',
    async () => {
      const config = join(folder, 'unreachable.json');
      const zeroState: BlockId = {
        workchain: MASTERCHAIN,
        shard: WHOLE_SHARD,
        seqno: 0,
        rootHash: Buffer.from('F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=', 'base64'),
        fileHash: Buffer.from('5E994FCF4D425C0A6CE6A792594B7173205F740A39CD56F537DEFD28B48A0F6E', 'hex'),
      };
      // Nobody listens on the discard port.
      const server = { host: '127.0.0.1', port: 9, publicKey: Buffer.alloc(32, 1) };
      writeGlobalConfig(config, { zeroState, servers: [server] });
      const tongate = await serveHere(
        {
          DATABASE_URL: database.url,
          DATA_DIR: join(folder, 'whole'),
          NETWORK: 'mainnet',
          TON_CONFIG: config,
          RATE_LIMIT: 'off',
        },
        'serve',
      );
      try {
        const get = async (path: string) => {
          const response = await fetch(`${tongate.url}/api/${path}`);
          return { status: response.status, body: (await response.json()) as never };
        };
        expect(await get('v3/masterchainInfo')).toMatchObject({
          status: 200,
          body: { first: { seqno: 1 }, last: { seqno: 99 } },
        });
        const { body: shards } = await get('v3/masterchainBlockShards?seqno=99');
        expect((shards as { blocks: unknown[] }).blocks.length).toBeGreaterThan(2);
        const { status, body } = await get('v3/transactions?limit=20&sort=asc');
        expect(status).toBe(200);
        expect((body as { transactions: unknown[] }).transactions).toHaveLength(20);
        expect(await get('v2/getMasterchainInfo')).toMatchObject({ body: { ok: false } });
      } finally {
        await tongate.end('SIGTERM');
      }
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(missingPacks !== '')(`a damaged copy of the slice${missingPacks}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  const run = commandsOn(() => database, 'damaged');
  const copy = join(folder, 'copy');

  async function entriesOf(name: string): Promise<PackageEntry[]> {
    const entries: PackageEntry[] = [];
    for await (const entry of readEntries(join(MAINNET_PACKS, name), () => {})) entries.push(entry);
    return entries;
  }

  it(
    'is imported but for the seqnos that damages are in, which are named; the whole files complete it',
    async () => {
      cpSync(MAINNET_PACKS, copy, { recursive: true, mode: 0 });
      const entries = await entriesOf(PACK);
      const shardEntries = (await entriesOf(SHARD_PACK)).filter(({ kind }) => kind === 'block');
      const find = (kind: string, seqno: number) =>
        entries.find((entry) => entry.kind === kind && entry.id.seqno === seqno)!;
      const bytes = readFileSync(join(MAINNET_PACKS, PACK));
      const flip = ({ dataAt, dataBytes }: PackageEntry, into: Buffer) => {
        const at = dataAt + (dataBytes >> 1);
        into[at] = into[at]! ^ 4;
      };
      flip(find('block', 20), bytes);
      // Another root hash in the name.
      const renamed = find('block', 60);
      bytes.write('00', renamed.dataAt - 129, 'latin1');
      // The last block is proven by its signatures alone.
      flip(find('proof', 99), bytes);
      writeFileSync(join(copy, PACK), bytes);
      const shards = readFileSync(join(MAINNET_PACKS, SHARD_PACK));
      const flipped = shardEntries[80]!;
      flip(flipped, shards);
      const cut = shardEntries.at(-3)!;
      writeFileSync(join(copy, SHARD_PACK), shards.subarray(0, cut.dataAt + 10));
      // Packs of another network.
      cpSync(join(REAL_PACKS, 'packages'), join(copy, 'other'), { recursive: true, mode: 0 });

      const imported = await run('import', '--packs', copy, '--to', '120', '--offline');
      expect(imported.code).toBe(1);
      const db = database.database.primary;
      const indexed = await db
        .selectFrom('blocks')
        .select('mc_seqno')
        .where('workchain', '=', MASTERCHAIN)
        .orderBy('mc_seqno')
        .execute();
      const seqnos = indexed.map(({ mc_seqno }) => mc_seqno);
      for (const seqno of [20, 21, 60, 61, 62, 99]) expect(seqnos).not.toContain(seqno);
      expect(seqnos.length).toBeGreaterThan(90);
      const pack = join(copy, PACK);
      expect(imported.output).toContain(
        `Damaged: ${pack} at byte ${find('block', 20).dataAt}: block (-1,8000000000000000,20) has another file hash than its name says`,
      );
      expect(imported.output).toContain('Missing: masterchain seqno 60: its masterchain block');
      expect(imported.output).toContain('Missing: masterchain seqno 61: masterchain block 60');
      expect(imported.output).toContain('Missing: masterchain seqno 62: shard block (0,');
      expect(imported.output).toContain(
        `Damaged: ${pack} at byte ${find('proof', 99).dataAt}: proof of block`,
      );
      expect(imported.output).toContain(
        `Damaged: ${join(copy, SHARD_PACK)} at byte ${flipped.dataAt}: block (0,`,
      );
      expect(imported.output).toContain('the file ends inside an entry: it is cut, or still written');
      // Of the other network nothing is indexed, the blocks after the last one of the slice neither.
      expect(seqnos.at(-1)).toBeLessThan(99);
      expect(imported.output).toMatch(
        /Damaged: \S+other\/arch0000\/archive\.00100\.pack at byte \d+: proof of block \(-1,8000000000000000,120\) refused: another validator set/,
      );
      expect(imported.output).toContain('Missing: masterchain seqnos 99 to 120: ');
      if (!isLongRun) return;
      const partly = await run('verify', '--packs', MAINNET_PACKS);
      expect(partly.output).toContain('No differences.');

      const completed = await run('import', '--packs', MAINNET_PACKS);
      expect(completed.output).toContain('99 of 99 masterchain seqnos are indexed');
      const whole = await run('verify', '--packs', MAINNET_PACKS);
      expect(whole.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );
});

it('packs of no network that is known are refused before the data directory belongs to one', async () => {
  const dataDir = join(folder, 'unknown-network');
  const unknown = { NETWORK: 'localnet', DATA_DIR: dataDir };
  for (const args of [
    ['--packs', folder],
    ['--dump', join(folder, 'list'), '--storage', 'http://127.0.0.1:1'],
  ]) {
    const refused = await runTongateHere(['import', ...args], unknown);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('there is no local chain in DATA_DIR=');
    expect(refused.output).toContain('or to custom with TON_CONFIG as its global config');
  }
  expect(existsSync(dataDir)).toBe(false);
});

describe.skipIf(missingPacks !== '')(`a part of another network${missingPacks}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database?.drop());
  const run = commandsOn(() => database, 'part', { NETWORK: 'custom', TON_CONFIG: REAL_CONFIG });

  it.runIf(isLongRun)(
    'is imported from the middle, across slices and key blocks, and goes on from there',
    async () => {
      const part = await run('import', '--packs', REAL_PACKS, '--from', '430', '--to', '445');
      expect(part.output).toContain('16 of 16 masterchain seqnos are indexed, 430 to 445.');
      // Without the zero states what is indexed proves the rest.
      const packages = join(REAL_PACKS, 'packages');
      const later = await run('import', '--packs', packages, '--from', '430', '--to', '450');
      expect(later.output).toContain('21 of 21 masterchain seqnos are indexed, 430 to 450.');
      const blind = await run('import', '--packs', packages, '--from', '425', '--to', '429', '--offline');
      expect(blind.output).toContain('Missing: masterchain seqnos 425 to 429: ');
      const earlier = await run('import', '--packs', REAL_PACKS, '--from', '425', '--to', '450');
      expect(earlier.output).toContain('26 of 26 masterchain seqnos are indexed, 425 to 450.');
      const verified = await run('verify', '--packs', REAL_PACKS, '--from', '425');
      expect(verified.output).toContain('No differences.');
    },
    TIMEOUT_MS,
  );

  it('is refused for the index of another network, and where there is nothing to import', async () => {
    const part = await run('import', '--packs', REAL_PACKS, '--from', '430', '--to', '432');
    expect(part.output).toContain('3 of 3 masterchain seqnos are indexed, 430 to 432.');
    const other = { NETWORK: 'mainnet', DATABASE_URL: database.url, DATA_DIR: join(folder, 'other') };
    const refused = await runTongateHere(['import', '--packs', MAINNET_PACKS], other);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('The database holds the index of another network');
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    const nothing = await run('import', '--packs', empty);
    expect(nothing.output).toContain(`No pack files below ${empty}`);
    const unknown = await run('import', '--packs', join(folder, 'nowhere'));
    expect(unknown.output).toContain('cannot be read');
    for (const args of [[], ['--packs', folder, '--from', 'x'], ['--packs', folder, '--to', '2024-13-45']])
      expect((await run('import', ...args)).code).toBe(2);
  });
});
