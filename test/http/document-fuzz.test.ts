import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMutator } from '../support/fuzz/fuzz-decoder.ts';
import { sampled } from '../support/long-run.ts';
import { until } from '../support/until.ts';
import { type StatusCheck, statusCheck } from '../v3/support/response-schemas.ts';
import { startTongateServer, type TongateServer } from '../v3/support/tongate-server.ts';
import {
  casesOf,
  type DocumentCase,
  type DocumentOperation,
  operationsOf,
  type PreparedRequest,
  requestOf,
} from './support/document-requests.ts';

/** In this order: a restored chain has fewer blocks. */
const INTERFACES = [
  '/api/v3',
  '/api/emulate',
  '/api/v2',
  '/api/streaming/v2',
  '/api/me',
  '/api/admin',
  '/localnet',
];
/** There are about five thousand cases of one parameter; further rounds change two at once. */
const MAX_ROUNDS = 100_000;
const ROUNDS = Math.min(MAX_ROUNDS, Number(process.env.FUZZ_ROUNDS ?? sampled(20, 3000)));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const TIMEOUT_MS = 120_000 + ROUNDS * 50;
const REFUSALS = [400, 422];
/** Where the path names something that is not there. */
const NOT_FOUND = 404;
const TOO_MANY = 429;

interface Sent {
  readonly response: Response;
  readonly text: string;
}

const WRONG_METHODS = ['DELETE', 'PUT', 'PATCH', 'QUERY'];

const takes = (operations: readonly DocumentOperation[], path: string, method: string) =>
  operations.some((operation) => operation.path === path && operation.method === method.toLowerCase());

/** There is a limit on requests that no route takes. */
const WRONG_METHOD_REQUESTS = 8;
const MAX_SHOWN = 20;

/** Requests that take long, as they should: they make blocks, or wait for one. */
function isTooMuch({ parameter: { name }, operation: { path }, value }: DocumentCase): boolean {
  return (path === '/localnet/mine' && Number(value) > 100) || (name === 'min_seqno' && Number(value) > 1000);
}

/** The reference ignores a timeout that is no number, and takes a longer one for the longest. */
function isForgiven({ parameter: { name }, value }: DocumentCase): boolean {
  return name === 'X-Timeout' && !(Number(value) < 1 && Number.isInteger(value));
}

