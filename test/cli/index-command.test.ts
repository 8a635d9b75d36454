import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/database.ts';
import {
  makeDataDir,
  runTongate,
  runTongateHere,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

const TIMEOUT_MS = 120_000;

interface IndexStatus {
  readonly state: string;
  readonly first_seqno: number;
  readonly last_seqno: number;
  readonly head_seqno: number;
  readonly percent: number;
  readonly gaps: number;
}

let database: TestDatabase;
let second: TestDatabase;
let server: TongateProcess;
const data = makeDataDir();
beforeAll(async () => {
  database = await createTestDatabase();
  second = await createEmptyTestDatabase();
  server = await startTongate({
    DATA_DIR: data.path,
    DATABASE_URL: database.url,
    LOCALNET_DEMO: 'on',
    LOCALNET_SHARDS: '2',
    LOCALNET_BLOCK_MS: '500',
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.end('SIGTERM');
  await database?.drop();
  await second?.drop();
  data.remove();
});

async function statusOfIndex(): Promise<IndexStatus> {
  const status = (await (await fetch(`${server.url}/status`)).json()) as { index: IndexStatus };
  return status.index;
}

const environment = (url: string) => ({ DATA_DIR: data.path, DATABASE_URL: url, LOG_LEVEL: 'info' });
const command = (args: readonly string[], url: string) => runTongateHere(args, environment(url));

describe('index of a local chain with its demo', () => {
  it(
    'is filled by `start`, which shows its progress',
    async () => {
      let index = await statusOfIndex();
      for (let i = 0; i < 400 && !(index.percent > 90 && index.last_seqno > 20); i++) {
        await sleep(200);
        index = await statusOfIndex();
      }
      expect(index).toMatchObject({ state: 'following', first_seqno: 1, gaps: 0 });
      const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { checks: { index: object } };
      expect(ready.checks.index).toMatchObject({ status: 'ok', text: expect.stringContaining('following') });
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toMatch(/^tongate_index_followed_seqno [1-9]\d*$/m);
      expect(metrics).toMatch(/^tongate_index_step_seconds_total\{step="decode"\} /m);
      expect(metrics).toMatch(/^tongate_index_classified_traces_total \d+$/m);
    },
    TIMEOUT_MS,
  );

  it(
    'has no differences in `verify`',
    async () => {
      const { code, output } = await command(['verify'], database.url);
      expect(output).toMatch(/No differences\.\n$/);
      expect(output).toMatch(/^transactions +[1-9]\d{2,}$/m);
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it(
    'is filled by two concurrent `index` processes, each with a progress line',
    async () => {
      const runs = await Promise.all(
        [1, 2].map(() => runTongate(['index', '--to-head'], environment(second.url))),
      );
      for (const { code, output } of runs) {
        expect(code, output).toBe(0);
        expect(output).toMatch(/index: seqno \d+ of \d+, 100\.0 % of \d+, .*up to date/);
      }
      const { code, output } = await command(['verify'], second.url);
      expect(output).toMatch(/No differences\.\n$/);
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it('has sizes in `sizes`', async () => {
    const { code, output } = await command(['sizes'], second.url);
    expect(output).toMatch(/^transactions +\d+ /m);
    expect(output).toMatch(/The index takes .* bytes each\.\n$/);
    expect(code).toBe(0);
  });

  it('has actions, which `reclassify` computes again while the service runs', async () => {
    const actions = async () => {
      const db = second.database.primary;
      return await db.selectFrom('actions').select(['action_id', 'type']).orderBy('action_id').execute();
    };
    const before = await actions();
    expect(before.length).toBeGreaterThan(100);
    const all = await command(['reclassify', '--from', '1'], second.url);
    expect(all.output).toMatch(
      /^Traces that ended at masterchain seqnos 1 to \d+ queued for classification$/m,
    );
    expect(all.output).toMatch(
      /^Done; \d{3,} traces with \d{3,} transactions were classified by this process\.$/m,
    );
    expect(all.code).toBe(0);
    // A trace that was open before may be complete now.
    expect(await actions()).toEqual(expect.arrayContaining(before));
    const noted = await command(['reclassify', '--to', '9', '--type', 'tick_tock', '--no-wait'], second.url);
    expect(noted).toMatchObject({
      code: 0,
      output: expect.stringMatching(/seqnos 1 to 9 queued for classification\n$/),
    });
  });

  it('`reclassify` fails for an empty range and for invalid arguments', async () => {
    const hash = '00'.repeat(32);
    const none = await command(['reclassify', '--trace', hash], second.url);
    expect(none).toMatchObject({ code: 1, output: 'No matching traces in the index.\n' });
    for (const args of [[], ['--from', 'x'], ['--from', '1', '--trace', hash]])
      expect([args, (await command(['reclassify', ...args], second.url)).code]).toEqual([args, 2]);
  });

  it('`verify` fails for an empty range and for invalid arguments', async () => {
    const none = await command(['verify', '--from', '900000'], second.url);
    expect(none).toMatchObject({ code: 1, output: 'Nothing to compare: the range is not indexed.\n' });
    const wrong = await command(['verify', '--from', 'x'], second.url);
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain('--from is "x": expected a seqno');
    expect((await command(['index', '--fast'], second.url)).code).toBe(2);
  });
});
