import type { FastifyInstance } from 'fastify';
import * as tonweb from 'tonweb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Failure } from '../../src/lib/failure.ts';
import { createTestApp, openGate } from '../support/app.ts';

interface Provider {
  readonly host: string;
  send(method: string, params: object): Promise<unknown>;
}
// The package's types do not describe how it is exported.
const { HttpProvider } = tonweb.default as unknown as {
  HttpProvider: new (host: string, options?: { apiKey: string }) => Provider;
};

const ADDRESS = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';

/** The provider takes any truthy `result` for data whatever the status, and rejects with `error` otherwise. */
describe('tonweb', () => {
  let app: FastifyInstance;
  let provider: Provider;
  beforeAll(async () => {
    const admit = async (request: { headers: Record<string, unknown> }) => {
      if (request.headers['x-api-key'] === 'slow') throw new Failure('rate_limited', 'Ratelimit exceeded');
    };
    app = await createTestApp({ gate: { ...openGate, admit } });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    provider = new HttpProvider(`${url}/api/v2/jsonRPC`);
  });
  afterAll(() => app.close());

  it('gets results of any kind', async () => {
    expect(await provider.send('packAddress', { address: ADDRESS })).toBe(ADDRESS);
    expect(await provider.send('detectAddress', { address: ADDRESS })).toMatchObject({ test_only: false });
  });

  it('rejects with the text of a failure', async () => {
    await expect(provider.send('packAddress', { address: 'x' })).rejects.toContain(
      "Failed to parse ton_addr: 'x'",
    );
    await expect(provider.send('nope', {})).rejects.toBe('Unknown method');
    const slow = new HttpProvider(provider.host, { apiKey: 'slow' });
    await expect(slow.send('packAddress', { address: ADDRESS })).rejects.toBe('Ratelimit exceeded');
  });
});
