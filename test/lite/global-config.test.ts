import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WHOLE_SHARD } from '../../src/chain/block-id.ts';
import {
  globalConfigSource,
  InvalidGlobalConfig,
  parseGlobalConfig,
  readGlobalConfig,
} from '../../src/lite/global-config.ts';
import { createQuietLog } from '../support/quiet-log.ts';
import { missingNetwork, RECORDED_NETWORK } from '../support/recorded-network.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../support/temporary-directory.ts';

const HASH = 'XznIz/ybm94L8nhx0cF5fFxcStn7NF+SSe5L5hK96Wc=';
const BLOCK = `{"workchain": -1, "shard": -9223372036854775808, "seqno": 0, "root_hash": "${HASH}", "file_hash": "${HASH}"}`;
const SERVER = `{"ip": -2018135749, "port": 53312, "id": {"@type": "pub.ed25519", "key": "${HASH}"}}`;

function configWith(parts: { servers?: string; validator?: string; more?: string }): string {
  const servers = parts.servers ?? `"liteservers": [${SERVER}]`;
  const validator = parts.validator ?? `"zero_state": ${BLOCK}, "init_block": ${BLOCK}, "hardforks": []`;
  return `{${servers}, "validator": {${validator}}${parts.more ?? ''}}`;
}

describe('parseGlobalConfig', () => {
  it('returns servers in their order, with dotted addresses', () => {
    const second = SERVER.replace('-2018135749', '2130706433').replace('53312', '1');
    const { liteServers, zeroState, initBlock, hardforks } = parseGlobalConfig(
      configWith({ servers: `"liteservers": [${SERVER}, ${second}]`, more: ', "dht": {"k": 6}' }),
    );
    expect(liteServers).toEqual([
      { index: 0, host: '135.181.177.59', port: 53312, publicKey: Buffer.from(HASH, 'base64') },
      { index: 1, host: '127.0.0.1', port: 1, publicKey: Buffer.from(HASH, 'base64') },
    ]);
    expect(zeroState).toEqual({
      workchain: -1,
      shard: WHOLE_SHARD,
      seqno: 0,
      rootHash: Buffer.from(HASH, 'base64'),
      fileHash: Buffer.from(HASH, 'base64'),
    });
    expect(initBlock).toEqual(zeroState);
    expect(hardforks).toEqual([]);
  });

  it('uses the zero state if there is no init block, and reads hard forks', () => {
    const forked = BLOCK.replace('"seqno": 0', '"seqno": 7');
    const config = parseGlobalConfig(
      configWith({ validator: `"zero_state": ${BLOCK}, "hardforks": [${forked}]` }),
    );
    expect(config.initBlock).toBe(config.zeroState);
    expect(config.hardforks.map(({ seqno }) => seqno)).toEqual([7]);
  });

  it('returns those of liteservers_v2 that have all shards', () => {
    const sliced = (port: number, slices: string) =>
      SERVER.replace('53312', String(port)).replace(/}$/, `, "slices": ${slices}}`);
    const entries = [
      sliced(1, '[]'),
      sliced(
        2,
        '[{"@type": "liteserver.descV2.sliceSimple", "shards": [{"workchain": 0, "shard": 4611686018427387904}]}]',
      ),
      sliced(
        3,
        '[{"@type": "liteserver.descV2.sliceSimple", "shards": [{"workchain": 0, "shard": -9223372036854775808}]}]',
      ),
      sliced(4, '[{"@type": "liteserver.descV2.sliceTimed", "shards_from": [], "shards_to": []}]'),
    ].join(',');
    const onlyNew = parseGlobalConfig(configWith({ servers: `"liteservers_v2": [${entries}]` }));
    expect(onlyNew.liteServers.map(({ index, port }) => [index, port])).toEqual([
      [0, 1],
      [1, 3],
    ]);
    const both = parseGlobalConfig(
      configWith({ servers: `"liteservers": [${SERVER}], "liteservers_v2": [${entries}]` }),
    );
    expect(both.liteServers.map(({ index, port }) => [index, port])).toEqual([
      [0, 53312],
      [1, 1],
      [2, 3],
    ]);
  });

  const servers = (text: string) => configWith({ servers: `"liteservers": ${text}` });
  const zeroState = (text: string) => configWith({ validator: `"zero_state": ${text}` });
  it.each([
    ['no JSON', 'liteservers', /^it is not JSON: /],
    ['a list', '[]', /^it must be an object, got \[\]$/],
    ['nesting without end', '['.repeat(1000), /^it is not JSON: /],
    ['no servers', '{"validator": {}}', /^liteservers is missing$/],
    ['an empty list of servers', servers('[]'), /^liteservers names no lite server$/],
    ['servers that are no list', servers('{}'), /^liteservers must be a list, got \{\}$/],
    ['a server that is none', servers('[7]'), /^liteservers\[0\] must be an object, got 7$/],
    ['no address', servers('[{"port": 1}]'), /^liteservers\[0\]\.ip is missing$/],
    [
      'a dotted address',
      servers(`[${SERVER.replace('-2018135749', '"1.2.3.4"')}]`),
      /^liteservers\[0\]\.ip must be an integer/,
    ],
    [
      'a port that is none',
      servers(`[${SERVER}, ${SERVER.replace('53312', '65536')}]`),
      /^liteservers\[1\]\.port must be an integer from 1 to 65535, got 65536$/,
    ],
    [
      'a short key',
      servers(`[${SERVER.replace(HASH, 'XznI')}]`),
      /^liteservers\[0\]\.id\.key must be 32 bytes in base64, got "XznI"$/,
    ],
    ['no validator', `{"liteservers": [${SERVER}]}`, /^validator is missing$/],
    ['no zero state', configWith({ validator: '"hardforks": []' }), /^validator\.zero_state is missing$/],
    [
      'a hash that is none',
      zeroState(BLOCK.replace(HASH, 'x')),
      /^validator\.zero_state\.root_hash must be 32 bytes/,
    ],
    [
      'a zero state of a shard',
      zeroState(BLOCK.replace('-9223372036854775808', '"4611686018427387904"')),
      /^validator\.zero_state\.shard must be -9223372036854775808/,
    ],
    ['another workchain', zeroState(BLOCK.replace('-1', '0')), /^validator\.zero_state\.workchain must be/],
  ])('names the wrong member: %s', (_name, text, fault) => {
    expect(() => parseGlobalConfig(text)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(fault) }),
    );
  });

  it('throws InvalidGlobalConfig for any damaged config', () => {
    const part = fc.constantFrom(
      'liteservers',
      'validator',
      'zero_state',
      'ip',
      'id',
      'key',
      'slices',
      'shards',
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.jsonValue(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(part, tie('value'), { maxKeys: 4 }),
      ),
    }));
    fc.assert(
      fc.property(value, (config) => {
        expect(() => parseGlobalConfig(JSON.stringify(config))).toThrow(InvalidGlobalConfig);
      }),
    );
  });

  it.skipIf(missingNetwork !== '')(`reads the config of a recorded network${missingNetwork}`, () => {
    const config = parseGlobalConfig(readFileSync(new URL('global.config.json', RECORDED_NETWORK), 'utf8'));
    expect(config.liteServers).toHaveLength(1);
    expect(config.liteServers[0]).toMatchObject({ host: '127.0.0.1', port: 17999 });
    expect(config.initBlock).toEqual(config.zeroState);
  });
});

