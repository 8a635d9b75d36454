import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createWebRoutes, type WebOptions } from '../../src/web/web-routes.ts';
import { createTestApp } from '../support/app.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const OPTIONS: WebOptions = {
  version: '1.2.3',
  network: 'localnet',
  coin: 'TON',
  testOnly: true,
  hasLocalChain: true,
  hasStreaming: true,
};

describe('served pages', () => {
  let folder = '';
  let app: FastifyInstance;
  beforeAll(() => {
    folder = makeTemporaryDirectory('web-routes');
    mkdirSync(join(folder, 'assets'));
    writeFileSync(
      join(folder, 'index.html'),
      '<html><base href="./" /><script src="./assets/a.js"></script>',
    );
    writeFileSync(join(folder, 'pages.json'), '["/","/block/:workchain/:seqno"]');
    writeFileSync(join(folder, 'assets/a.js'), 'plain();');
    writeFileSync(join(folder, 'assets/a.js.br'), 'packed');
  });
  afterAll(() => removeTemporaryDirectory(folder));
  afterEach(() => app.close());

  async function serve(options: Partial<WebOptions> = {}, pathPrefix = ''): Promise<void> {
    const plugin = createWebRoutes({ ...OPTIONS, folder, ...options });
    app = await createTestApp({ overrides: { interfaces: [{ prefix: '/', plugin }], pathPrefix } });
  }

  it('have a policy that allows nothing from elsewhere', async () => {
    await serve();
    const policy = String((await app.inject('/')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';");
    expect(policy).not.toMatch(/unsafe|data:|\*/);
    await app.close();
    await serve({ imgproxyUrl: 'https://images.example/path' });
    expect((await app.inject('/')).headers['content-security-policy']).toContain(
      "img-src 'self' https://images.example;",
    );
  });

  it('find their files from every depth, also below a prefix', async () => {
    await serve({}, '/ton');
    const baseOf = async (url: string) => /<base href="([^"]+)"/.exec((await app.inject(url)).payload)?.[1];
    expect(await baseOf('/')).toBe('./');
    expect(await baseOf('/block/0/5')).toBe('../../');
    expect(await baseOf('/block/0/5?x=/a/b')).toBe('../../');
    expect(await baseOf('/block/0/5/')).toBe('../../../');
    expect(await baseOf('/ton/block/0/5')).toBe('../../');
  });

  it('are the same for known paths only', async () => {
    await serve();
    expect((await app.inject('/block/0/5')).statusCode).toBe(200);
    for (const url of [
      '/block',
      '/nowhere',
      '/api/nowhere',
      '/assets/b.js',
      '/assets/',
      '/assets/..%2findex.html',
    ]) {
      const { statusCode, json } = await app.inject(url);
      expect([url, statusCode]).toEqual([url, 404]);
      expect(json()).toMatchObject({ ok: false, code: 404 });
    }
  });

  it('stand for unknown paths in a browser, with the status of them', async () => {
    await serve();
    const headers = { accept: 'text/html,application/xhtml+xml;q=0.9' };
    const page = await app.inject({ url: '/no/where?x=1', headers });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.payload).toContain('<base href="../"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    for (const url of ['/api/nowhere', '/assets/b.js'])
      expect((await app.inject({ url, headers })).json()).toMatchObject({ ok: false, code: 404 });
    expect((await app.inject({ url: '/nowhere', headers, method: 'POST' })).json()).toMatchObject({
      code: 404,
    });
  });

  it('have assets that browsers keep, packed where they accept it', async () => {
    await serve();
    const plain = await app.inject('/assets/a.js');
    expect([plain.payload, plain.headers['cache-control']]).toEqual([
      'plain();',
      'public, max-age=31536000, immutable',
    ]);
    const packed = await app.inject({ url: '/assets/a.js', headers: { 'accept-encoding': 'gzip, br' } });
    expect([packed.payload, packed.headers['content-encoding']]).toEqual(['packed', 'br']);
    expect(packed.headers['content-type']).toMatch(/javascript/);
  });

  it('learn about the server, its chain, and where the key of a local chain is', async () => {
    await serve({ localKeyFile: 'data/localnet-api-key', chainTime: () => 1_800_000_000 });
    const answer = await app.inject('/web.json');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()).toEqual({
      version: '1.2.3',
      network: 'localnet',
      coin: 'TON',
      test_only: true,
      has_local_chain: true,
      has_streaming: true,
      chain_time: 1_800_000_000,
      image_origin: null,
      anonymous_rps: null,
      local_key_file: 'data/localnet-api-key',
      page_token: null,
    });
  });

  it('say what to do where they are not built, while everything else works', async () => {
    await serve({ folder: join(folder, 'nowhere') });
    const page = await app.inject('/');
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.payload).toContain('npm run build:web');
    expect((await app.inject('/healthz')).statusCode).toBe(200);
  });
});
