import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { internal } from '@ton/core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { externalMessage } from '../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../src/localnet/contracts/wallets.ts';
import { openFaucets } from '../../src/localnet/genesis/keys.ts';
import { openResumingClient } from '../streaming/support/resuming-client.ts';
import { readShown, shownBy } from '../streaming/support/shown-events.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { isLongRun, sampled } from '../support/long-run.ts';
import { serveHere } from '../support/serve-here.ts';
import {
  localnetKeyOf,
  makeDataDir,
  type RunningTongate,
  runTongateHere,
  startTongate,
  type TongateProcess,
} from '../support/tongate-process.ts';
import { until } from '../support/until.ts';

const WORKERS = sampled(2, 4);
const CONNECTIONS = sampled(8, 40);
const RPS = sampled(20, 50);
const RATE_SECONDS = sampled(2, 60);
const KILLS = sampled(1, 30);
const KILL_EVERY_MS = sampled(800, 2000);
/** Blocks are made when the test wants some. */
const NEVER_MS = '3600000';
const PATH = '/api/v2/getMasterchainInfo';
const TIMEOUT_MS = 600_000;

interface Answer {
  readonly status: number;
  readonly atMs: number;
  /** The ids of requests begin with the name of the worker. */
  readonly worker: string;
  readonly body: string;
}

interface Failed {
  readonly error: string;
  readonly connectedAtMs: number;
}

