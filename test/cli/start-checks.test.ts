import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDataDir } from '../../src/cli/start-checks.ts';
import { checkPorts } from '../../src/http/listen.ts';
import { StartError } from '../../src/lib/errors.ts';
import { NOBODY } from '../support/closed-checkout.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const root = makeTemporaryDirectory('start-checks');
afterAll(() => removeTemporaryDirectory(root));

/** The line of a check that fails. */
async function refusal(check: Promise<unknown>): Promise<string> {
  const error = await check.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  return (error as StartError).message;
}

describe('openDataDir', () => {
  const open = (dataDir: string, options: Partial<Parameters<typeof openDataDir>[0]> = {}) =>
    openDataDir({ dataDir, network: 'localnet', isNeeded: true, ...options });

  it('creates the directory, notes its network and leaves nothing else', async () => {
    const dir = join(root, 'new/data');
    await open(dir);
    await open(dir);
    expect(readdirSync(dir)).toEqual(['network']);
    expect(readFileSync(join(dir, 'network'), 'utf8')).toBe('localnet\n');
    expect(await refusal(open(dir, { network: 'testnet', isNeeded: false }))).toBe(
      `DATA_DIR=${dir} holds the data of localnet, but NETWORK is testnet; set DATA_DIR to another directory, for example ${dir}-testnet`,
    );
  });

  it('notes the zero state of a custom network, and names both when another one comes', async () => {
    const dir = join(root, 'custom');
    const openAs = (byte: number) => open(dir, { network: 'custom', zeroState: Buffer.alloc(32, byte) });
    await open(dir, { network: 'custom' });
    await openAs(1);
    await openAs(1);
    await open(dir, { network: 'custom' });
    const [first, second] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64'));
    expect(await refusal(openAs(2))).toBe(
      `DATA_DIR=${dir} holds the data of another chain: its zero state is ${first}, that of TON_CONFIG is ${second}; ` +
        `set DATA_DIR to another directory, for example ${dir}-2, or TON_CONFIG to a config of that chain`,
    );
  });

  it('takes back its note in a directory that had none', async () => {
    const dir = join(root, 'withdrawn');
    const withdraw = await open(dir);
    const withdrawSecond = await open(dir);
    await withdrawSecond();
    expect(readdirSync(dir)).toEqual(['network']);
    await withdraw();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('names the file that is in the place of the directory', async () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    const advice = 'set DATA_DIR to another directory';
    for (const path of [file, join(file, 'below')])
      expect(await refusal(open(path))).toBe(`DATA_DIR=${path} is not a directory; ${advice}`);
    if (existsSync('/proc/self'))
      expect(await refusal(open('/proc/nothing'))).toBe(
        `DATA_DIR=/proc/nothing cannot be created; ${advice}`,
      );
    // A process that keeps only copies there starts without it.
    await open(file, { isNeeded: false });
  });

  it('names the space that a new directory lacks, but does not ask an old one for it', async () => {
    const dir = join(root, 'small');
    const minFreeBytes = 2 ** 60;
    expect(await refusal(open(dir, { minFreeBytes }))).toMatch(
      /^DATA_DIR=.* is on a disk with [\d.]+ \w?B free, a start needs 1150 PB; free some space or set DATA_DIR /,
    );
    await open(dir);
    await open(dir, { minFreeBytes });
  });

  it('names the owner of a directory that this user may not write to', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('needs root, to run as another user');
    const dir = join(root, 'foreign');
    mkdirSync(dir);
    for (const open of [root, dir]) chmodSync(open, 0o755);
    const url = new URL('../../src/cli/start-checks.ts', import.meta.url).href;
    const program = `process.setuid(${NOBODY.uid});
      openDataDir({ dataDir: ${JSON.stringify(dir)}, network: 'localnet', isNeeded: true }).catch((error) => console.log(error.message))`;
    const { stdout } = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import { openDataDir } from ${JSON.stringify(url)};\n${program}`],
      { encoding: 'utf8' },
    );
    expect(stdout).toBe(
      `DATA_DIR=${dir} is not writable (its owner is user id 0, this process runs as ${NOBODY.uid}); ` +
        'make it writable or set DATA_DIR to another directory\n',
    );
  });
});

describe('checkPorts', () => {
  it('names a port in use, and two settings with the same port', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const at = (setting: string) => ({ host: '127.0.0.1', port, setting });
    const line = `127.0.0.1:${port} is already in use; set METRICS_PORT to another port`;
    expect(await refusal(checkPorts([at('METRICS_PORT')]))).toBe(line);
    await new Promise((resolve) => taken.close(resolve));
    expect(await refusal(checkPorts([at('PORT'), at('METRICS_PORT')]))).toBe(line);
    await checkPorts([at('PORT'), { ...at('METRICS_PORT'), port: 0 }]);
    // Reserved for documentation, so that no machine has it.
    expect(await refusal(checkPorts([{ ...at('PORT'), host: '192.0.2.1' }]))).toBe(
      `192.0.2.1:${port} is not an address of this machine; set HOST to one, or to 0.0.0.0 for all`,
    );
  });
});
