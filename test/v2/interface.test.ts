import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';

let app: FastifyInstance;
let base: string;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  base = await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port;
});
afterAll(() => app.close());

const get = (path: string, init?: RequestInit) => fetch(base + path, init);

/** Sends raw bytes and returns the whole response. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

describe('every response of v2', () => {
  it.each([
    [`/api/v2/unpackAddress?address=${ADDRESS}`, 200],
    ['/api/v2/unpackAddress?address=x', 422],
    ['/api/v2/nope', 404],
    ['/api/v2/nope/deeper?x=%', 404],
  ])('%s is JSON with version, request id and CORS headers', async (path, status) => {
    const response = await get(path, { headers: { origin: 'https://example.test' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-api-version')).toMatch(/^2\.2\.\d+$/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-API-Version');
    expect(response.headers.get('x-request-id')).toMatch(/^[\w-]+$/);
    expect(await response.json()).toMatchObject(
      status === 200 ? { ok: true, result: RAW } : { ok: false, code: status },
    );
  });

  it('keeps a sane request id and replaces another', async () => {
    const sane = await get('/api/v2/nope', { headers: { 'x-request-id': 'abc-1' } });
    expect(sane.headers.get('x-request-id')).toBe('abc-1');
    const odd = await get('/api/v2/nope', { headers: { 'x-request-id': 'a b"' } });
    expect(odd.headers.get('x-request-id')).not.toContain(' ');
  });
});

describe('v2 paths and HTTP methods', () => {
  it('answers unknown paths with the 404 envelope for any method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']) {
      const response = await get('/api/v2/nope', { method, ...(method === 'POST' ? { body: '{' } : {}) });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ ok: false, error: 'Not Found', code: 404, '@extra': '_' });
    }
  });

  it('is case-sensitive and tolerates one trailing slash', async () => {
    expect((await get(`/api/v2/unpackaddress?address=${ADDRESS}`)).status).toBe(404);
    expect((await get(`/api/v2/unpackAddress/?address=${ADDRESS}`)).status).toBe(200);
    expect((await get('/api/v2/constructor')).status).toBe(404);
    expect((await get('/api/v2/:x(')).status).toBe(404);
  });

  it.each(['PUT', 'DELETE', 'QUERY'])('answers %s with the 405 envelope', async (method) => {
    const response = await get('/api/v2/unpackAddress/?x=1', { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST');
    expect(await response.json()).toMatchObject({
      ok: false,
      error: `unsupported http method: ${method}`,
      code: 405,
    });
  });

  it.each(['GET', 'HEAD'])('answers %s of a POST-only operation with 405', async (method) => {
    for (const name of ['runGetMethod', 'sendBoc', 'estimateFee']) {
      const response = await get(`/api/v2/${name}?address=${ADDRESS}`, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      const body = { ok: false, error: `unsupported http method: ${method}`, code: 405, '@extra': '_' };
      if (method === 'GET') expect(await response.json()).toEqual(body);
    }
    const rpc = await get('/api/v2/jsonRPC', { method });
    expect(rpc.status).toBe(405);
  });

  it('answers HEAD as GET without a body', async () => {
    const response = await get(`/api/v2/unpackAddress?address=${ADDRESS}`, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(50);
    expect(await response.text()).toBe('');
  });

  it('answers a preflight with 204 and the allowed methods and headers', async () => {
    const response = await get('/api/v2/jsonRPC', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.test',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-api-key, x-ton-client-version',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    for (const header of ['Content-Type', 'X-API-Key', 'X-Ton-Client-Version']) {
      expect(response.headers.get('access-control-allow-headers')).toContain(header);
    }
  });

  it('answers paths outside the interfaces with both envelopes in one', async () => {
    const response = await get('/nope');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ ok: false, error: 'Not Found', code: 404 });
    expect((await get('/%zz')).status).toBe(400);
  });
});

describe('v2 queries and bodies', () => {
  it('ignores unknown query parameters and uses the first of repeated ones', async () => {
    const response = await get(`/api/v2/unpackAddress?_=7&address=${ADDRESS}&address=x&api_key=`);
    expect(await response.json()).toMatchObject({ ok: true, result: RAW });
  });

  it('reads an unescaped + in base64', async () => {
    const response = await get('/api/v2/detectHash?hash=CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=');
    expect(await response.json()).toMatchObject({
      result: { b64: 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=' },
    });
  });

  it.each([
    ['', "Field 'address' is missing"],
    ['null', "Field 'address' is missing"],
    ['{"address":null}', "Field 'address' is missing"],
    ['[]', "Error at path '/': must be an object"],
    ['"x"', "Error at path '/': must be an object"],
    ['{"address":["a"]}', "Error at path 'address': must be a string"],
    ['{"address":"x","__proto__":1}', "Error at path '/': Unknown property '__proto__'"],
    ['{"address":"x","other":1}', "Error at path '/': Unknown property 'other'"],
  ])('rejects the body %s', async (body, detail) => {
    const response = await get('/api/v2/unpackAddress', { method: 'POST', body });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { error: string }).error).toBe(
      `failed to parse post request: ${detail}`,
    );
  });
});

describe('unknown properties in v2', () => {
  const body = { address: 'x', boc: 'x', body: 'x', method: 'x', stack: [], other: 1 };
  it.each([
    ['sendBoc', ['boc']],
    ['sendBocReturnHash', ['boc']],
    ['estimateFee', ['address', 'body']],
    ['runGetMethod', ['address', 'method', 'stack']],
    ['runGetMethodStd', undefined],
    ['sendBocReturnHashNoError', undefined],
    ['getAddressBalance', undefined],
  ])('are ignored only by POST of %s for %j, and never by JSON-RPC', async (name, names) => {
    const own = Object.fromEntries(Object.entries(body).filter(([key]) => names?.includes(key) ?? false));
    const errorOf = async (path: string, sent: object) =>
      ((await (await get(path, { method: 'POST', body: JSON.stringify(sent) })).json()) as { error: string })
        .error;
    const params = { ...own, other: 1 };
    const refusal = /^failed to parse post request: Error at path '\/': Unknown property 'other'$/;
    const byPost = await errorOf(`/api/v2/${name}`, params);
    if (names === undefined) expect(byPost).toMatch(refusal);
    else expect(byPost).not.toMatch(refusal);
    expect(await errorOf('/api/v2/jsonRPC', { method: name, params })).toMatch(refusal);
  });
});

describe('v2 size limits', () => {
  const KB = 1024;
  it.each([
    ['unpackAddress', 16 * KB],
    ['runGetMethod', 256 * KB],
    ['sendBoc', 256 * KB],
    ['estimateFee', 256 * KB],
    ['sendCellSimple', 512 * KB],
    ['jsonRPC', 512 * KB],
  ])('answers 413 to a body of %s above %d bytes before it is parsed', async (name, max) => {
    const errorOf = async (body: NonNullable<RequestInit['body']>) => {
      const response = await get(`/api/v2/${name}`, { method: 'POST', body, duplex: 'half' } as RequestInit);
      const { error, code } = (await response.json()) as { error: string; code: number };
      expect(response.status).toBe(code);
      return [code, error];
    };
    const refusal = [413, `Request body is larger than ${max} bytes`];
    expect(await errorOf('x'.repeat(max + 1))).toEqual(refusal);
    // Without its length in the head.
    expect(await errorOf(new Blob(['x'.repeat(max), 'xx']).stream())).toEqual(refusal);
    expect(await errorOf('x'.repeat(max))).toEqual([422, 'failed to parse post request: invalid JSON']);
  });

  it('answers 413 to a large body without waiting for it', async () => {
    const head = 'POST /api/v2/unpackAddress HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999';
    expect(await raw(`${head}\r\n\r\n{`)).toContain('Request body is larger than 16384 bytes');
  });

  it('answers 414 to a URL above 8192 bytes', async () => {
    const response = await get(`/api/v2/unpackAddress?address=${'x'.repeat(8200)}`);
    expect(response.status).toBe(414);
    expect(await response.json()).toMatchObject({ ok: false, code: 414 });
    expect((await get(`/api/v2/unpackAddress?x=${'x'.repeat(8000)}&address=${ADDRESS}`)).status).toBe(200);
  });

  it('answers 431 to headers above 64 KiB', async () => {
    const response = await get(`/api/v2/unpackAddress?address=${ADDRESS}`, {
      headers: { 'x-big': 'x'.repeat(66_000) },
    });
    expect(response.status).toBe(431);
    expect(await response.json()).toMatchObject({ ok: false, code: 431 });
  });

  it('answers 431 with an envelope when the HTTP parser gives up', async () => {
    const answer = await raw(`GET /api/v2/x HTTP/1.1\r\nHost: x\r\nx-big: ${'x'.repeat(140_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ ok: false, code: 431 });
  });

  it('answers 400 with an envelope to bytes that are not HTTP', async () => {
    const answer = await raw('hello\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toMatchObject({ ok: false, code: 400 });
  });

  it('rejects JSON that is nested too deep', async () => {
    const response = await get('/api/v2/jsonRPC', { method: 'POST', body: '['.repeat(5000) });
    expect(response.status).toBe(422);
    expect(((await response.json()) as { error: string }).error).toContain('nested deeper than 2048');
  });
});

describe('names that v2 does not know', () => {
  const HEADER = 'x-tongate-unknown-params';
  const STRICT = { 'x-strict-params': 'true', 'content-type': 'application/json' };
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    get(path, { method: 'POST', body: JSON.stringify(body), headers });
  const url = `/api/v2/packAddress?address=${RAW}`;
  /** A body in which the contract ignores them; there is no chain, so the call fails later. */
  const run = { address: ADDRESS, method: 'seqno', stack: [] };

  it('are listed in a header', async () => {
    expect((await get(`${url}&api_key=`)).headers.get(HEADER)).toBeNull();
    const queried = await get(`${url}&adress=x&Address=y&api_key=`);
    expect([queried.status, queried.headers.get(HEADER)]).toEqual([200, 'adress, Address']);
    const failed = await get('/api/v2/packAddress?adress=x');
    expect([failed.status, failed.headers.get(HEADER)]).toEqual([422, 'adress']);
    expect((await post('/api/v2/runGetMethod', { ...run, stak: [] })).headers.get(HEADER)).toBe('stak');
    const call = { method: 'packAddress', params: { address: RAW } };
    const called = await post('/api/v2/jsonRPC', [call, { ...call, parms: {} }]);
    expect([called.status, called.headers.get(HEADER)]).toEqual([200, 'parms']);
  });

  it.each([
    [
      'a query',
      () => get(`${url}&adress=x`, { headers: STRICT }),
      'unknown parameter "adress"; did you mean "address"?',
    ],
    ['a twin in the query', () => get(`${url}&colour=x&x_strict_params=1`), 'unknown parameter "colour"'],
    [
      'a body',
      () => post('/api/v2/runGetMethod', { ...run, stak: [] }, STRICT),
      'unknown parameter "stak"; did you mean "stack"?',
    ],
    [
      'a call of JSON-RPC',
      () => post('/api/v2/jsonRPC', { method: 'packAddress', parms: {} }, STRICT),
      'unknown parameter "parms"; did you mean "params"?',
    ],
    [
      'a request that does not say whether it is strict',
      () => get(url, { headers: { 'x-strict-params': 'maybe' } }),
      'X-Strict-Params should be true or false, not "maybe"',
    ],
    [
      'a body that never has them',
      () => post('/api/v2/packAddress', { adress: RAW }),
      "failed to parse post request: Error at path '/': Unknown property 'adress'; did you mean 'address'?",
    ],
  ])('are refused for a strict caller in %s', async (_, ask, error) => {
    const response = await ask();
    expect([response.status, await response.json()]).toMatchObject([422, { ok: false, error, code: 422 }]);
  });
});
