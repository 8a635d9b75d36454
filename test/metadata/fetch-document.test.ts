import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { brotliCompressSync, createGzip, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FETCH_LIMITS, type FetchEnvironment, fetchDocument } from '../../src/metadata/fetch-document.ts';
import {
  createDocumentServer,
  createTestNames,
  type DocumentServer,
  isPublicHere,
  TEST_CERTIFICATE,
} from './support/document-server.ts';

let server: DocumentServer;

beforeEach(async () => {
  server = await createDocumentServer();
});
afterEach(() => server.close());

interface Changes extends Partial<Omit<FetchEnvironment, 'limits'>> {
  readonly limits?: Partial<FetchEnvironment['limits']>;
  readonly isGateway?: boolean;
  readonly signal?: AbortSignal;
}

/** The text of the document, or the kind and text of the error. */
async function get(
  url: string,
  { limits, isGateway = false, signal, ...changes }: Changes = {},
): Promise<string> {
  const environment = {
    names: createTestNames(),
    isPublic: isPublicHere,
    ...changes,
    limits: { ...FETCH_LIMITS, ...limits },
  };
  const source = { url: new URL(url), isGateway };
  try {
    return String(await fetchDocument(source, environment, signal ?? new AbortController().signal));
  } catch (error) {
    const { kind, message } = error as { kind?: string; message: string };
    return `${kind}: ${message}`;
  }
}

const NOT_PUBLIC = 'refused: the address is not public';

it('fetchDocument returns a document', async () => {
  server.on('/a', (request, response) => response.end(JSON.stringify(request.headers)));
  const headers = JSON.parse(await get(server.at('/a')));
  expect(headers).toMatchObject({ 'accept-encoding': 'identity', host: `127.0.0.1:${server.port}` });
  expect(headers).not.toHaveProperty('cookie');
});

