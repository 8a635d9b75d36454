import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDocumentServer, createTestNames, type DocumentServer } from './support/document-server.ts';
import { createMetadataTestContext, foundToken, type MetadataTestContext } from './support/metadata-test.ts';

const DAY = 86_400;

let ground: MetadataTestContext;
let server: DocumentServer;

beforeAll(async () => {
  ground = await createMetadataTestContext();
});
beforeEach(async () => {
  server = await createDocumentServer();
});
afterEach(async () => {
  await ground.clear();
  await server.close();
});
afterAll(() => ground.close());

const item = (name: string, content: Record<string, string>) => foundToken('nft_items', name, content);
const master = (name: string, content: Record<string, string>) => foundToken('jetton_masters', name, content);

/** The row of a token with this content when it was fetched or put off. */
async function fetched(found: ReturnType<typeof foundToken>, name: string) {
  await ground.put([found]);
  ground.start();
  await ground.settle();
  return (await ground.read(name))!;
}

describe('documents', () => {
  it('joins them with what the chain says, which counts more', async () => {
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

  it('fetches items again only when somebody asks', async () => {
    server.serve('/i', { name: 'One' });
    const row = await fetched(item('i', { uri: server.at('/i') }), 'i');
    expect(row).toMatchObject({ valid: true, name: 'One', wait: null, fresh: 7 * DAY });
  });

  it('reads links that hold the document, and gateways', async () => {
    server.serve('/ipfs/Qm1/meta.json', { name: 'Ipfs' });
    server.serve('/bag/AB12/meta.json', { name: 'Bag' });
    const data = Buffer.from('\ufeff{"name": "Data"}').toString('base64');
    await ground.put([
      item('ipfs', { uri: 'ipfs://Qm1/meta.json' }),
      item('again', { uri: 'IPFS://ipfs/Qm1/meta.json' }),
      item('bag', { uri: 'tonstorage://AB12/meta.json' }),
      item('data', { url: `data:application/json;base64,${data}` }),
      item('plain', { uri: ' data:,%7B%22name%22%3A%22Plain%22%7D ' }),
    ]);
    // The gateways may be private: the operator named them.
    const environment = { isPublic: () => false };
    const settings = { ipfsGateway: server.at('/ipfs/'), tonStorageGateway: server.at('/bag') };
    ground.start({ settings, environment: environment });
    await ground.settle();
    const shown = async (name: string) => (await ground.read(name))!.name;
    expect(await shown('ipfs')).toBe('Ipfs');
    expect(await shown('again')).toBe('Ipfs');
    expect(await shown('bag')).toBe('Bag');
    expect(await shown('data')).toBe('Data');
    expect(await shown('plain')).toBe('Plain');
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
  ])('refuses %s and comes back the next day', async (uri, error) => {
    const row = await fetched(item('i', { uri }), 'i');
    expect(row).toMatchObject({ valid: false, error, tries: 5, extra: { uri }, pause: DAY });
  });

  it('refuses names of private machines', async () => {
    const names = createTestNames({ 'inside.test': ['10.1.2.3'] });
    await ground.put([item('i', { uri: 'http://inside.test/a' })]);
    ground.start({ environment: { names } });
    const row = await ground.readUntil('i', ({ valid }) => valid !== null);
    expect(row).toMatchObject({ valid: false, error: 'the address is not public' });
  });
});

describe('documents that do harm', () => {
  it.each([
    ['garbage', 'no json', 'not JSON'],
    ['a list', '[{"name": "x"}]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['nothing', '', 'not JSON'],
    ['deep nesting', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'JSON nested deeper than 32'],
    ['a million keys', `{${'"k":1,'.repeat(1e6)}"k":1}`, 'JSON of more than 100000 values'],
  ])('fails for %s', async (_, body, error) => {
    server.on('/a', (_request, response) => response.end(body));
    const row = await fetched(item('i', { uri: server.at('/a') }), 'i');
    expect(row).toMatchObject({ valid: null, error, tries: 1 });
    expect(ground.log.lines).toEqual([]);
  });

  it('keeps hostile strings and numbers as far as the database takes them', async () => {
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

  it('keeps what finds room of a document with many keys', async () => {
    const many = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`key ${i}`, 'value']));
    server.serve('/a', { ...many, name: 'Many' });
    const row = await fetched(item('i', { uri: server.at('/a'), domain: 'a.ton' }), 'i');
    expect(row).toMatchObject({ valid: true, name: 'Many', extra: { domain: 'a.ton', 'key 0': 'value' } });
    expect(JSON.stringify(row.extra).length).toBeLessThan(65_537);
    expect(JSON.stringify(row.extra).length).toBeGreaterThan(60_000);
  });
});

describe('failures', () => {
  it('tries again with growing pauses, gives up after five, and asks a day and a week later', async () => {
    await ground.put([item('i', { uri: server.at('/missing') })]);
    ground.start();
    const pauses: (number | null)[] = [];
    for (let tries = 1; tries <= 7; tries++) {
      const row = await ground.readUntil('i', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: tries < 5 ? null : false, error: 'responded with status 404' });
      pauses.push(row.pause);
      await ground.hurry();
    }
    expect(pauses).toEqual([5, 10, 20, 40, DAY, 7 * DAY, 7 * DAY]);
  });

  it('recovers: 500 and then a good answer', async () => {
    let asked = 0;
    server.on('/a', (_, response) =>
      asked++ < 2 ? response.writeHead(500).end() : response.end('{"name": "Late"}'),
    );
    await ground.put([item('i', { uri: server.at('/a') })]);
    ground.start();
    for (let tries = 1; tries <= 2; tries++) {
      await ground.readUntil('i', (token) => token.tries === tries);
      await ground.hurry();
    }
    const row = await ground.readUntil('i', ({ valid }) => valid === true);
    expect(row).toMatchObject({ name: 'Late', error: null, tries: 0, wait: null });
  });

  it('shows what the chain says as long as nothing else is to be had', async () => {
    const content = { symbol: 'S', name: 'N', uri: server.at('/missing') };
    await ground.put([master('j', content)]);
    expect(await ground.read('j')).toMatchObject({ valid: true, symbol: 'S', name: 'N', tries: 0 });
    ground.start();
    for (let tries = 1; tries <= 5; tries++) {
      const row = await ground.readUntil('j', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: true, symbol: 'S', name: 'N', extra: { uri: content.uri } });
      expect(row.error).toBe('responded with status 404');
      await ground.hurry();
    }
  });

  it('keeps what was fetched when it cannot be fetched anew', async () => {
    server.serve('/j', { symbol: 'FETCHED' });
    await fetched(master('j', { uri: server.at('/j') }), 'j');
    server.on('/j', (request) => request.socket.resetAndDestroy());
    for (let tries = 1; tries <= 5; tries++) {
      await ground.hurry();
      const row = await ground.readUntil('j', (token) => token.tries === tries);
      expect(row).toMatchObject({ valid: true, symbol: 'FETCHED' });
    }
  });
});

