import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentServer, createTestNames, type DocumentServer } from './support/document-server.ts';
import { createMetadataTestContext, foundToken, type MetadataTestContext } from './support/metadata-test.ts';

const DAY = 86_400;

let context: MetadataTestContext;
let server: DocumentServer;

beforeAll(async () => {
  context = await createMetadataTestContext();
});
beforeEach(async () => {
  server = await createDocumentServer();
});
afterEach(async () => {
  await context.clear();
  await server.close();
});
afterAll(() => context.close());

const item = (name: string, content: Record<string, string>) => foundToken('nft_items', name, content);
const master = (name: string, content: Record<string, string>) => foundToken('jetton_masters', name, content);

/** The row of a token with this content after it was fetched or deferred. */
async function fetched(found: ReturnType<typeof foundToken>, name: string) {
  await context.put([found]);
  context.start();
  await context.settle();
  return (await context.read(name))!;
}

describe('token documents', () => {
  it('are merged with on-chain content, which takes precedence', async () => {
    server.serve('/j', {
      name: 'Elsewhere',
      symbol: 'ELSE',
      decimals: 9,
      image: 'https://x.test/i.png',
      description: 5,
      attributes: [{ trait: 'a' }],
      _image_small: '/evil',
      uri: 'other',
    });
    const uri = server.at('/j');
    const row = await fetched(master('j', { uri, symbol: 'OURS', decimals: '6' }), 'j');
    expect(row).toMatchObject({
      valid: true,
      name: 'Elsewhere',
      symbol: 'OURS',
      description: null,
      image: 'https://x.test/i.png',
      error: null,
      tries: 0,
      priority: 2,
      extra: { uri, decimals: '6', description: 5, attributes: [{ trait: 'a' }] },
    });
    expect(row).toMatchObject({ pause: 7 * DAY, fresh: 7 * DAY });
  });

  it('of NFT items are refreshed only on request', async () => {
    server.serve('/i', { name: 'One' });
    const row = await fetched(item('i', { uri: server.at('/i') }), 'i');
    expect(row).toMatchObject({ valid: true, name: 'One', wait: null, fresh: 7 * DAY });
  });

  it('are read from data links and gateways', async () => {
    server.serve('/ipfs/Qm1/meta.json', { name: 'Ipfs' });
    server.serve('/bag/AB12/meta.json', { name: 'Bag' });
    const data = Buffer.from('\ufeff{"name": "Data"}').toString('base64');
    await context.put([
      item('ipfs', { uri: 'ipfs://Qm1/meta.json' }),
      item('again', { uri: 'IPFS://ipfs/Qm1/meta.json' }),
      item('bag', { uri: 'tonstorage://AB12/meta.json' }),
      item('data', { url: `data:application/json;base64,${data}` }),
      item('plain', { uri: ' data:,%7B%22name%22%3A%22Plain%22%7D ' }),
    ]);
    // Gateways may be private, since the operator configured them.
    const environment = { isPublic: () => false };
    const settings = { ipfsGateways: [server.at('/ipfs/')], tonStorageGateway: server.at('/bag') };
    context.start({ settings, environment: environment });
    await context.settle();
    const shown = async (name: string) => (await context.read(name))!.name;
    expect(await shown('ipfs')).toBe('Ipfs');
    expect(await shown('again')).toBe('Ipfs');
    expect(await shown('bag')).toBe('Bag');
    expect(await shown('data')).toBe('Data');
    expect(await shown('plain')).toBe('Plain');
  });

  it('are read from the next IPFS gateway when one fails', async () => {
    server.on('/broken/Qm1', (_request, response) => {
      response.statusCode = 500;
      response.end();
    });
    server.on('/busy/Qm1', (_request, response) => {
      response.statusCode = 503;
      response.end();
    });
    server.serve('/good/Qm1', { name: 'Third' });
    const ipfsGateways = ['broken', 'busy', 'good'].map((name) => server.at(`/${name}/`));
    await context.put([item('one', { uri: 'ipfs://Qm1' }), item('none', { uri: 'ipfs://Qm2' })]);
    context.start({ settings: { ipfsGateways } });
    await context.settle();
    expect(await context.read('one')).toMatchObject({ valid: true, name: 'Third', error: null });
    expect(await context.read('none')).toMatchObject({
      valid: null,
      error: 'responded with status 404',
      tries: 1,
    });
  });

  it.each([
    ['https://ipfs.io/ipfs/Qm1/meta.json'],
    ['https://gateway.pinata.cloud/ipfs/Qm1/meta.json'],
    ['https://qm1.ipfs.dweb.link/meta.json'],
  ])('are read from our gateway instead of %s', async (uri) => {
    server.serve('/ours/Qm1/meta.json', { name: 'Ours' });
    server.serve('/ours/qm1/meta.json', { name: 'Ours' });
    await context.put([item('i', { uri })]);
    // No name resolves: nothing but our gateway can have the file.
    context.start({
      settings: { ipfsGateways: [server.at('/ours/')] },
      environment: { names: createTestNames({}) },
    });
    await context.settle();
    expect(await context.read('i')).toMatchObject({ valid: true, name: 'Ours' });
  });

  it('are read from a public IPFS gateway when ours has none', async () => {
    const uri = 'http://ipfs.io/ipfs/Qm1/meta.json';
    const names = createTestNames({ 'ipfs.io': ['10.1.2.3'] });
    await context.put([item('i', { uri })]);
    context.start({ settings: { ipfsGateways: [server.at('/ours/')] }, environment: { names } });
    const row = await context.readUntil('i', ({ valid, error }) => valid !== null || error !== null);
    // It was tried, and refused because the test lets its name resolve to a private address.
    expect(row).toMatchObject({ error: 'the address is not public' });
  });

  it.each([
    ['tonstorage://AB12/meta.json', 'no gateway is configured for tonstorage links'],
    ['ftp://1.1.1.1/a', 'unsupported link scheme'],
    ['http://127.0.0.2/a', 'the address is not public'],
    ['http://[::ffff:7f00:1]/a', 'the address is not public'],
    ['http://me:secret@1.1.1.1/a', 'links with credentials are not followed'],
    ['http://1.1.1.1:22/a', 'port 22 is not allowed'],
    ['ipfs://../admin', 'not a valid ipfs link'],
    ['ipfs://Qm1/../../admin', 'not a valid ipfs link'],
    ['data:application/json;base64', 'not a valid data link'],
    ['QmHash', 'not a link'],
    ['http://', 'not a valid link'],
  ])('are refused from %s and retried the next day', async (uri, error) => {
    const row = await fetched(item('i', { uri }), 'i');
    expect(row).toMatchObject({ valid: false, error, tries: 5, extra: { uri }, pause: DAY });
  });

  it('are refused from private hosts', async () => {
    const names = createTestNames({ 'inside.test': ['10.1.2.3'] });
    await context.put([item('i', { uri: 'http://inside.test/a' })]);
    context.start({ environment: { names } });
    const row = await context.readUntil('i', ({ valid }) => valid !== null);
    expect(row).toMatchObject({ valid: false, error: 'the address is not public' });
  });
});

