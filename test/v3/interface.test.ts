import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defineOperation, type Operation } from '../../src/http/operation.ts';
import { Failure } from '../../src/lib/errors.ts';
import { V3_VERSION } from '../../src/v3/envelope.ts';
import { limitParam, offsetParam } from '../../src/v3/list-parameters.ts';
import type { ListLimits, V3Call } from '../../src/v3/operation.ts';
import { createV3Operations } from '../../src/v3/operations.ts';
import { int32Param, stringKind } from '../../src/v3/parameter-kinds.ts';
import { listParam } from '../../src/v3/parameters.ts';
import { buildV3App } from './support/build-app.ts';

const HASH_HEX = '08f504e165de1094fe0f0cf57d8feb92b796bd89ec3addc8e388b51b9a2324f3';
const HASH = 'CPUE4WXeEJT+Dwz1fY/rkreWvYnsOt3I44i1G5ojJPM=';
const limits: ListLimits = { defaultLimit: 10, maxLimit: 1000 };

/** An operation with GET and POST, an alias, a page, and every kind of failure. */
const sampleOperation: Operation<V3Call> = defineOperation({
  name: 'dns/Sample',
  aliases: ['oldSample'],
  methods: ['GET', 'POST'],
  tag: 'test',
  summary: 'Sample',
  parameters: {
    seqno: int32Param('tested'),
    words: listParam(stringKind, 'tested', { max: 1000 }),
    limit: limitParam(limits),
    offset: offsetParam(),
  },
  result: Type.Object({
    seqno: Type.Optional(Type.Integer()),
    words: Type.Array(Type.String()),
    limit: Type.Integer(),
    offset: Type.Integer(),
    noMetadata: Type.Boolean(),
  }),
  cache: 'none',
  examples: [],
  handler: (params, call: V3Call) => {
    if (params.words.includes('not found')) throw new Failure('not_found', 'blocks <not> found');
    if (params.words.includes('busy')) throw new Failure('overloaded', 'busy', { retryAfterSeconds: 3 });
    if (params.words.includes('bug')) throw new Error('password=hunter2');
    return { ...params, words: [...params.words], noMetadata: call.options.noMetadata };
  },
});

const postOnly: Operation<V3Call> = { ...sampleOperation, name: 'postOnly', aliases: [], methods: ['POST'] };

