import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { openClientGround } from './client-ground.ts';

const PROJECT = fileURLToPath(new URL('blueprint-project/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

let ground: Awaited<ReturnType<typeof openClientGround>>;
beforeAll(async () => {
  ground = await openClientGround();
}, 90_000);
afterAll(() => ground?.close());

it('a project of Blueprint deploys its contract and reads it', { timeout: 120_000 }, async () => {
  const folder = makeTemporaryDirectory('blueprint');
  await cp(PROJECT, folder, { recursive: true });
  // Written here, since beside the project's files it would make them CommonJS for the checks of this repository too.
  await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }');
  await symlink(PACKAGES, join(folder, 'node_modules'));
  const { mnemonic } = ground.running.wallets.basechain;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(PACKAGES, '@ton/blueprint/dist/cli/cli.js'),
      'run',
      'deployCounter',
      '--mnemonic',
      '--custom',
      ground.rpcUrl,
      '--custom-version',
      'v2',
      '--custom-type',
      'testnet',
    ],
    {
      cwd: folder,
      env: { ...process.env, WALLET_MNEMONIC: mnemonic.join(' '), WALLET_VERSION: 'v4r2' },
    },
  );
  expect(stdout).toMatch(/counter at 0:[0-9a-f]{64} is 41/);
});
