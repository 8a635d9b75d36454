import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BesideCase, createV3Cases } from '../../bench/beside/cases.ts';
import { compareAnswers } from '../../bench/beside/compare-answers.ts';
import { createEndpoint, type Endpoint } from '../../bench/beside/endpoint.ts';
import { measureCase } from '../../bench/beside/measure-case.ts';
import { type Keys, sampleKeys } from '../../bench/beside/sample-keys.ts';
import { isLongRun } from '../support/long-run.ts';
import { openWalkContext, type WalkContext } from '../v3/support/walk-app.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** The index of the demo, and an endpoint that passes its answers on with some differences, in chunks. */
describe('two endpoints', () => {
  let walk: WalkContext;
  let other: Server;
  let endpoints: readonly [Endpoint, Endpoint];
  let keys: Keys;
  let isLimited = false;
  /** Paths of requests to B. */
  const asked: string[] = [];
  beforeAll(async () => {
    walk = await openWalkContext();
    const url = await walk.app.listen({ host: '127.0.0.1', port: 0 });
    other = createServer(async (request, response) => {
      if (isLimited) {
        response.writeHead(429).end();
        return;
      }
      asked.push(request.url!);
      const answer = await fetch(url + request.url);
      const text = (await answer.text()).replaceAll('"lt":"', '"lt":"1').replace('"finality"', '"certainty"');
      response.writeHead(request.url!.startsWith('/api/v3/messages?') ? 404 : answer.status);
      for (let at = 0; at < text.length; at += 1000) response.write(text.slice(at, at + 1000));
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    endpoints = [
      createEndpoint({ name: 'A', url, apiKey: undefined, pids: [process.pid] }),
      createEndpoint({ name: 'B', url: otherUrl, apiKey: 'some key', pids: [] }),
    ];
    keys = await sampleKeys(endpoints[0], 40);
  });
  afterAll(async () => {
    other?.close();
    other?.closeAllConnections();
    await walk?.close();
  });

  const caseOf = (name: string): BesideCase =>
    createV3Cases(keys).find((each) => each.name === `v3: ${name}`)!;

  it('are asked for keys of rows that the first one has', async () => {
    expect(keys.transactions).toHaveLength(40);
    for (const benchCase of createV3Cases(keys)) {
      expect(benchCase.keys).toBeGreaterThan(0);
      const { status } = await endpoints[0].ask(benchCase.pathOf(0));
      expect(`${benchCase.name}: ${status}`).toBe(`${benchCase.name}: 200`);
    }
  });

  it('have every key asked for before one comes again', () => {
    const { keys: count, pathOf } = caseOf('transactions by hash');
    const paths = Array.from({ length: count + 1 }, (_, at) => pathOf(at));
    expect(new Set(paths).size).toBe(count);
    expect(paths[count]).toBe(paths[0]);
  });

  it('differ in the places that are named, those of lists once', async () => {
    const { compared, equal, differences } = await compareAnswers(
      caseOf('transactions by hash'),
      endpoints,
      5,
      NOTHING,
    );
    expect({ compared, equal }).toEqual({ compared: 5, equal: 0 });
    const places = differences.map(({ place }) => place);
    expect(places).toContain('transactions[].lt');
    expect(places).toContain('transactions[].finality: only in A');
    expect(places).toContain('transactions[].certainty: only in B');
    expect(new Set(places).size).toBe(places.length);
  });

  it('are equal without the members that are ignored', async () => {
    const ignored = new Set(['lt', 'prev_trans_lt', 'finality', 'certainty']);
    const compared = await compareAnswers(caseOf('transactions by hash'), endpoints, 5, ignored);
    expect(compared).toMatchObject({ compared: 5, equal: 5, differences: [] });
  });

  it('differ by the status', async () => {
    const { differences } = await compareAnswers(caseOf('messages by hash'), endpoints, 3, NOTHING);
    expect(differences).toEqual([{ place: 'status 200 in A, 404 in B', answers: 3 }]);
  });

  it.runIf(isLongRun)('answer the same requests in turns, also in chunks', async () => {
    asked.length = 0;
    const wanted = caseOf('transactions of an account, 20');
    const measured = await measureCase(wanted, endpoints, { connections: 2, rounds: 2, seconds: 60 });
    for (const figures of [...measured.first, ...measured.again]) {
      expect(figures).toMatchObject({ failures: 0 });
      expect(figures.rate).toBeGreaterThan(0);
      expect(figures.p99).toBeGreaterThanOrEqual(figures.p50);
    }
    expect(measured.first[0].cpuMs).toBeGreaterThan(0);
    expect(measured.first[1].cpuMs).toBeUndefined();
    expect(measured.ratio).toBeGreaterThan(0);
    expect(asked.length).toBeGreaterThan(0);
    // Every request of B is one that A was sent too, and passes on.
    expect(asked.every((path) => path.includes('/api/v3/transactions?account='))).toBe(true);
  });

  it.runIf(isLongRun)('have their failures counted, and a rate limit named', async () => {
    const effort = { connections: 1, rounds: 1, seconds: 60 };
    const { first } = await measureCase(caseOf('messages by hash'), endpoints, effort);
    expect(first.map(({ failures }) => failures > 0)).toEqual([false, true]);
    isLimited = true;
    await expect(measureCase(caseOf('traces by id'), endpoints, effort)).rejects.toThrow('--key-b');
    isLimited = false;
  });
});
