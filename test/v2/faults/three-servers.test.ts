import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDemoWallets } from '../../../src/localnet/demo/demo-wallets.ts';
import { createTestApp } from '../../support/app.ts';
import { type FaultyServer, type FaultyServers, only, openFaultyServers } from '../support/faulty-servers.ts';
import { callV2, TRANSPORTS, type TransportResponse } from '../support/transports.ts';
import { createRequestStorm, type RequestStorm } from './request-storm.ts';

// Generous, for a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const SOON = { timeout: 120_000 };

const WALLET = { address: openDemoWallets().alice.address.toRawString() };
const NO_SERVER = 'no workers available (archival=0 mode=Single)';
const NO_SERVERS = 'no workers available (archival=0 clients_number=5 mode=Multiple)';
const NO_SESSION = 'failed to get session: ';
const QUERY_MS = 2000;
/** All queries except those by which the pool follows a server. */
const CONTENT = /^(?!getMasterchainInfo|lookupBlock$|getBlockProof$)/;

let context: FaultyServers;
let storm: RequestStorm;
let account = 0;
beforeAll(async () => {
  context = await openFaultyServers({
    servers: 3,
    demo: true,
    provesHeads: true,
    timing: {
      queryMs: QUERY_MS,
      startMs: 200,
      headWaitMs: 300,
      pollMs: 20,
      referenceWaitMs: 500,
      recheckFirstMs: 30,
      recheckMaxMs: 60,
      firstProbeMs: 10,
      probeMs: 200,
      distrustFirstMs: 1000,
      distrustMaxMs: 1000,
    },
  });
  await context.mine();
  storm = await createRequestStorm(context);
});
afterAll(() => context?.close());
beforeEach(async () => {
  for (const one of context.servers) {
    one.misbehave(undefined);
    one.limit();
    one.lies = false;
    await one.start();
  }
  await all('live');
  context.log.lines.length = 0;
});

const server = (index: number): FaultyServer => context.servers[index]!;
const report = (index: number) => context.pool.servers()[index]!;
const states = () => context.pool.servers().map(({ state }) => state);
const all = (state: string) => vi.waitFor(() => expect(new Set(states())).toEqual(new Set([state])), SOON);
const isIdle = () =>
  vi.waitFor(
    () => expect(context.pool.servers()).toMatchObject(Array(3).fill({ inFlight: 0, queued: 0 })),
    SOON,
  );

/** Stops all servers but one and waits until the pool has noticed. */
async function leaveOnly(index: number): Promise<void> {
  const expected = context.servers.map((_, at) => (at === index ? 'live' : 'down'));
  await Promise.all(context.servers.filter((_, at) => at !== index).map((one) => one.stop()));
  await vi.waitFor(() => expect(states()).toEqual(expected), SOON);
}

/** Slows down all servers but one, so that it is tried first. */
function prefer(index: number): void {
  for (const [at, one] of context.servers.entries())
    if (at !== index) one.misbehave({ kind: 'slow', delayMs: 20 });
}

/** An account that was not requested yet. */
const newAddress = () => `0:${(account++).toString(16).padStart(64, 'a')}`;

async function askAccounts(count: number): Promise<TransportResponse[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => context.call('getAddressInformation', { address: newAddress() })),
  );
  for (const { status, body } of answers) expect({ status, error: body.error }).toEqual({ status: 200 });
  return answers;
}

/** The positions of the servers that a response names. */
const workersOf = ({ body }: TransportResponse): string => body['@extra'].split(':')[1];

function namedLiars(): unknown[] {
  const lines = context.log.lines.filter(({ text }) => /wrong response/.test(text));
  return [...new Set(lines.map(({ details }) => details.server))];
}

describe('v2 with three lite servers of which one', () => {
  it('fails in every way and recovers: all requests are answered correctly', async () => {
    prefer(1);
    const at = (percent: number) => Math.floor((storm.count * percent) / 100);
    const troubles = new Map<number, (bad: FaultyServer) => Promise<void> | void>([
      [at(10), (bad) => bad.stop()],
      [at(30), (bad) => bad.start()],
      [at(37), (bad) => bad.cutAll()],
      [at(44), (bad) => bad.misbehave({ kind: 'cut' })],
      [at(54), (bad) => bad.misbehave({ kind: 'garbage' })],
      [at(60), (bad) => bad.misbehave({ kind: 'error', code: 602, text: 'timeout' })],
      [at(67), (bad) => bad.misbehave({ kind: 'hung' })],
      [at(84), (bad) => bad.misbehave(undefined)],
    ]);
    expect(troubles.size).toBe(8);
    const { faults, answers } = await storm.blow(await storm.truth(), async (answered) =>
      troubles.get(answered)?.(server(1)),
    );
    expect(faults).toEqual([]);
    const byBad = answers.map(workersOf).filter((workers) => workers.includes('1'));
    expect(byBad).not.toEqual([]);
    await isIdle();
    await all('live');
    await leaveOnly(1);
    expect((await askAccounts(1)).map(workersOf)).toEqual(['1']);
  });

  it('sends wrong proofs: it is distrusted and logged, and all responses are correct', async () => {
    const truth = await storm.truth();
    prefer(2);
    server(2).lies = true;
    const { faults } = await storm.blow(truth);
    expect(faults).toEqual([]);
    expect(namedLiars()).toEqual([report(2).name]);
    expect([0, 1, 2].map((at) => report(at).wrongResponses > 0)).toEqual([false, false, true]);
    server(2).lies = false;
    await all('live');
  });

  it('is slow: requests move to another server, which @extra names', async () => {
    server(0).misbehave(only(CONTENT, { kind: 'slow', delayMs: 3 * QUERY_MS }));
    const workers = (await askAccounts(30)).map(workersOf);
    expect(workers.filter((positions) => /^0,[12]$/.test(positions))).not.toEqual([]);
    await isIdle();
  });
});

