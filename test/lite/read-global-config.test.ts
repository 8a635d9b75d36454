import { readdirSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalConfigSource, readGlobalConfig } from '../../src/lite/read-global-config.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const HASH = 'XznIz/ybm94L8nhx0cF5fFxcStn7NF+SSe5L5hK96Wc=';
const block = { workchain: -1, shard: '-9223372036854775808', seqno: 0, root_hash: HASH, file_hash: HASH };
const configAt = (port: number) =>
  JSON.stringify({
    liteservers: [{ ip: 2130706433, port, id: { key: HASH } }],
    validator: { zero_state: block },
  });

describe('where the global config comes from', () => {
  let dataDir: string;
  let listener: RequestListener;
  let server: Server;
  let url: string;
  const log = createQuietLog();
  const read = (source: string, more: { timeoutMs?: number; maxBytes?: number } = {}) =>
    readGlobalConfig({ source, dataDir, log, ...more });

  beforeEach(async () => {
    dataDir = makeTemporaryDirectory('config');
    log.lines.length = 0;
    server = createServer((request, response) => listener(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/global.config.json`;
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await removeTemporaryDirectory(dataDir);
  });

  it('what the operator says, or where public networks publish it', () => {
    expect(globalConfigSource('mainnet', '/etc/ton.json')).toBe('/etc/ton.json');
    expect(globalConfigSource('mainnet', undefined)).toBe('https://ton.org/global.config.json');
    expect(globalConfigSource('testnet', undefined)).toBe('https://ton.org/testnet-global.config.json');
    expect(globalConfigSource('localnet', undefined)).toBeUndefined();
  });

  it('a file', async () => {
    const path = join(dataDir, 'my.json');
    writeFileSync(path, configAt(5));
    expect((await read(path)).liteServers[0]?.port).toBe(5);
    expect(readdirSync(dataDir)).toEqual(['my.json']);
  });

  it('a file that is not there, or wrong, is named together with its fault', async () => {
    const path = join(dataDir, 'my.json');
    await expect(read(path)).rejects.toThrow(
      /^The global config .*my\.json cannot be used: ENOENT.*TON_CONFIG/,
    );
    writeFileSync(path, configAt(0));
    await expect(read(path)).rejects.toThrow(
      /my\.json cannot be used: liteservers\[0\]\.port must be an integer/,
    );
  });

  it('a URL, whose last good copy serves when it fails', async () => {
    listener = (_request, response) => response.end(configAt(5));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    listener = (_request, response) => response.writeHead(500).end('no');
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.lines.at(-1)).toMatchObject({ details: { reason: 'the server answers with status 500' } });
    listener = (_request, response) => response.end(configAt(0));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    listener = (request) => request.socket.destroy();
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
    listener = (_request, response) => response.end(configAt(6));
    expect((await read(url)).liteServers[0]?.port).toBe(6);
  });

  it('a copy serves no other URL', async () => {
    listener = (_request, response) => response.end(configAt(5));
    await read(url);
    listener = (_request, response) => response.writeHead(404).end();
    await expect(read(`${url}?testnet`)).rejects.toThrow(/status 404/);
  });

  it('a URL that is silent, or never ends, is given up', async () => {
    listener = () => {};
    await expect(read(url, { timeoutMs: 50 })).rejects.toThrow(/cannot be used: .*(timeout|aborted)/i);
    listener = (_request, response) => {
      const more = () => response.write(' '.repeat(10_000), () => response.destroyed || more());
      more();
    };
    await expect(read(url, { maxBytes: 100_000 })).rejects.toThrow(/larger than 100000 bytes/);
  });

  it('credentials of a URL are sent, and never shown', async () => {
    let seen: string | undefined;
    listener = (request, response) => {
      seen = request.headers.authorization;
      response.writeHead(403).end();
    };
    const secret = url.replace('http://', 'http://me:s3cret@').concat('?token=t0ken');
    const error = await read(secret).catch((reason: Error) => reason);
    expect(seen).toBe(`Basic ${Buffer.from('me:s3cret').toString('base64')}`);
    expect(String(error)).toMatch(/127\.0\.0\.1:\d+\/global\.config\.json cannot be used: .*403/);
    expect(`${error} ${JSON.stringify(log.lines)}`).not.toMatch(/s3cret|t0ken/);
  });

  it('a copy that cannot be kept does not matter', async () => {
    writeFileSync(join(dataDir, 'lite'), 'in the way');
    listener = (_request, response) => response.end(configAt(5));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.texts()).toEqual(['the global config cannot be kept for the next start']);
  });
});
