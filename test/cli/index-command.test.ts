import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chainFolder } from '../../src/localnet/chain/chain-folder.ts';
import { createEmptyTestDatabase, type TestDatabase } from '../support/database.ts';
import { copyDemoChain } from '../support/demo-chain.ts';
import { sampled } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import { changeActions, readStoredActions } from '../support/stored-actions.ts';
import {
  localnetKeyOf,
  makeDataDir,
  type RunningTongate,
  runTongate,
  runTongateHere,
} from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const TIMEOUT_MS = 300_000;
/** The blocks of the demo are enough. */
const NEVER_MS = '3600000';

interface IndexStatus {
  readonly state: string;
  readonly first_seqno: number;
  readonly last_seqno: number;
  readonly head_seqno: number;
  readonly percent: number;
  readonly gaps: number;
}

let database: TestDatabase;
let server: RunningTongate;
let besides: ReturnType<typeof runTongate>;
const data = makeDataDir();
beforeAll(async () => {
  await copyDemoChain(chainFolder(data.path), 1);
  database = await createEmptyTestDatabase();
  // Both find an empty database, and share the work.
  besides = runTongate(['index', '--to-head'], environment());
  server = await serveHere({
    ...environment(),
    LOCALNET_SHARDS: '1',
    LOCALNET_BLOCK_MS: NEVER_MS,
    HEAD_MAX_AGE: '1s',
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await server?.end('SIGTERM');
  await besides;
  await database?.drop();
  await data.remove();
});

async function statusOfIndex(): Promise<IndexStatus> {
  const status = (await (await fetch(`${server.url}/status`)).json()) as { index: IndexStatus };
  return status.index;
}

const environment = () => ({ DATA_DIR: data.path, DATABASE_URL: database.url, LOG_LEVEL: 'info' });
const command = (args: readonly string[]) => runTongateHere(args, environment());

describe('index of a local chain with the demo, filled by two processes', () => {
  it(
    'is filled by an `index` process, with a progress line',
    async () => {
      const { code, output } = await besides;
      expect(code, output).toBe(0);
      expect(output).toMatch(/index: seqno \d+ of \d+, 100\.0 % of \d+, .*up to date/);
    },
    TIMEOUT_MS,
  );

  it(
    'is continued by `start`, which shows its progress',
    async () => {
      const mine = await fetch(`${server.url}/localnet/mine`, {
        method: 'POST',
        headers: { 'x-api-key': localnetKeyOf(data.path) },
        body: '{"count":2}',
      });
      const { seqno } = ((await mine.json()) as { result: { seqno: number } }).result;
      await until(async () => (await statusOfIndex()).last_seqno >= seqno);
      expect(await statusOfIndex()).toMatchObject({
        state: 'following',
        first_seqno: 1,
        last_seqno: seqno,
        gaps: 0,
      });
      const ready = (await (await fetch(`${server.url}/readyz`)).json()) as { checks: { index: object } };
      expect(ready.checks.index).toMatchObject({ status: 'ok', text: expect.stringContaining('following') });
      const metrics = await (await fetch(`${server.url}/metrics`)).text();
      expect(metrics).toMatch(/^tongate_index_followed_seqno [1-9]\d*$/m);
      expect(metrics).toMatch(/^tongate_index_step_seconds_total\{step="decode"\} /m);
      expect(metrics).toMatch(/^tongate_index_classified_traces_total \d+$/m);
    },
    TIMEOUT_MS,
  );

  it('is served although the chain makes no blocks, by a process that is not ready', async () => {
    const ready = async () => (await fetch(`${server.url}/readyz`)).json();
    await expect.poll(ready, { timeout: TIMEOUT_MS }).toMatchObject({
      ready: false,
      checks: {
        head: { status: 'failing', text: expect.stringMatching(/^no new block: seqno \d+ is \d+ s old/) },
      },
    });
  });

  it(
    'has no differences in `verify`',
    async () => {
      const { last_seqno } = await statusOfIndex();
      const { code, output } = await command(['verify', '--from', `${sampled(last_seqno - 20, 1)}`]);
      expect(output).toMatch(/No differences\.\n$/);
      expect(output).toMatch(/^transactions +[1-9]\d+$/m);
      expect(code).toBe(0);
    },
    TIMEOUT_MS,
  );

  it('has sizes in `sizes`', async () => {
    const { code, output } = await command(['sizes']);
    expect(output).toMatch(/^transactions +\d+ /m);
    expect(output).toMatch(/The index takes .* bytes each\.\n$/);
    expect(code).toBe(0);
  });

  it('has actions, which `reclassify` computes again while the service runs', async () => {
    const db = database.database.primary;
    const actions = async () => {
      const rows = await readStoredActions(db);
      return rows.map(({ action_id, type }) => `${action_id.toString('hex')} ${type}`).sort();
    };
    const before = await actions();
    expect(before.length).toBeGreaterThan(100);
    await changeActions(db, (row) => (row.type === 'ton_transfer' ? { ...row, type: 'wrong' } : row));
    const all = await command(['reclassify', '--from', '1']);
    expect(all.output).toMatch(
      /^Traces that ended at masterchain seqnos 1 to \d+ queued for classification$/m,
    );
    expect(all.output).toMatch(/^Done; \d+ traces with \d+ transactions were classified by this process\.$/m);
    expect(all.code).toBe(0);
    expect(await actions()).toEqual(before);
    const noted = await command(['reclassify', '--to', '9', '--type', 'tick_tock', '--no-wait']);
    expect(noted).toMatchObject({
      code: 0,
      output: expect.stringMatching(/seqnos 1 to 9 queued for classification\n$/),
    });
  });

  it('`reclassify` fails for an empty range and for invalid arguments', async () => {
    const hash = '00'.repeat(32);
    const none = await command(['reclassify', '--trace', hash]);
    expect(none).toMatchObject({ code: 1, output: 'No matching traces in the index.\n' });
    for (const args of [[], ['--from', 'x'], ['--from', '1', '--trace', hash]])
      expect([args, (await command(['reclassify', ...args])).code]).toEqual([args, 2]);
  });

  it('`verify` fails for an empty range and for invalid arguments', async () => {
    const none = await command(['verify', '--from', '900000']);
    expect(none).toMatchObject({ code: 1, output: 'Nothing to compare: the range is not indexed.\n' });
    const wrong = await command(['verify', '--from', 'x']);
    expect(wrong.code).toBe(2);
    expect(wrong.output).toContain('--from is "x": expected a seqno');
    expect((await command(['index', '--fast'])).code).toBe(2);
  });

  it('`verify` says what is missing without a stack', async () => {
    const db = database.database.primary;
    const expectFailure = async (text: string) => {
      const { code, output } = await command(['verify']);
      expect(output).toContain(`tongate: ${text}`);
      expect(output).not.toMatch(/\n +at /);
      expect(code).toBe(1);
    };
    await sql`update blocks set root_hash = sha256(root_hash)`.execute(db);
    await expectFailure('The index has masterchain block');
    await sql`update index_origin set zero_state = sha256(zero_state)`.execute(db);
    await expectFailure('The index is that of another chain');
    await server.end('SIGTERM');
    await expectFailure('The local chain is not running: start it with tongate start or tongate localnet');
  });
});
