import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp } from '../support/app.ts';

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const RAW = '0:83DFD552E63729B472FCBCC8C45EBCC6691702558B68EC7527E1BA403A0F31A8';
const call = { jsonrpc: '2.0', id: 1, method: 'unpackAddress', params: { address: ADDRESS } };

let app: FastifyInstance;
beforeAll(async () => {
  app = await createTestApp({ maxBatch: 5 });
});
afterAll(() => app.close());

async function post(payload: unknown, headers: Record<string, string> = {}) {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const response = await app.inject({ method: 'POST', url: '/api/v2/jsonRPC', payload: text, headers });
  return { status: response.statusCode, body: response.json(), text: response.payload };
}

describe('a JSON-RPC call', () => {
  it.each([1, 0, -5, 1.5, '1', '', null, true])('echoes the id %j with its type', async (id) => {
    const { status, body } = await post({ ...call, id });
    expect(status).toBe(200);
    expect(body).toEqual({ ok: true, result: RAW, '@extra': expect.any(String), jsonrpc: '2.0', id });
  });

  it('echoes an id that does not fit a double with all digits', async () => {
    const { text } = await post(
      `{"id":12345678901234567890,"method":"unpackAddress","params":{"address":"${ADDRESS}"}}`,
    );
    expect(text).toContain('"id":12345678901234567890}');
  });

  it.each([
    [
      'a text of 257 characters',
      `"${'x'.repeat(257)}"`,
      "Error at path 'id': must have at most 256 characters",
    ],
    ['a number of 101 digits', '7'.repeat(101), 'JSON has a number of more than 100 characters'],
    [
      'a number of half a million digits',
      '7'.repeat(500_000),
      'JSON has a number of more than 100 characters',
    ],
  ])('rejects an id that is %s', async (_title, id, error) => {
    const { status, body } = await post(`{"method":"unpackAddress","id":${id}}`);
    expect([status, body.error]).toEqual([422, `failed to parse post request: ${error}`]);
    expect(body).not.toHaveProperty('id');
  });

  it('rejects params above the limit of their operation, alone and in a batch', async () => {
    const error = 'params of unpackAddress are larger than 16384 bytes';
    const large = { ...call, params: { address: 'x'.repeat(16_384) } };
    expect(await post(large)).toMatchObject({ status: 413, body: { code: 413, error, id: 1 } });
    const deep = { ...call, params: { address: Array.from({ length: 6000 }, () => [[]]) } };
    const sent = { ...call, method: 'sendBoc', params: { boc: 'x'.repeat(20_000) } };
    const { status, body } = await post([deep, call, sent]);
    expect([status, body.map(({ code = 200 }) => code)]).toEqual([200, [413, 200, 500]]);
  });

  it('rejects an object with hundreds of members before it is parsed', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `"k${i}":1`);
    const { status, body } = await post(`{"method":"unpackAddress","params":{${names}}}`);
    expect([status, body.error]).toEqual([
      422,
      'failed to parse post request: JSON has an object of more than 256 members',
    ]);
  });

  it('returns no id if none was sent, and does not require jsonrpc', async () => {
    const { body } = await post({ method: 'unpackAddress', params: { address: ADDRESS } });
    expect(body).toEqual({ ok: true, result: RAW, '@extra': expect.any(String), jsonrpc: '2.0' });
  });

  it.each([undefined, null, {}, []])('accepts params %j as no parameters', async (params) => {
    const { status, body } = await post({ ...call, params });
    expect({ status, error: body.error, id: body.id }).toEqual({
      status: 422,
      error: "failed to parse post request: Field 'address' is missing",
      id: 1,
    });
  });

  it.each([
    [{ ...call, params: [ADDRESS] }, 'params must contain an object'],
    [{ ...call, params: 'x' }, 'params must contain an object'],
    [{ ...call, params: 7 }, 'params must contain an object'],
    [{ ...call, method: 'nope' }, 'Unknown method'],
    [{ ...call, method: 'constructor' }, 'Unknown method'],
    [{ ...call, method: 'jsonRPC' }, 'Unknown method'],
    [{ ...call, method: 5 }, "failed to parse post request: Field 'method' is missing"],
    [{ id: 1 }, "failed to parse post request: Field 'method' is missing"],
    [
      { ...call, params: { address: ADDRESS, x: 1 } },
      "failed to parse post request: Error at path '/': Unknown property 'x'",
    ],
    [
      { ...call, params: { address: 5 } },
      "failed to parse post request: Error at path 'address': must be a string",
    ],
  ])('rejects %j', async (payload, error) => {
    const { status, body } = await post(payload);
    expect(status).toBe(422);
    expect(body).toEqual({
      ok: false,
      error,
      code: 422,
      '@extra': expect.any(String),
      jsonrpc: '2.0',
      id: 1,
    });
  });

  it.each(['{', '', '7', '"x"', 'null', '[', '{"a":}'])('rejects the body %j', async (payload) => {
    const { status, body } = await post(payload);
    expect({ status, code: body.code, ok: body.ok }).toEqual({ status: 422, code: 422, ok: false });
    expect(body.error).toMatch(/^failed to parse post request: /);
  });

  it('answers invalid JSON with the error text of the contract', async () => {
    expect((await post('{"method":')).body.error).toBe('failed to parse post request: invalid JSON');
  });

  it('rejects an id that is not a scalar', async () => {
    const { status, body } = await post({ ...call, id: { a: 1 } });
    expect(status).toBe(422);
    expect(body.error).toContain("Error at path 'id'");
    expect(body).not.toHaveProperty('id');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data',
    'nonsense',
    '',
  ])('reads JSON labelled %j', async (type) => {
    const { status, body } = await post(call, type === '' ? {} : { 'content-type': type });
    expect({ status, result: body.result }).toEqual({ status: 200, result: RAW });
  });

  it.each(['GET', 'PUT', 'DELETE', 'HEAD'] as const)('answers %s with 405', async (method) => {
    const response = await app.inject({ method, url: '/api/v2/jsonRPC' });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('POST');
    if (method !== 'HEAD') expect(response.json().error).toBe(`method ${method} is not supported`);
  });
});

describe('a JSON-RPC batch', () => {
  it('is answered in order, with failures in their places', async () => {
    const { status, body } = await post([call, { ...call, id: 'b', method: 'nope' }, 7, { ...call, id: 3 }]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { ok: true, result: RAW, '@extra': expect.any(String), jsonrpc: '2.0', id: 1 },
      { ok: false, error: 'Unknown method', code: 422, '@extra': '_', jsonrpc: '2.0', id: 'b' },
      {
        ok: false,
        error: expect.stringContaining('must be an object'),
        code: 422,
        '@extra': '_',
        jsonrpc: '2.0',
      },
      { ok: true, result: RAW, '@extra': expect.any(String), jsonrpc: '2.0', id: 3 },
    ]);
  });

  it.each([
    [[], 'batch is empty'],
    [Array(6).fill(call), 'batch has 6 calls, at most 5 are allowed'],
  ])('is rejected when empty or too long', async (payload, error) => {
    const { status, body } = await post(payload);
    expect(status).toBe(422);
    expect(body).toEqual({ ok: false, error, code: 422, '@extra': '_' });
  });
});