describe('hostile document servers', () => {
  it('are given up if they send too slowly', async () => {
    server.on('/drip', (_, response) => {
      response.write('{"name": "');
      const timer = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await get(server.at('/drip'), { limits: { totalMs: 100 } })).toBe('unavailable: timed out');
  });

  it('are given up if they never respond or drip headers', async () => {
    server.on('/never', () => {});
    server.on('/early', (_, response) => {
      const timer = setInterval(() => response.writeProcessing(), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await get(server.at('/never'), { limits: { totalMs: 100 } })).toBe('unavailable: timed out');
    expect(await get(server.at('/early'), { limits: { totalMs: 100 } })).toBe('unavailable: timed out');
  });

  it('are cut off at the size limit', async () => {
    let sent = 0;
    server.on('/endless', (_, response) => {
      const chunk = Buffer.alloc(16_384, ' ');
      const write = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      };
      response.on('drain', write);
      write();
    });
    expect(await get(server.at('/endless'), { limits: { maxBytes: 100_000 } })).toBe(
      'failed: longer than 100000 bytes',
    );
    expect(sent).toBeLessThan(20_000_000);
  });

  it('are rejected by a too large content length', async () => {
    server.on('/huge', (_, response) => {
      response.writeHead(200, { 'content-length': String(11 * 1024 * 1024) }).write('{');
    });
    expect(await get(server.at('/huge'))).toBe('failed: longer than 10485760 bytes');
  });

  it('cannot send a gzip bomb', async () => {
    const zeros = Buffer.alloc(1 << 20);
    server.on('/bomb', (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      for (let i = 0; i < 40; i++) gzip.write(zeros);
      gzip.end();
    });
    expect(await get(server.at('/bomb'))).toBe('failed: longer than 10485760 bytes');
  });

  it('are limited before and after decompression', async () => {
    const packed = gzipSync(Buffer.from(Array.from({ length: 3000 }, (_, i) => (i * i * 7919) >> 3)));
    server.on('/packed', (_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed),
    );
    const sent = await get(server.at('/packed'), { limits: { maxBytes: packed.length - 1 } });
    expect(sent).toBe(`failed: longer than ${packed.length - 1} bytes`);
  });

  it('may compress with known encodings only', async () => {
    const send = (path: string, encoding: string, body: Buffer | string) =>
      server.on(path, (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body));
    send('/gzip', 'GZIP', gzipSync('{"a":1}'));
    send('/br', 'br', brotliCompressSync('{"a":2}'));
    send('/identity', 'identity', '{"a":3}');
    send('/odd', 'constructor', '{}');
    send('/twice', 'gzip, gzip', '{}');
    send('/broken', 'gzip', 'not packed');
    expect(await get(server.at('/gzip'))).toBe('{"a":1}');
    expect(await get(server.at('/br'))).toBe('{"a":2}');
    expect(await get(server.at('/identity'))).toBe('{"a":3}');
    expect(await get(server.at('/odd'))).toBe('failed: unknown content encoding');
    expect(await get(server.at('/twice'))).toBe('failed: unknown content encoding');
    expect(await get(server.at('/broken'))).toBe('failed: request failed (Z_DATA_ERROR)');
  });

  it.each([100, 101, 199])('are handled with status %i', async (status) => {
    server.on('/odd', ({ socket }) => {
      socket.end(`HTTP/1.1 ${status} Odd\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n`);
    });
    expect(await get(server.at('/odd'), { limits: { totalMs: 1000 } })).toMatch(/^failed: /);
  });

  it('fail with a reset connection before or within the response', async () => {
    server.on('/reset', (request) => request.socket.resetAndDestroy());
    server.on('/within', (request, response) => {
      response.write('{"name":', () => setTimeout(() => request.socket.resetAndDestroy(), 20));
    });
    server.on('/short', ({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{}');
    });
    for (const path of ['/reset', '/within', '/short'])
      expect(await get(server.at(path))).toMatch(
        /^failed: request failed \((ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)\)$/,
      );
  });

  it('fail with invalid HTTP, endless headers and closed ports', async () => {
    server.on('/odd', (request) => request.socket.end('hello\r\n\r\n'));
    server.on('/headers', (request) =>
      request.socket.end(`HTTP/1.1 200 OK\r\na: ${'x'.repeat(100_000)}\r\n\r\n{}`),
    );
    expect(await get(server.at('/odd'))).toMatch(/^failed: request failed \(HPE_/);
    expect(await get(server.at('/headers'))).toMatch(/^failed: request failed \(HPE_HEADER_OVERFLOW/);
    const closed = await createDocumentServer();
    await closed.close();
    expect(await get(closed.at('/'))).toBe('failed: request failed (ECONNREFUSED)');
  });

  it.each([
    [404, 'failed'],
    [500, 'failed'],
    [304, 'failed'],
    [429, 'unavailable'],
    [503, 'unavailable'],
  ])('fail with status %i', async (status, kind) => {
    server.on('/a', (_, response) => response.writeHead(status).end('{}'));
    expect(await get(server.at('/a'))).toBe(`${kind}: responded with status ${status}`);
  });
});

describe('redirects', () => {
  const redirect = (path: string, location: string | undefined, status = 302) =>
    server.on(path, (_, response) =>
      response.writeHead(status, location === undefined ? {} : { location }).end('{}'),
    );

  it('are followed three times, also relative ones', async () => {
    redirect('/1', '/2', 301);
    redirect('/2', `//127.0.0.1:${server.port}/3`, 307);
    redirect('/3', server.at('/4'), 308);
    server.serve('/4', { a: 4 });
    expect(await get(server.at('/1'))).toBe('{"a":4}');
  });

  it('are not followed four times or in a loop', async () => {
    redirect('/loop', '/loop');
    expect(await get(server.at('/loop'))).toBe('failed: too many redirects');
    expect(server.requests).toHaveLength(4);
  });

  it.each([
    ['loopback', 'http://127.0.0.2/', NOT_PUBLIC],
    ['loopback in other digits', 'http://0x7f.2:8080/', NOT_PUBLIC],
    ['loopback in one number', 'http://2130706434/', NOT_PUBLIC],
    ['loopback of IPv6', 'http://[::1]:8080/', NOT_PUBLIC],
    ['mapped loopback', 'http://[::ffff:127.0.0.1]:8080/', NOT_PUBLIC],
    ['a private network', 'https://10.0.0.1/', NOT_PUBLIC],
    ['keys of clouds', 'http://169.254.169.254/latest/meta-data', NOT_PUBLIC],
    ['a name of a private machine', 'http://inside.test/', NOT_PUBLIC],
    ['a file', 'file:///etc/passwd', 'refused: unsupported link scheme'],
    ['data', 'data:application/json,{}', 'refused: unsupported link scheme'],
    ['a user name', 'http://user:password@1.1.1.1/', 'refused: links with credentials are not followed'],
    ['a port of mail', 'http://1.1.1.1:25/', 'refused: port 25 is not allowed'],
    ['nothing', undefined, 'failed: responded with status 302'],
    ['no address', 'http://[', 'refused: not a valid link'],
  ])('are not followed to %s', async (_, location, fault) => {
    redirect('/a', location);
    const names = createTestNames({ 'inside.test': ['192.168.1.1', 'fd00::1', '::1'] });
    expect(await get(server.at('/a'), { names })).toBe(fault);
  });
});

describe('host names', () => {
  it('are connected at the checked address, and only at public ones', async () => {
    let lookups = 0;
    const names = {
      // Another result the second time (DNS rebinding).
      resolve: async () => (lookups++ === 0 ? ['10.0.0.1', '127.0.0.1', '::1'] : ['10.0.0.1']),
      close() {},
    };
    server.on('/a', (request, response) => response.end(request.headers.host));
    expect(await get(server.at('/a', 'tokens.test'), { names })).toBe(`tokens.test:${server.port}`);
    expect(lookups).toBe(1);
    expect(await get(server.at('/a', 'tokens.test'), { names })).toBe(NOT_PUBLIC);
  });

  it('fail if they are unknown or never resolved', async () => {
    expect(await get(server.at('/a', 'nobody.test'))).toBe('failed: request failed (ENOTFOUND)');
    const names = { resolve: () => new Promise<string[]>(() => {}), close() {} };
    const limits = { connectMs: 50 };
    expect(await get(server.at('/a', 'slow.test'), { names, limits })).toBe(
      'unavailable: connection timed out',
    );
  });

  it('may be private for a configured gateway, but not for its redirects', async () => {
    server.serve('/a', { a: 1 });
    server.on('/b', (_, response) => response.writeHead(302, { location: server.at('/a') }).end());
    const strict = { isPublic: () => false, isGateway: true };
    expect(await get(server.at('/a'), strict)).toBe('{"a":1}');
    expect(await get(server.at('/a', 'localhost'), strict)).toBe('{"a":1}');
    expect(await get(server.at('/b'), strict)).toBe(NOT_PUBLIC);
  });
});

describe('TLS', () => {
  let secure: DocumentServer;
  const trusted = getCACertificates('default');
  const names = createTestNames({ 'tokens.test': ['127.0.0.1'], 'others.test': ['127.0.0.1'] });

  beforeAll(async () => {
    secure = await createDocumentServer(true);
    secure.serve('/a', { a: 1 });
  });
  afterEach(() => setDefaultCACertificates(trusted));
  afterAll(() => secure.close());

  it('accepts only trusted certificates for the host name', async () => {
    expect(await get(secure.at('/a', 'tokens.test'), { names })).toMatch(/^failed: .*SELF_SIGNED/);
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert]);
    expect(await get(secure.at('/a', 'tokens.test'), { names })).toBe('{"a":1}');
    expect(await get(secure.at('/a', 'others.test'), { names })).toMatch(/^failed: .*ALTNAME/);
  });

  it('gives up a server that never completes the handshake', async () => {
    const deaf = createServer(() => {}).listen(0, '127.0.0.1');
    await once(deaf, 'listening');
    const { port } = deaf.address() as AddressInfo;
    const limits = { connectMs: 50 };
    expect(await get(`https://127.0.0.1:${port}/`, { limits })).toBe('unavailable: connection timed out');
    deaf.close();
  });
});

it('fetchDocument rejects at once with the reason of the signal', async () => {
  const ender = new AbortController();
  server.on('/never', () => ender.abort(new Error('enough')));
  expect(await get(server.at('/never'), { signal: ender.signal })).toBe('undefined: enough');
  expect(await get(server.at('/never'), { signal: ender.signal })).toBe('undefined: enough');
});
