import { Cell, Dictionary } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRANSPORTS } from './support/transports.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const NOT_ONE = 'failed to validate request: only one of config_id or param should be specified';

describe('getConfigParam and getConfigAll on a local chain', () => {
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let seqno: number;
  beforeAll(async () => {
    context = await openLocalnetApp();
    await context.pool.waitForSeqno(3, { timeoutMs: 120_000 });
    seqno = context.pool.head!.seqno;
  });
  afterAll(() => context.close());

  async function bytesOf(operation: string, params: object): Promise<string> {
    const { status, body } = await context.call(operation, { ...params });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.result).toEqual({
      '@type': 'configInfo',
      config: { '@type': 'tvm.cell', bytes: expect.any(String) },
    });
    return body.result.config.bytes;
  }

  it('return the config of the head and of an older block', async () => {
    const bytes = await bytesOf('getConfigAll', {});
    expect(await bytesOf('getConfigAll', { seqno })).toBe(bytes);
    expect(await bytesOf('getConfigAll', { seqno: 1 })).toBe(bytes);
    expect(bytes).toMatch(/^te6cck/);
    const params = Dictionary.loadDirect(
      Dictionary.Keys.Int(32),
      Dictionary.Values.Cell(),
      Cell.fromBase64(bytes),
    );
    for (const param of [0, 8, 15, 20, 34])
      for (const at of [{}, { seqno }]) {
        const one = await bytesOf('getConfigParam', { param, ...at });
        expect(Cell.fromBase64(one).equals(params.get(param)!), `${param}`).toBe(true);
      }
  });

  it('return empty bytes for a param that does not exist', async () => {
    for (const param of [4242, 2 ** 31 - 1])
      for (const at of [{}, { seqno }]) expect(await bytesOf('getConfigParam', { param, ...at })).toBe('');
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });

  it('accept config_id and numbers as strings', async () => {
    const want = await bytesOf('getConfigParam', { param: 15 });
    for (const transport of TRANSPORTS)
      for (const params of [{ config_id: 15 }, { param: '15' }, { param: null, config_id: '15' }]) {
        if (transport === 'get' && params.param === null) continue;
        const { body } = await context.call('getConfigParam', params, transport);
        expect(body.result?.config.bytes, JSON.stringify(body)).toBe(want);
      }
  });

  it('prefer config_id in a query with both names and reject both in a body', async () => {
    for (const transport of ['post', 'rpc'] as const) {
      const refused = await context.call('getConfigParam', { param: 0, config_id: 34 }, transport);
      expect([refused.status, refused.body.error]).toEqual([422, NOT_ONE]);
    }
    const { body } = await context.call('getConfigParam', { param: 0, config_id: 15 }, 'get');
    expect(body.result.config.bytes).toBe(await bytesOf('getConfigParam', { param: 15 }));
  });

  it('fail for a block that does not exist', async () => {
    for (const [operation, params] of [
      ['getConfigAll', {}],
      ['getConfigParam', { param: 0 }],
    ] as const) {
      const { status, body } = await context.call(operation, { ...params, seqno: 99_999_999 });
      expect(status).toBe(500);
      expect(body.error).toMatch(/^LITE_SERVER_NOTREADY: cannot find block/);
    }
  });
});
