import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isLongRun } from '../support/long-run.ts';
import {
  localnetKeyOf,
  makeSeededDataDir,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';

const OPEN_FILES = 256;
const RECEIVE_TIMEOUT_MS = 3000;
const TIMEOUT_MS = 300_000;
const MORE_THAN_DESCRIPTORS = 400;
const VICTIM = '127.0.0.2';

// It needs a server of its own, since the limit belongs to a process.
describe.runIf(isLongRun)(`a server that may open ${OPEN_FILES} files`, () => {
  const dataDir = makeSeededDataDir();
  const sockets: Socket[] = [];
  let server: TongateProcess;
  beforeAll(async () => {
    const env = {
      DATA_DIR: dataDir.path,
      RECEIVE_TIMEOUT_MS: String(RECEIVE_TIMEOUT_MS),
      // More than there can be.
      MAX_CONNECTIONS: '100000',
    };
    server = await startTongate(env, 'start', { openFiles: OPEN_FILES });
  }, TIMEOUT_MS);
  afterAll(async () => {
    closeAll();
    await server?.end('SIGKILL');
    await dataDir.remove();
  });

  function closeAll(): void {
    for (const socket of sockets.splice(0)) socket.destroy();
  }

  /** Opens connections that send nothing. */
  async function hold(count: number, addressOf: (i: number) => string): Promise<void> {
    const { hostname: host, port } = new URL(server.url);
    const opened = Array.from({ length: count }, (_, i) => {
      const socket = connect({ host, port: Number(port), localAddress: addressOf(i) });
      socket.on('error', () => {});
      sockets.push(socket);
      return Promise.race([once(socket, 'connect'), once(socket, 'close')]);
    });
    await Promise.all(opened);
  }

  /** Status of a call with the key on a new connection; 0 without a response. */
  async function ask(path: string): Promise<number> {
    const headers = { 'x-api-key': localnetKeyOf(dataDir.path) };
    const asking = request(`${server.url}${path}`, { headers, localAddress: VICTIM, agent: false });
    asking.end();
    try {
      const [response] = await once(asking, 'response');
      await text(response);
      return response.statusCode;
    } catch {
      return 0;
    }
  }

  const PATHS = ['/api/v2/getMasterchainInfo', '/api/v3/transactions?limit=1', '/healthz'];
  const askAll = () => Promise.all(PATHS.map(ask));
  const descriptors = () => readdirSync(`/proc/${server.child.pid}/fd`).length;

  it(
    'responds to others while one address holds more connections than it has descriptors',
    async () => {
      await hold(MORE_THAN_DESCRIPTORS, () => '127.0.0.1');
      for (let i = 0; i < 5; i++) expect(await askAll()).toEqual([200, 200, 200]);
      expect(descriptors()).toBeLessThan(OPEN_FILES);
      closeAll();
    },
    TIMEOUT_MS,
  );

  it(
    'lives while many addresses hold them, and responds when their time is over',
    async () => {
      await hold(MORE_THAN_DESCRIPTORS, (i) => `127.0.1.${1 + (i % 100)}`);
      expect(descriptors()).toBeLessThanOrEqual(OPEN_FILES);
      // They are still open here, but the server has waited long enough for their requests.
      await expect.poll(askAll, { timeout: TIMEOUT_MS, interval: 200 }).toEqual([200, 200, 200]);
      expect(server.child.exitCode).toBeNull();
      closeAll();
    },
    TIMEOUT_MS,
  );

  it(
    'is well after they have closed, and stops as usual',
    async () => {
      await expect.poll(descriptors, { timeout: TIMEOUT_MS }).toBeLessThan(OPEN_FILES / 2);
      for (let i = 0; i < 5; i++) expect(await askAll()).toEqual([200, 200, 200]);
      expect(server.output()).not.toMatch(/Uncaught|Unhandled/);
      expect(await server.end('SIGTERM')).toBe(0);
    },
    TIMEOUT_MS,
  );
});