describe('hostile token documents', () => {
  it.each([
    ['garbage', 'no json', 'not JSON'],
    ['a list', '[{"name": "x"}]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['nothing', '', 'not JSON'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'JSON nested deeper than 32'],
    ['a million keys', `{${'"k":1,'.repeat(1e6)}"k":1}`, 'JSON of more than 100000 values'],
  ])('fail for %s', async (_, body, error) => {
    server.on('/a', (_request, response) => response.end(body));
    const row = await fetched(item('i', { uri: server.at('/a') }), 'i');
    expect(row).toMatchObject({ valid: null, error, tries: 1 });
    expect(context.log.lines).toEqual([]);
  });

  it('keep hostile strings and numbers in storable form', async () => {
    server.on('/a', (_, response) =>
      response.end(
        `{"name": "a\\u0000b\\ud800c", "symbol": "${'s'.repeat(1023)}\\ud83d\\ude00", "image": "${'i'.repeat(20_000)}",
        "description": {"\\u0000k\\udc00": ["\\udc00", {"\\u0000": 1}]}, "__proto__": {"polluted": true},
        "big": 1e308, "small": -1e-300, "bigger": 1e999, "many": 123456789012345678901234567890, "zero": -0,
        "long": "${'x'.repeat(70_000)}", "after": "kept", "\\u0000after": "again", "_image\\u0000_big": "/evil"}`,
      ),
    );
    const row = await fetched(item('i', { uri: server.at('/a') }), 'i');
    expect(row).toMatchObject({ valid: true, name: 'ab\ufffdc', symbol: 's'.repeat(1023), image: null });
    expect(row.extra).toEqual({
      uri: server.at('/a'),
      description: { 'k\ufffd': ['\ufffd', { '': 1 }] },
      after: 'kept',
      zero: 0,
      big: '1e+308',
      small: '-1e-300',
      bigger: 'Infinity',
      many: '1.2345678901234568e+29',
    });
  });

  it('keep as many keys as fit', async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`key ${i}`, 'value']));
    server.serve('/a', { ...many, name: 'Many' });
    const row = await fetched(item('i', { uri: server.at('/a'), domain: 'a.ton' }), 'i');
    expect(row).toMatchObject({ valid: true, name: 'Many', extra: { domain: 'a.ton', 'key 0': 'value' } });
    expect(JSON.stringify(row.extra).length).toBeLessThan(65_537);
    expect(JSON.stringify(row.extra).length).toBeGreaterThan(60_000);
  });
});