describe('contracts that change', () => {
  it('fetches anew, and keeps nothing that was fetched for other content', async () => {
    const answers: (() => void)[] = [];
    server.on('/old', (_, response) => answers.push(() => response.end('{"name": "Old"}')));
    server.serve('/new', { name: 'New' });
    await ground.put([item('i', { uri: server.at('/old') })]);
    ground.start({ settings: { concurrency: 2 } });
    while (answers.length === 0) await sleep(5);
    await ground.put([item('i', { uri: server.at('/new') })]);
    await ground.readUntil('i', ({ name }) => name === 'New');
    for (const answer of answers) answer();
    await ground.settle();
    expect(await ground.read('i')).toMatchObject({ name: 'New', extra: { uri: server.at('/new') } });
  });

  it('does nothing about a token that was withdrawn meanwhile', async () => {
    const answers: (() => void)[] = [];
    server.on('/a', (_, response) => answers.push(() => response.end('{"name": "A"}')));
    await ground.put([item('i', { uri: server.at('/a') })]);
    ground.start();
    while (answers.length === 0) await sleep(5);
    await ground.test.database.primary.deleteFrom('token_metadata').execute();
    for (const answer of answers) answer();
    await ground.settle();
    expect(await ground.read('i')).toBeUndefined();
  });
});