const block = { workchain: -1, shard: '-9223372036854775808', seqno: 0, root_hash: HASH, file_hash: HASH };
const configAt = (port: number) =>
  JSON.stringify({
    liteservers: [{ ip: 2130706433, port, id: { key: HASH } }],
    validator: { zero_state: block },
  });

describe('readGlobalConfig', () => {
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

  it('reads TON_CONFIG, or where a public network publishes its config', () => {
    expect(globalConfigSource('mainnet', '/etc/ton.json')).toBe('/etc/ton.json');
    expect(globalConfigSource('mainnet', undefined)).toBe('https://ton.org/global.config.json');
    expect(globalConfigSource('testnet', undefined)).toBe('https://ton.org/testnet-global.config.json');
    expect(globalConfigSource('localnet', undefined)).toBeUndefined();
  });

  it('reads a file', async () => {
    const path = join(dataDir, 'my.json');
    writeFileSync(path, configAt(5));
    expect((await read(path)).liteServers[0]?.port).toBe(5);
    expect(readdirSync(dataDir)).toEqual(['my.json']);
  });

  it('names a missing or invalid file with the reason', async () => {
    const path = join(dataDir, 'my.json');
    await expect(read(path)).rejects.toThrow(/^Global config .*my\.json cannot be used: ENOENT.*TON_CONFIG/);
    writeFileSync(path, configAt(0));
    await expect(read(path)).rejects.toThrow(
      /my\.json cannot be used: liteservers\[0\]\.port must be an integer/,
    );
  });

  it('reads a URL, and its last good copy when that fails', async () => {
    listener = (_request, response) => response.end(configAt(5));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    listener = (_request, response) => response.writeHead(500).end('no');
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.lines.at(-1)).toMatchObject({ details: { reason: 'the server responded with status 500' } });
    listener = (_request, response) => response.end(configAt(0));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    listener = (request) => request.socket.destroy();
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.lines.filter(({ level }) => level === 'warn')).toHaveLength(3);
    listener = (_request, response) => response.end(configAt(6));
    expect((await read(url)).liteServers[0]?.port).toBe(6);
  });

  it('does not use the copy of another URL', async () => {
    listener = (_request, response) => response.end(configAt(5));
    await read(url);
    listener = (_request, response) => response.writeHead(404).end();
    await expect(read(`${url}?testnet`)).rejects.toThrow(/status 404/);
  });

  it('gives up on a URL that does not respond, or never ends', async () => {
    listener = () => {};
    await expect(read(url, { timeoutMs: 50 })).rejects.toThrow(/cannot be used: .*(timeout|aborted)/i);
    listener = (_request, response) => {
      const more = () => response.write(' '.repeat(10_000), () => response.destroyed || more());
      more();
    };
    await expect(read(url, { maxBytes: 100_000 })).rejects.toThrow(/larger than 100000 bytes/);
  });

  it('sends credentials of a URL, and never shows them', async () => {
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

  it('succeeds when the copy cannot be stored', async () => {
    writeFileSync(join(dataDir, 'lite'), 'in the way');
    listener = (_request, response) => response.end(configAt(5));
    expect((await read(url)).liteServers[0]?.port).toBe(5);
    expect(log.texts()).toEqual(['Storing a copy of the global config failed']);
  });
});