describe('failed metadata fetches', () => {
  it('are retried with back-off five times, then after a day and a week', async () => {
    await context.put([item('i', { uri: server.at('/missing') })]);
    context.start();
    const pauses: (number | null)[] = [];
    for (let tries = 1; tries <= 7; tries++) {
      const row = await context.readUntil('i', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: tries < 5 ? null : false, error: 'responded with status 404' });
      pauses.push(row.pause);
      await context.hurry();
    }
    expect(pauses).toEqual([5, 10, 20, 40, DAY, 7 * DAY, 7 * DAY]);
  });

  it('recover after a status 500', async () => {
    let requests = 0;
    server.on('/a', (_, response) =>
      requests++ < 2 ? response.writeHead(500).end() : response.end('{"name": "Late"}'),
    );
    await context.put([item('i', { uri: server.at('/a') })]);
    context.start();
    for (let tries = 1; tries <= 2; tries++) {
      await context.readUntil('i', (token) => token.tries === tries);
      await context.hurry();
    }
    const row = await context.readUntil('i', ({ valid }) => valid === true);
    expect(row).toMatchObject({ name: 'Late', error: null, tries: 0, wait: null });
  });

  it('leave on-chain content visible', async () => {
    const content = { symbol: 'S', name: 'N', uri: server.at('/missing') };
    await context.put([master('j', content)]);
    expect(await context.read('j')).toMatchObject({ valid: true, symbol: 'S', name: 'N', tries: 0 });
    context.start();
    for (let tries = 1; tries <= 5; tries++) {
      const row = await context.readUntil('j', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: true, symbol: 'S', name: 'N', extra: { uri: content.uri } });
      expect(row.error).toBe('responded with status 404');
      await context.hurry();
    }
  });

  it('keep the previously fetched document', async () => {
    server.serve('/j', { symbol: 'FETCHED' });
    await fetched(master('j', { uri: server.at('/j') }), 'j');
    server.on('/j', (request) => request.socket.resetAndDestroy());
    for (let tries = 1; tries <= 5; tries++) {
      await context.hurry();
      const row = await context.readUntil('j', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: true, symbol: 'FETCHED' });
    }
  });
});

describe('changed token content', () => {
  it('is fetched again, and documents of old content are discarded', async () => {
    const responses: (() => void)[] = [];
    server.on('/old', (_, response) => responses.push(() => response.end('{"name": "Old"}')));
    server.serve('/new', { name: 'New' });
    await context.put([item('i', { uri: server.at('/old') })]);
    context.start({ settings: { concurrency: 2 } });
    while (responses.length === 0) await sleep(5);
    await context.put([item('i', { uri: server.at('/new') })]);
    await context.readUntil('i', ({ name }) => name === 'New');
    for (const respond of responses) respond();
    await context.settle();
    expect(await context.read('i')).toMatchObject({ name: 'New', extra: { uri: server.at('/new') } });
  });

  it('of a token that was withdrawn meanwhile is ignored', async () => {
    const responses: (() => void)[] = [];
    server.on('/a', (_, response) => responses.push(() => response.end('{"name": "A"}')));
    await context.put([item('i', { uri: server.at('/a') })]);
    context.start();
    while (responses.length === 0) await sleep(5);
    await context.test.database.primary.deleteFrom('token_metadata').execute();
    for (const respond of responses) respond();
    await context.settle();
    expect(await context.read('i')).toBeUndefined();
  });
});
