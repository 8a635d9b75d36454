import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { openV2ClientContext } from './v2-client-context.ts';

const PROJECT = fileURLToPath(new URL('blueprint-project/', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

let context: Awaited<ReturnType<typeof openV2ClientContext>>;
beforeAll(async () => {
  context = await openV2ClientContext();
}, 90_000);
afterAll(() => context?.close());

it('A Blueprint project deploys its contract through v2 and reads it', { timeout: 120_000 }, async () => {
  const folder = makeTemporaryDirectory('blueprint');
  await cp(PROJECT, folder, { recursive: true });
  // Not stored with the project: its files would be CommonJS for the checks of this repository, too.
  await writeFile(join(folder, 'package.json'), '{ "name": "project", "private": true }');
  await symlink(PACKAGES, join(folder, 'node_modules'));
  const { mnemonic } = context.running.wallets.basechain;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      join(PACKAGES, '@ton/blueprint/dist/cli/cli.js'),
      'run',
      'deployCounter',
      '--mnemonic',
      '--custom',
      context.rpcUrl,
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
