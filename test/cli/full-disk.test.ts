import { execFileSync, spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { serveHere } from '../support/serve-here.ts';
import { makeDataDir, type RunningTongate } from '../support/tongate-process.ts';

const data = makeDataDir();
/** A small disk of its own can be filled; where it cannot be mounted, the test is skipped. */
const isMounted =
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m,mode=755', 'tmpfs', data.path]).status === 0;
let base: TestDatabase;
let server: RunningTongate;

beforeAll(async () => {
  if (!isMounted) return;
  base = await createTestDatabase();
  // Else a start wants more space.
  writeFileSync(join(data.path, 'network'), 'localnet\n');
  server = await serveHere({
    DATA_DIR: data.path,
    DATABASE_URL: base.url,
    LOCALNET_BLOCK_MS: '100',
    DISK_MIN_FREE_MB: '1',
  });
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await base?.drop();
  if (isMounted) execFileSync('umount', ['-l', data.path]);
  await data.remove();
});

async function ready() {
  const response = await fetch(`${server.url}/readyz`);
  // biome-ignore lint/suspicious/noExplicitAny: a parsed response
  return { status: response.status, ...((await response.json()) as any) };
}

it('a server with a local chain is not ready while its disk is full, and is again when there is room', async ({
  skip,
}) => {
  if (!isMounted) skip('a tmpfs cannot be mounted here');
  const poll = { timeout: 120_000 };
  await expect.poll(ready, poll).toMatchObject({ status: 200, ready: true });
  const filler = join(data.path, 'filler');
  const { bavail, bsize } = statfsSync(data.path);
  // Blocks are written meanwhile, so it may find less.
  expect(() => writeFileSync(filler, Buffer.alloc(bavail * bsize + 1))).toThrow('ENOSPC');
  await expect.poll(ready, poll).toMatchObject({
    status: 503,
    ready: false,
    checks: {
      disk: {
        status: 'failing',
        text: expect.stringMatching(/^the disk of DATA_DIR has .* free, the limit is 1 MB$/),
      },
      'local chain': { status: 'failing', text: 'the last block could not be made' },
    },
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  rmSync(filler);
  await expect.poll(ready, poll).toMatchObject({ status: 200, ready: true });
});