describe('v3 interface', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    const operations = [...createV3Operations(limits), sampleOperation, postOnly];
    app = await buildV3App({ operations }, (root) => {
      root.addHook('onRequest', async (request) => {
        if (request.headers['x-api-key'] !== 'unknown') return;
        throw new Failure('unknown_key', 'API key does not exist');
      });
    });
  });
  afterAll(() => app.close());
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/api/v3${url}`, headers });

  it('names unknown parameters in a header, and refuses them for a strict caller', async () => {
    const loose = await get('/dns/sample?word=a&SEQNO=5&limt=3&x_no_metadata=1&api_key=');
    expect(loose.statusCode).toBe(200);
    expect(loose.headers['x-tongate-unknown-params']).toBe('word, limt');
    expect((await get('/dns/sample?words=a&seqno=5')).headers).not.toHaveProperty('x-tongate-unknown-params');
    const odd = await get(`/dns/sample?${encodeURIComponent('ü\r\nx')}=1&${'y'.repeat(100)}=1`);
    expect(odd.headers['x-tongate-unknown-params']).toBe(`%C3%BC%0D%0Ax, ${'y'.repeat(64)}`);
    for (const [query, headers] of [
      ['limt=3', { 'x-strict-params': 'true' }],
      ['limt=3&x_strict_params=1', {}],
    ] as const) {
      const strict = await get(`/dns/sample?${query}`, headers);
      expect(strict.statusCode).toBe(422);
      expect(strict.json().error).toBe('unknown parameter "limt"; did you mean "limit"?');
    }
    const other = await get('/dns/sample?colour=3', { 'x-strict-params': '1' });
    expect(other.json().error).toBe('unknown parameter "colour"');
    const posted = await app.inject({
      method: 'POST',
      url: '/api/v3/postOnly',
      headers: { 'x-strict-params': '1' },
      payload: { wrods: ['a'] },
    });
    expect(posted.statusCode).toBe(422);
    expect(posted.json().error).toBe('unknown parameter "wrods"; did you mean "words"?');
  });

  it('refuses a min_seqno that is none', async () => {
    for (const text of ['x', '-1', '99999999999'])
      expect((await get(`/dns/sample?min_seqno=${text}`)).json(), text).toEqual({
        code: 422,
        error: `min_seqno should be a masterchain seqno, not "${text}"`,
      });
  });

  it('echoes parsed values in all their forms', async () => {
    const forms = [
      HASH_HEX,
      `0x${HASH_HEX}`,
      encodeURIComponent(HASH),
      HASH.slice(0, 43).replace('+', '-').replace('/', '_'),
    ];
    const hashes = forms.map((form) => `my_hash=${form}`).join('&');
    const answer = await get(
      `/__testMethod?${hashes}&my_addr[]=Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF&MY_SHARD=-1,10`,
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      Hash: [HASH, HASH, HASH, HASH],
      Addr: [`-1:${'3'.repeat(64)}`],
      Shard: ['FFFFFFFFFFFFFFFF', '10'],
    });
  });

  it('reads an unescaped + in a query', async () => {
    expect((await get(`/__testMethod?my_hash=${HASH}`)).json().Hash).toEqual([HASH]);
  });

  it('sends its headers and a content type without charset with every response', async () => {
    const urls = [
      '/__testMethod',
      '/__testMethod?my_hash=zz',
      '/nowhere',
      '/dns/sample?words=bug',
      '/postOnly',
    ];
    for (const answer of await Promise.all(urls.map((url) => get(url)))) {
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.headers['x-api-version']).toBe(V3_VERSION);
      expect(answer.headers['server-timing']).toMatch(/^app;dur=[0-9]+\.[0-9]{3}$/);
    }
    expect(V3_VERSION).toMatch(/^1\.3\.[0-9]+$/);
  });

  it.each(['/__testMethod', '/__TESTMETHOD', '/__testmethod/', '/dns/sample', '/DNS/Sample', '/oldsample'])(
    'answers at %s',
    async (path) => {
      expect((await get(path)).statusCode).toBe(200);
    },
  );

  it('answers HEAD like GET, without a body', async () => {
    for (const url of ['/api/v3/__testMethod', '/api/v3/dns/sample']) {
      const head = await app.inject({ method: 'HEAD', url });
      const full = await app.inject({ url });
      expect([head.statusCode, head.body]).toEqual([200, '']);
      expect(head.headers['content-length']).toBe(full.headers['content-length']);
      expect(head.headers['x-api-version']).toBe(V3_VERSION);
    }
    const refused = await app.inject({ method: 'HEAD', url: '/api/v3/__testMethod?my_hash=zz' });
    expect([refused.statusCode, refused.body]).toEqual([422, '']);
  });

  it('applies limits and names the invalid parameter', async () => {
    expect((await get('/dns/sample')).json()).toEqual({ words: [], limit: 10, offset: 0, noMetadata: false });
    expect((await get('/dns/sample?limit=1000&offset=7')).json()).toMatchObject({ limit: 1000, offset: 7 });
    const refusals: Record<string, string> = {
      'limit=1001': 'limit is not allowed: 1001 > 1000',
      'limit=0': 'limit is not allowed: 0 < 1',
      'offset=-1': 'offset is not allowed: -1 < 0',
      'seqno=x': 'failed to decode: schema: error converting value for "seqno"',
      'seqno=x&limit=y&offset=z':
        'failed to decode: schema: error converting value for "seqno" (and 2 other errors)',
    };
    for (const [query, error] of Object.entries(refusals)) {
      const answer = await get(`/dns/sample?${query}`);
      expect([answer.statusCode, answer.json()]).toEqual([422, { code: 422, error }]);
    }
    const many = await get(`/__testMethod?my_shard=${'1,'.repeat(1001)}`);
    expect(many.json()).toEqual({ code: 422, error: 'my_shard list exceeds maximum length of 1000' });
  });

  it('reads request options from headers and query', async () => {
    expect((await get('/dns/sample', { 'x-no-metadata': '1' })).json().noMetadata).toBe(true);
    expect((await get('/dns/sample?x_no_metadata=true')).json().noMetadata).toBe(true);
    const late = await get('/dns/sample?seqno=x', { 'x-timeout': '0' });
    expect([late.statusCode, late.json()]).toEqual([
      422,
      { code: 422, error: 'X-Timeout should be 1 or more milliseconds, not "0"' },
    ]);
  });

  it('reads a JSON body by POST', async () => {
    const post = (payload: string | undefined, headers = {}) =>
      app.inject({
        method: 'POST',
        url: '/api/v3/dns/sample',
        headers,
        ...(payload === undefined ? {} : { payload }),
      });
    const answer = await post('{"seqno":5,"Words":["a,b"],"limit":"3","else":1}', {
      'content-type': 'text/plain',
    });
    expect(answer.json()).toEqual({ seqno: 5, words: ['a,b'], limit: 3, offset: 0, noMetadata: false });
    expect((await post(undefined)).statusCode).toBe(200);
    expect((await post('{"seqno":12345678901234567890}')).json().error).toContain('"seqno"');
    for (const bad of ['[]', '"x"', '{', '1']) {
      const refused = await post(bad);
      expect([refused.statusCode, refused.json().code]).toEqual([422, 422]);
    }
    const long = `{"words":["${'x'.repeat(16_000)}"]}`;
    expect((await post(long)).statusCode).toBe(200);
    const tooLong = await post(`{"words":["${'x'.repeat(16_384)}"]}`);
    const error = 'Request body is larger than 16384 bytes';
    expect([tooLong.statusCode, tooLong.json()]).toEqual([413, { code: 413, error }]);
  });

  it('reads lists by POST as by GET, with the same answers, errors and options', async () => {
    const post = (payload: object, query = '') =>
      app.inject({ method: 'POST', url: `/api/v3/__testMethod${query}`, payload });
    const addresses = Array.from({ length: 1000 }, (_, i) => `-1:${i.toString(16).padStart(64, '0')}`);
    const queried = await get(`/__testMethod?my_addr=${addresses.join(',')}&my_hash=${HASH_HEX}`);
    for (const my_addr of [addresses, addresses.join(',')])
      expect((await post({ my_addr, My_Hash: HASH_HEX })).json()).toEqual(queried.json());
    for (const [body, query] of [
      [{ my_addr: [addresses[0], 'x'] }, `my_addr=${addresses[0]},x`],
      [{ my_shard: Array(1001).fill('1') }, `my_shard=${'1,'.repeat(1001)}`],
      [{ min_seqno: 'x' }, 'min_seqno=x'],
      [{ x_no_metadata: 'x' }, 'x_no_metadata=x'],
    ] as const) {
      const asked = await get(`/__testMethod?${query}`);
      const sent = await post(body);
      expect([sent.statusCode, sent.json()]).toEqual([422, asked.json()]);
    }
    // A number is none of these kinds: 123 would be 0x123.
    expect((await post({ my_shard: [1] })).json().error).toContain('index 0 of "my_shard"');
    const late = await post({ x_timeout: 0 });
    expect([late.statusCode, late.json().error]).toEqual([
      422,
      'x_timeout should be 1 or more milliseconds, not "0"',
    ]);
    // Parameters are in the body, and the key is not.
    const misplaced = await post({ api_key: 'x' }, '?my_shard=1&x_no_metadata=1');
    expect([misplaced.json().Shard, misplaced.headers['x-tongate-unknown-params']]).toEqual([
      [],
      'api_key, my_shard',
    ]);
  });

  it('accepts a thousand addresses in the URL in their longest form and rejects a longer URL', async () => {
    await app.listen({ host: '127.0.0.1', port: 0 });
    const { port } = app.server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/api/v3/__testMethod`;
    // `collection_address` is the longest name of a list.
    const values = Array.from({ length: 1000 }, (_, i) => `-1%3A${i.toString(16).padStart(64, '0')}`);
    const longest = values.map((value) => `collection_address%5B%5D=${value}`).join('&');
    expect((await fetch(`${url}?${longest}`)).status).toBe(200);
    const asked = (await (await fetch(`${url}?my_addr=${values.join('%2C')}`)).json()) as { Addr: unknown };
    expect(asked.Addr).toHaveLength(1000);
    const tooLong = await fetch(`${url}?my_addr=${'0'.repeat(122_880)}`);
    expect([tooLong.status, await tooLong.json()]).toEqual([
      414,
      { code: 414, error: 'URL is longer than 122880 bytes' },
    ]);
    const tooLarge = await fetch(`${url}?my_addr=${'0'.repeat(140_000)}`);
    expect([tooLarge.status, await tooLarge.json()]).toMatchObject([
      431,
      { ok: false, code: 431, error: 'Request head is larger than 131072 bytes' },
    ]);
  });

  it('answers 404 outside its paths and 405 with Allow on them', async () => {
    const nowhere = await get('/nowhere?api_key=secret');
    expect([nowhere.statusCode, nowhere.json()]).toEqual([404, { code: 404, error: 'Not Found' }]);
    expect((await app.inject({ method: 'POST', url: '/api/v3/nowhere', payload: '{' })).statusCode).toBe(404);
    const cases = [
      { method: 'POST', url: '/api/v3/masterchainInfo', allow: 'GET, HEAD' },
      { method: 'DELETE', url: '/api/v3/dns/SAMPLE/?x=1', allow: 'GET, HEAD, POST' },
      { method: 'GET', url: '/api/v3/postOnly', allow: 'POST' },
      { method: 'HEAD', url: '/api/v3/postOnly', allow: 'POST' },
    ] as const;
    for (const { method, url, allow } of cases) {
      const answer = await app.inject({ method, url });
      expect([answer.statusCode, answer.headers.allow]).toEqual([405, allow]);
      if (method !== 'HEAD') expect(answer.json()).toEqual({ code: 405, error: 'Method Not Allowed' });
    }
  });

  it('shows the text of a Failure and hides that of other errors', async () => {
    const missing = await get('/dns/sample?words=not%20found');
    expect([missing.statusCode, missing.json()]).toEqual([404, { code: 404, error: 'blocks <not> found' }]);
    expect(missing.body).toContain('blocks \\u003cnot\\u003e found');
    const busy = await get('/dns/sample?words=busy');
    expect([busy.statusCode, busy.headers['retry-after']]).toEqual([503, '3']);
    const bug = await get('/dns/sample?words=bug');
    expect([bug.statusCode, bug.json()]).toEqual([500, { code: 500, error: 'internal server error' }]);
  });

  it('wraps refusals of access control in its own envelope', async () => {
    for (const url of ['/__testMethod', '/nowhere']) {
      const answer = await get(url, { 'x-api-key': 'unknown' });
      expect([answer.statusCode, answer.json()]).toEqual([
        401,
        { code: 401, error: 'API key does not exist' },
      ]);
    }
  });

  it('escapes what the reference server escapes, without changing values', async () => {
    const word = '<script>&\u2028\u2029"\\';
    const answer = await get(`/dns/sample?words=${encodeURIComponent(word)}`);
    expect(answer.json().words).toEqual([word]);
    expect(answer.body).not.toMatch(/[<>&\u2028\u2029]/);
  });

  it('serves its documents with the original spelling of names', async () => {
    const openapi = (await get('/openapi.json')).json();
    const served = [...createV3Operations(limits), sampleOperation, postOnly];
    const names = served.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    expect(Object.keys(openapi.paths)).toEqual(names.map((name) => `/api/v3/${name}`));
    expect(names).toEqual(expect.arrayContaining(['addressBook', '__testMethod', 'dns/Sample', 'oldSample']));
    const swagger = (await get('/doc.json')).json();
    expect([swagger.swagger, Object.keys(swagger.paths)]).toEqual(['2.0', Object.keys(openapi.paths)]);
  });
});
