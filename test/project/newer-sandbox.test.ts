import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import lock from '../../package-lock.json' with { type: 'json' };

const PROGRAM = fileURLToPath(new URL('../../lint/newer-sandbox.ts', import.meta.url));
const { version } = lock.packages['node_modules/@ton/sandbox'];

/** What the check says with a registry that has a version, or fails. */
async function noticeOf(latest: string | undefined): Promise<string> {
  const registry = createServer((request, response) => {
    const isAsked = request.url === '/@ton%2fsandbox/latest' && latest !== undefined;
    response.writeHead(isAsked ? 200 : 500).end(JSON.stringify({ version: latest }));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void registry.close());
  await once(registry, 'listening');
  const env = {
    ...process.env,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
  };
  return (await promisify(execFile)(process.execPath, [PROGRAM], { env })).stdout;
}

test('the check says when npm has a newer emulator, and does not fail', async () => {
  expect(await noticeOf('999.0.0')).toMatch(
    new RegExp(`^@ton/sandbox ${version} is locked, npm has 999\\.0\\.0:`),
  );
  expect(await noticeOf(version)).toBe(`@ton/sandbox ${version} is the newest one\n`);
  expect(await noticeOf(undefined)).toContain('npm did not say which one is newest: status 500');
});