describe(`${ROUNDS} requests to each interface that its document allows or forbids`, () => {
  let server: TongateServer;
  const documents = new Map<string, object>();
  const { below } = createMutator(SEED);
  beforeAll(async () => {
    server = await startTongateServer();
    await until(async () => (await server.status()).index.unclassified_traces === 0);
    for (const prefix of INTERFACES)
      documents.set(prefix, (await server.get(`${prefix}/openapi.json`)).body as object);
  });
  afterAll(() => server?.close());

  async function send(
    request: PreparedRequest,
    needsKey = !request.url.startsWith('/api/admin'),
  ): Promise<Sent> {
    const { url, method, headers, body } = request;
    const response = await fetch(server.url + url, {
      method,
      headers: { ...headers, 'x-api-key': server.key, 'x-admin-key': server.key },
      ...(body !== undefined && { body }),
    });
    if (isStream(response)) {
      await response.body?.cancel();
      return { response, text: '' };
    }
    const text = await response.text();
    // What needs no key has a rate for each address, whatever it is sent.
    if (response.status !== TOO_MANY || needsKey) return { response, text };
    await sleep(1000 * Number(response.headers.get('retry-after')));
    return send(request, needsKey);
  }

  const documentOf = (prefix: string) => documents.get(prefix)!;

  /** What is wrong with a response; an empty text if nothing is. */
  function faultOf(
    check: StatusCheck,
    { path, method }: DocumentOperation,
    { response, text }: Sent,
  ): string {
    const { status, headers } = response;
    if (headers.get('x-request-id') === null) return 'no X-Request-Id';
    if ([429, 503].includes(status) && !headers.has('retry-after')) return 'no Retry-After';
    if (isStream(response)) return status === 200 ? '' : `a stream with status ${status}`;
    if (text === '') return check(path, method, status, undefined);
    if (headers.get('content-type') !== 'application/json') return `is ${headers.get('content-type')}`;
    const body = JSON.parse(text);
    if (status >= 400 && body.code !== undefined && body.code !== status) return `code ${body.code}`;
    return body.error === 'internal server error' ? body.error : check(path, method, status, body);
  }

  const inOrderOfChance = <T>(items: readonly T[]): T[] =>
    items
      .map((item) => ({ item, rank: below(2 ** 30) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item);

  /** All cases, then pairs of them. */
  function* rounds(operations: readonly DocumentOperation[]): Generator<DocumentCase[]> {
    const ofOperation = operations.map((operation) => casesOf(operation).filter((one) => !isTooMuch(one)));
    for (const one of inOrderOfChance(ofOperation.flat())) yield [one];
    for (;;) {
      const some = ofOperation[below(ofOperation.length)]!;
      if (some.length > 0) yield [some[below(some.length)]!, some[below(some.length)]!];
    }
  }

  it.each(INTERFACES)('%s answers as its document says', { timeout: TIMEOUT_MS }, async (prefix) => {
    const document = documentOf(prefix);
    const check = statusCheck(document);
    const faults: string[] = [];
    // Its commands make blocks.
    const count = prefix === '/localnet' ? ROUNDS / 4 : ROUNDS;
    let round = 0;
    for (const changes of rounds(operationsOf(document))) {
      if (round++ >= count || faults.length === MAX_SHOWN) break;
      const [{ operation }] = changes as [DocumentCase];
      const request = requestOf(operation, changes);
      const answer = await send(request);
      // The second change may replace the first.
      const isForbidden = changes.at(-1)!.validity === 'invalid' && !isForgiven(changes.at(-1)!);
      const { status } = answer.response;
      const isMissing = operation.path.includes('{') && status === NOT_FOUND;
      const isAccepted = isForbidden && !isMissing && !REFUSALS.includes(status);
      const fault = faultOf(check, operation, answer) || (isAccepted ? 'is not refused' : '');
      if (fault !== '') faults.push(describeFault(request, changes, answer, fault));
    }
    expect(faults).toEqual([]);
  });

  it.each(INTERFACES)('%s refuses other methods and damaged bodies', async (prefix) => {
    const document = documentOf(prefix);
    const check = statusCheck(document);
    const faults: string[] = [];
    const operations = operationsOf(document);
    for (const operation of inOrderOfChance(operations).slice(0, WRONG_METHOD_REQUESTS)) {
      const others = WRONG_METHODS.filter((name) => !takes(operations, operation.path, name));
      const method = others[below(others.length)]!;
      const wrong = { ...requestOf(operation, []), method };
      const refused = await send(wrong, false);
      const allow = refused.response.headers.get('allow')?.toLowerCase().split(', ') ?? [];
      if (refused.response.status !== 405 || !allow.includes(operation.method))
        faults.push(describeFault(wrong, [], refused, `allows ${allow}`));
    }
    for (const operation of operations) {
      const shown = requestOf(operation, []);
      if (shown.body === undefined) continue;
      const damaged = { ...shown, body: shown.body.slice(0, -1) };
      const answer = await send(damaged);
      const fault = faultOf(check, operation, answer);
      const isRefused = REFUSALS.includes(answer.response.status);
      if (fault !== '' || !isRefused)
        faults.push(describeFault(damaged, [], answer, fault || 'is not refused'));
    }
    expect(faults).toEqual([]);
  });

  it('every list has an example of a cursor that it takes', async () => {
    const document = documentOf('/api/v3');
    const refused: string[] = [];
    for (const operation of operationsOf(document)) {
      const parameter = operation.parameters.find(({ name }) => name === 'cursor');
      if (parameter === undefined) continue;
      for (const value of parameter.examples) {
        const { response, text } = await send(requestOf(operation, [{ parameter, value }]));
        if (response.status !== 200) refused.push(`${operation.path}: ${text}`);
      }
    }
    expect(refused).toEqual([]);
  });
});

/** A stream has no end, so its events are not read here. */
function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

function describeFault(
  { method, url, body }: PreparedRequest,
  changes: readonly DocumentCase[],
  { response, text }: { readonly response: Response; readonly text: string },
  fault: string,
): string {
  const changed = changes.map(({ parameter, validity }) => `${validity} ${parameter.name}`).join(', ');
  return `${method} ${url} ${body ?? ''} (${changed}): ${response.status} ${fault} ${text.slice(0, 200)}`;
}