describe('v2 without a good lite server:', () => {
  it('a slow server means 504 after the timeout of a query or of the request', async () => {
    await leaveOnly(0);
    server(0).misbehave(only(CONTENT, { kind: 'slow', delayMs: 3 * QUERY_MS }));
    const hurried = await createTestApp({ ports: { pool: () => context.pool, requestMs: QUERY_MS / 4 } });
    const refusal = (error: string) => ({ status: 504, body: { ok: false, code: 504, error } });
    await Promise.all(
      TRANSPORTS.map(async (transport) => {
        const ask = (app: typeof hurried) =>
          callV2(app, transport, 'getAddressState', { address: newAddress() });
        expect(await ask(hurried)).toMatchObject(refusal('Liteserver timeout'));
        expect(await ask(context.app)).toMatchObject(refusal('LITE_SERVER_NETWORK timeout'));
      }),
    );
    await hurried.close();
    await isIdle();
  });

  it('a server with wrong proofs means 500 with the failed check, then no server is left', async () => {
    const truth = await storm.truth();
    await leaveOnly(0);
    server(0).lies = true;
    context.forget();
    const faults = await Promise.all(
      storm.reads.map(async (question) => storm.faultOf(question, await storm.ask(question), truth)),
    );
    const texts = faults
      .filter((fault) => fault !== undefined)
      .map(({ status, error }) => `${status} ${error}`);
    const wrongProofs = /^500 (failed to get candidate transactions: )?VALIDATE_[A-Z]/;
    expect(texts.filter((text) => wrongProofs.test(text))).not.toEqual([]);
    expect(texts.filter((text) => !wrongProofs.test(text) && !text.endsWith(NO_SERVER))).toEqual([]);
    expect(namedLiars()).toEqual([report(0).name]);
    await vi.waitFor(async () => {
      const answer = await context.call('getAddressState', { address: newAddress() });
      expect(answer).toMatchObject({ status: 542, body: { error: NO_SERVER } });
    }, SOON);
  });

  it('with all servers down each operation has its own error text, and recovers by itself', async () => {
    const health = async () => (await context.app.inject('/api/v2/healthcheck')).statusCode;
    for (const one of context.servers) await one.stop();
    await all('down');
    context.forget();
    // sendBocUnsafe answers at once and sends later.
    const questions = storm.questions.filter(({ name }) => name !== 'sendBocUnsafe');
    const answers = await Promise.all(questions.map(storm.ask));
    for (const [at, { title, name }] of questions.entries()) {
      const { status, body } = answers[at]!;
      const { ok, code, error } = body;
      expect({ title, ok, status, code, error }).toEqual({ title, ok: false, ...refusalOf(name) });
    }
    const archival = await context.call('getTransactions', { ...WALLET, archival: true });
    expect(archival.body.error).toBe(`${NO_SESSION}no workers available (archival=1 mode=Single)`);
    expect(await context.call('unpackAddress', WALLET)).toMatchObject({ status: 200 });
    expect(await health()).toBe(503);

    for (const one of context.servers) await one.start();
    await all('live');
    expect(await health()).toBe(200);
    await askAccounts(20);
  });
});

// Last, because it makes blocks, and then the correct results have to be read again.
describe('v2 with three lite servers of which one', () => {
  it('lags: it is used up to three blocks behind, and not from four on', async () => {
    const first = context.pool.head!.seqno;
    server(1).freeze();
    for (let lag = 1; lag <= 5; lag += 1) {
      const newest = first + lag;
      const isLive = lag <= 3;
      await context.mine();
      await vi.waitFor(() => expect([report(0).seqno, report(2).seqno]).toEqual([newest, newest]), SOON);
      expect(report(1)).toMatchObject({ state: isLive ? 'live' : 'lagging', lagBlocks: lag });
      const answers = await askAccounts(20);
      const seqnos = answers.map(({ body }) => body.result.block_id.seqno);
      expect(Math.max(...seqnos)).toBe(newest);
      expect(Math.min(...seqnos)).toBeGreaterThanOrEqual(isLive ? first : newest);
      if (!isLive) expect(answers.map(workersOf).join()).not.toContain('1');
      expect((await context.call('getConsensusBlock')).body.result.consensus_block).toBe(newest);
      expect((await context.call('getMasterchainInfo')).body.result.last.seqno).toBe(newest);
    }

    server(1).limit();
    await all('live');
    await leaveOnly(1);
    const [answer] = await askAccounts(1);
    expect([workersOf(answer!), answer!.body.result.block_id.seqno]).toEqual(['1', first + 5]);
  });
});

/** The error of an operation when no server is live. */
function refusalOf(name: string): { status: number; code: number; error: string } {
  const refusal = (status: number, error: string) => ({ status, code: status, error });
  if (name === 'getConsensusBlock') return refusal(500, 'no workers alive');
  if (name === 'sendBocReturnHashNoError') return refusal(400, NO_SERVERS);
  if (name.startsWith('send')) return refusal(542, NO_SERVERS);
  const isPrefixed = /^(?:getTransactions|getBlockTransactions|tryLocate|estimateFee)/.test(name);
  return refusal(542, isPrefixed ? NO_SESSION + NO_SERVER : NO_SERVER);
}