describe('a server of several workers', () => {
  const data = makeDataDir();
  let database: TestDatabase;
  let chain: RunningTongate;
  let server: TongateProcess;
  let localKey: string;
  const agents: Agent[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    const settings = {
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
      LOCALNET_BLOCK_MS: NEVER_MS,
      SHED_LOOP_DELAY_MS: '0',
      ANONYMOUS_RPS: '1000',
    };
    chain = await serveHere(settings);
    localKey = localnetKeyOf(data.path);
    server = await startTongate({ ...settings, WORKERS: `${WORKERS}`, MAX_CONNECTIONS: '1000' }, 'serve');
  }, TIMEOUT_MS);
  // Connections that stay open count: new ones go where there are fewer.
  afterEach(() => {
    for (const agent of agents.splice(0)) agent.destroy();
  });
  afterAll(async () => {
    await server?.end('SIGTERM');
    await chain?.end('SIGTERM');
    await database?.drop();
    await data.remove();
  });

  /** A client with a single connection, which is opened again when it is lost. */
  function openCaller(given: Record<string, string>) {
    const headers = { ...given };
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    agents.push(agent);
    let connectedAtMs = 0;

    async function ask(path = PATH): Promise<Answer> {
      const call: ClientRequest = request(`${server.url}${path}`, { agent, headers });
      call.once('socket', (socket) => {
        if (socket.connecting) connectedAtMs = performance.now();
      });
      call.end();
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      const body = await text(response);
      const worker = `${response.headers['x-request-id']}`.split('-')[0]!;
      return { status: response.statusCode!, atMs: performance.now(), worker, body };
    }

    return {
      headers,
      ask,
      tryToAsk: (path?: string): Promise<Answer | Failed> =>
        ask(path).catch((error: Error) => ({ error: error.message, connectedAtMs })),
    };
  }

  const openCallers = (count: number, headers: Record<string, string>) =>
    Array.from({ length: count }, () => openCaller(headers));

  /** Clients of all workers, each of which has asked once: the parent hears of closed connections a moment later. */
  async function openToAll(headers: Record<string, string>, path = PATH) {
    const callers: ReturnType<typeof openCaller>[] = [];
    const workers = new Set<string>();
    await until(async () => {
      const caller = openCaller(headers);
      callers.push(caller);
      workers.add((await caller.ask(path)).worker);
      return workers.size === WORKERS;
    });
    return callers;
  }

  const command = (name: string, body: object) =>
    fetch(`${chain.url}/localnet/${name}`, {
      method: 'POST',
      headers: { 'x-api-key': localKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  const workerPids = (): number[] => {
    const { pid } = server.child;
    return (readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []).map(Number);
  };

  /** The worker that answered a request. */
  async function pidOf(requestId: string): Promise<number> {
    const line = new RegExp(`"pid":(\\d+),"reqId":"${requestId}"`);
    await until(() => line.test(server.output()));
    return Number(line.exec(server.output())![1]);
  }

  /** Waits until all workers are up. */
  async function untilComplete(): Promise<void> {
    const { tryToAsk } = openCaller({});
    await until(async () => {
      const answer = await tryToAsk('/readyz');
      return 'body' in answer && answer.body.includes(`"${WORKERS} of ${WORKERS} answer"`);
    });
  }

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  async function createKey(rps: number): Promise<string> {
    const { output } = await runTongateHere(['keys', 'create', '--name', `rate ${rps}`, '--rps', `${rps}`], {
      DATA_DIR: data.path,
      DATABASE_URL: database.url,
    });
    return /tg_[\w-]+/.exec(output)![0];
  }

  it(
    `give a key its rate exactly, over ${CONNECTIONS} connections`,
    async () => {
      const callers = openCallers(CONNECTIONS, { 'x-api-key': await createKey(RPS) });
      const startMs = performance.now();
      const answers: Answer[] = [];
      await Promise.all(
        callers.map(async ({ ask }) => {
          while (performance.now() < startMs + RATE_SECONDS * 1000) {
            answers.push(await ask());
            // Refused ones come back as fast as they can be sent.
            await sleep(2);
          }
        }),
      );
      const admitted = answers.filter(({ status }) => status === 200).map(({ atMs }) => atMs);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
      expect(new Set(answers.map(({ worker }) => worker)).size).toBe(WORKERS);
      const rate = admitted.length / RATE_SECONDS;
      console.info(`${admitted.length} answers in ${RATE_SECONDS} s: ${rate.toFixed(2)} per second`);
      expect(Math.abs(rate - RPS)).toBeLessThanOrEqual(sampled(2, 0.5));
    },
    TIMEOUT_MS,
  );

  it('show the metrics, the state and the readiness of the whole server', async () => {
    const path = '/api/v2/unpackAddress?address=EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
    const callers = await openToAll({ 'x-api-key': localKey }, path);
    const metrics = await Promise.all(callers.map(async ({ ask }) => (await ask('/metrics')).body));
    for (const page of metrics) {
      expect(page).toContain(
        `tongate_http_requests_total{interface="v2",operation="unpackAddress",status="200"} ${callers.length}\n`,
      );
      expect(page).toContain(`tongate_workers ${WORKERS}\n`);
      expect(page).toMatch(/^tongate_build_info\{.*\} 1$/m);
    }
    const { body } = await callers[0]!.ask('/readyz');
    expect(JSON.parse(body)).toMatchObject({
      ready: true,
      checks: { workers: { text: `${WORKERS} of ${WORKERS} answer` } },
    });
    expect(JSON.parse((await callers[1]!.ask('/status')).body)).toMatchObject({ workers: WORKERS });
    const boards = await Promise.all(
      callers.map(async ({ ask }) => JSON.parse((await ask('/api/dashboard')).body)),
    );
    expect(new Set(boards.map(({ requests }) => JSON.stringify(requests))).size).toBe(1);
  });

  it(
    'show pending messages of each other, also of a worker that is killed',
    async () => {
      const { version, secretKey, address } = (await openFaucets()).basechain;
      const messages = [internal({ to: address, value: 1n, bounce: false })];
      const body = walletTransfer({ version, secretKey, seqno: 0, messages, validUntil: 0xffffffff });
      const boc = externalMessage({ address }, body).toBoc().toString('base64');
      const sent = await fetch(`${server.url}/api/v3/message`, {
        method: 'POST',
        headers: { 'x-api-key': localKey, 'content-type': 'application/json' },
        body: JSON.stringify({ boc }),
      });
      expect(sent.status).toBe(200);
      const { message_hash_norm: hash } = (await sent.json()) as { message_hash_norm: string };
      const path = `/api/v3/pendingTraces?ext_msg_hash=${encodeURIComponent(hash)}`;
      const callers = openCallers(2 * WORKERS, { 'x-api-key': localKey });
      const isShownBy = async ({ tryToAsk }: (typeof callers)[number]) => {
        const answer = await tryToAsk(path);
        return 'body' in answer && (JSON.parse(answer.body).traces ?? []).length === 1;
      };
      for (const caller of callers) await until(() => isShownBy(caller));
      // In a short run the kill below is the only one.
      if (isLongRun) {
        process.kill(await pidOf(sent.headers.get('x-request-id')!), 'SIGKILL');
        await until(() => server.output().includes('Process of this server replaced'));
        for (const caller of openCallers(2 * WORKERS, { 'x-api-key': localKey }))
          expect(await isShownBy(caller)).toBe(true);
      }
      await command('mine', { count: 2 });
    },
    TIMEOUT_MS,
  );

  it(
    `lose nothing but what a worker has in flight when it is killed, ${KILLS} times`,
    async () => {
      const accounts = Array.from({ length: 2 }, () => `0:${randomBytes(32).toString('hex').toUpperCase()}`);
      const subscription = {
        addresses: accounts,
        types: ['transactions', 'actions', 'account_state_change'],
      };
      const streams = (['sse', 'ws'] as const).map((transport) =>
        openResumingClient({ transport, urls: () => [server.url], key: localKey, subscription }),
      );
      await until(() => streams.every((stream) => stream.hasCursor()));
      let isOver = false;
      const mining = (async () => {
        while (!isOver) {
          await command('mine', { count: 1 });
          await sleep(200);
        }
      })();
      const funding = (async () => {
        for (let at = 0; !isOver; at++) await command('fund', { address: accounts[at % 2]!, amount: '0.01' });
      })();
      const killedAtMs: number[] = [];
      const answers: Answer[] = [];
      const failures: Failed[] = [];
      const asking = openCallers(CONNECTIONS, { 'x-api-key': localKey }).map(async ({ tryToAsk }) => {
        while (!isOver) {
          const answer = await tryToAsk();
          if ('error' in answer) failures.push(answer);
          else answers.push(answer);
          await sleep(50);
        }
      });
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(KILL_EVERY_MS);
        await until(() => workerPids().length > 0);
        const pids = workerPids();
        killedAtMs.push(performance.now());
        process.kill(pids[Math.floor(Math.random() * pids.length)]!, 'SIGKILL');
      }
      await sleep(KILL_EVERY_MS);
      await until(() => streams.every(({ events }) => events.length > 0));
      isOver = true;
      await Promise.all([...asking, funding]);
      await mining;
      await command('mine', { count: 1 });
      console.info(`${answers.length} answers, ${failures.length} failures in ${KILLS} kills`);
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
      // Each was on a connection that a killed worker had.
      expect(failures.length).toBeLessThanOrEqual(KILLS * Math.ceil(CONNECTIONS / WORKERS + CONNECTIONS / 4));
      for (const { connectedAtMs } of failures)
        expect(killedAtMs.some((killMs) => connectedAtMs <= killMs)).toBe(true);
      const source = { url: chain.url, key: localKey, accounts };
      await until(async () => {
        const expected = JSON.stringify(await readShown(source));
        return streams.every((stream) => JSON.stringify(shownBy(stream)) === expected);
      });
      for (const stream of streams) {
        expect(stream.gaps).toEqual([]);
        const ids = stream.events.map(({ id }) => id);
        expect(new Set(ids).size, 'no event twice').toBe(ids.length);
        expect(ids.length).toBeGreaterThan(0);
        await stream.close();
      }
      await untilComplete();
    },
    TIMEOUT_MS,
  );

  it('count wrong keys of an address together', async () => {
    const callers = await openToAll({ 'x-api-key': localKey });
    for (const caller of callers) caller.headers['x-api-key'] = `tg_${'x'.repeat(43)}`;
    const answers = await Promise.all(callers.flatMap(({ ask }) => Array.from({ length: 12 }, () => ask())));
    const wrong = answers.filter(({ status }) => status === 401).map(({ atMs }) => atMs);
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(WORKERS);
    // Ten per second, however long the others had to wait.
    expect(wrong.length).toBeGreaterThanOrEqual(10);
    expect(wrong.length).toBeLessThanOrEqual(
      10 * Math.ceil((Math.max(...wrong) - Math.min(...wrong)) / 1000 + 0.5),
    );
  });

  it.runIf(isLongRun)('replace a worker that gets SIGTERM', async () => {
    const [pid] = workerPids();
    process.kill(pid!, 'SIGTERM');
    await until(() => !isAlive(pid!));
    await untilComplete();
  });

  it('end with their parent', async () => {
    const pids = workerPids();
    await server.end('SIGKILL');
    await until(() => !pids.some(isAlive));
  });
});
