import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyDigest } from '../../src/access/keys.ts';
import { findApiKeyByHash, touchApiKeys } from '../../src/access/stored-keys.ts';
import { keysCommand } from '../../src/cli/keys.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { createTestDatabase } from '../support/database.ts';

let base: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  base = await createTestDatabase();
});
beforeEach(async () => {
  await base.database.primary.deleteFrom('api_keys').execute();
  await base.database.primary.deleteFrom('key_owners').execute();
});
afterAll(() => base?.drop());

async function run(line: string, network?: string, onOpen = () => {}) {
  const args = line.split(' ').filter((word) => word !== '');
  let text = '';
  const out = { write: (more: string) => (text += more) };
  const database = async () => {
    onOpen();
    return base.database;
  };
  const code = await keysCommand({ args, database, out, ...(network === undefined ? {} : { network }) });
  return { code, text };
}

const keyIn = (text: string): string => /tg_[\w-]{43}/.exec(text)?.[0] ?? '';
const rowOf = (key: string) =>
  base.database.write((db) => findApiKeyByHash(db, { hash: Buffer.from(keyDigest(key), 'base64') }));

describe('keys create', () => {
  test('shows the key once and stores its options', async () => {
    const { code, text } = await run(
      'create --name bot --plan plus --rps 70 --networks mainnet,testnet,mainnet',
    );
    expect(code).toBe(0);
    const row = await rowOf(keyIn(text));
    expect(row).toMatchObject({ name: 'bot', plan: 'plus', rps: 70, networks: ['mainnet', 'testnet'] });
    expect(text).toBe(
      `Key ${row?.id} "bot": plan plus, 70 requests per second, mainnet, testnet.\n\n  ${keyIn(text)}\n\n` +
        'This key is shown only once. Clients send it in the header X-API-Key.\n',
    );
  });

  test('defaults to the smallest plan with its rate and to all networks', async () => {
    const free = await run('create --name a');
    expect(await rowOf(keyIn(free.text))).toMatchObject({ plan: 'free', rps: 10, networks: [] });
    expect(free.text).toContain('all networks');
    const pro = await run('create --name=b --plan=pro');
    expect(await rowOf(keyIn(pro.text))).toMatchObject({ plan: 'pro', rps: 500 });
  });

  test('warns if the key is not valid for this network', async () => {
    const note = 'Note: this installation serves localnet, where this key is not valid.';
    expect((await run('create --name a --networks mainnet', 'localnet')).text).toContain(note);
    expect((await run('create --name a --networks localnet', 'localnet')).text).not.toContain('Note');
    expect((await run('create --name a', 'localnet')).text).not.toContain('Note');
  });
});

test('keys list shows everything but keys and hashes, as table and as JSON', async () => {
  expect((await run('list')).text).toBe('No keys yet. Create one: keys create --name NAME\n');
  expect((await run('list --json')).text).toBe('[]\n');
  const key = keyIn((await run('create --name bot --networks mainnet')).text);
  const row = await rowOf(key);
  const id = row?.id ?? '';
  await base.database.write((db) => touchApiKeys(db, { uses: [{ id, usedAt: 1_800_000_000 }] }));
  await run(`revoke ${id}`);

  const { text } = await run('list');
  expect(text).toMatch(/^ID +NAME +OWNER +PLAN +RPS +NETWORKS +CREATED +LAST USE +REVOKED\n/);
  expect(text).toMatch(/\n\d+ +bot +free +10 +mainnet +20\S+Z +2027-01-15T08:00:00Z +20\S+Z\n$/);
  const { text: json } = await run('list --json');
  expect(JSON.parse(json)).toEqual([
    {
      id,
      name: 'bot',
      plan: 'free',
      rps: 10,
      networks: ['mainnet'],
      owner: null,
      created_at: expect.stringMatching(/^20.*Z$/),
      last_used_at: '2027-01-15T08:00:00Z',
      revoked_at: expect.stringMatching(/^20.*Z$/),
    },
  ]);
  for (const secret of [key, row?.hash.toString('hex'), row?.hash.toString('base64')]) {
    expect(text + json).not.toContain(secret);
  }
});

test('keys revoke revokes one key, and keeps the time if repeated', async () => {
  const key = keyIn((await run('create --name bot')).text);
  const id = (await rowOf(key))?.id;
  expect((await run(`revoke ${id}`)).text).toBe(
    `Key ${id} "bot" is revoked and stops working within five seconds.\n`,
  );
  const revokedAt = (await rowOf(key))?.revokedAt;
  expect(revokedAt).toBeTypeOf('number');
  expect((await run(`revoke ${id}`)).code).toBe(0);
  expect((await rowOf(key))?.revokedAt).toBe(revokedAt);
});

describe('owners', () => {
  test('keys create --owner creates the owner once, and lists can be limited to it', async () => {
    const { text } = await run('create --name a --owner shop');
    expect(text).toContain('"a" of shop: plan free');
    await run('create --name b --owner shop');
    await run('create --name c');
    const all = JSON.parse((await run('list --json')).text);
    expect(all.map((key: { owner: string }) => key.owner)).toEqual(['shop', 'shop', null]);
    const own = JSON.parse((await run('list --json --owner shop')).text);
    expect(own.map((key: { name: string }) => key.name)).toEqual(['a', 'b']);
    expect((await run('owners')).text).toMatch(/^OWNER +KEYS +SHARED +CREATED\nshop +2 +no +20\S+Z\n$/);
  });

  test('keys revoke --owner revokes the keys of that owner only', async () => {
    const other = keyIn((await run('create --name c --owner other')).text);
    const key = keyIn((await run('create --name a --owner shop')).text);
    expect((await run('revoke --owner shop')).text).toContain('Keys of shop revoked: 1.');
    expect((await rowOf(key))?.revokedAt).toBeTypeOf('number');
    expect((await rowOf(other))?.revokedAt).toBeNull();
    expect((await run('revoke --owner shop')).text).toContain('Keys of shop revoked: 0.');
  });

  test('keys share gives the keys of an owner one plan, and takes it back', async () => {
    expect((await run('owners')).text).toContain('No owners yet');
    expect((await run('share shop --plan plus')).text).toBe(
      'All keys of shop share the plan plus, 100 requests per second.\n',
    );
    const { text } = await run('create --name a --owner shop');
    expect(text).toContain('Note: all keys of shop share the plan plus');
    expect((await rowOf(keyIn(text)))?.owner?.shared).toEqual({ plan: 'plus', rps: 100 });
    expect(JSON.parse((await run('owners --json')).text)).toMatchObject([
      { name: 'shop', keys: 1, shared: { plan: 'plus', rps: 100 } },
    ]);
    await run('share shop --plan plus --rps 7');
    expect((await rowOf(keyIn(text)))?.owner?.shared).toEqual({ plan: 'plus', rps: 7 });
    expect((await run('share shop --off')).text).toBe('Each key of shop has its own rate.\n');
    expect((await rowOf(keyIn(text)))?.owner?.shared).toBeNull();
  });

  test.each(['list --owner nobody', 'revoke --owner nobody', 'share nobody --off'])(
    'keys %s says that there is no such owner',
    async (line) => {
      await expect(run(line)).rejects.toThrow('keys: there is no owner "nobody"; keys owners shows all');
    },
  );
});

test('keys plans and keys --help need no database', async () => {
  const database = () => Promise.reject(new Error('must not be opened'));
  let text = '';
  const out = { write: (more: string) => (text += more) };
  expect(await keysCommand({ args: ['plans'], database, out })).toBe(0);
  expect(text).toMatch(/^PLAN +RPS +FOR\nfree +10 +\S/);
  for (const args of [['--help'], ['create', '--help'], ['help'], ['list', '-h']]) {
    text = '';
    expect(await keysCommand({ args, database, out })).toBe(0);
    expect(text).toMatch(/^Usage: tongate keys <command>/);
  }
  expect(await keysCommand({ args: [], database, out })).toBe(2);
});

test.each([
  ['create', '--name is missing: expected a name of 1 to 100 characters on one line'],
  [
    `create --name ${'x'.repeat(101)}`,
    `--name is "${'x'.repeat(101)}": expected a name of 1 to 100 characters on one line`,
  ],
  ['create --name a --plan gold', '--plan is "gold": expected one of free, basic, plus, pro'],
  ['create --name a --rps 0', '--rps is "0": expected an integer from 1 to 100000'],
  ['create --name a --rps 1.5', '--rps is "1.5": expected an integer from 1 to 100000'],
  ['create --name a --rps 100001', '--rps is "100001": expected an integer from 1 to 100000'],
  [
    'create --name a --networks mainnet,moon',
    '--networks is "mainnet,moon": expected a comma-separated choice of mainnet, testnet, localnet, custom',
  ],
  [
    'create --name a --networks=',
    '--networks is "": expected a comma-separated choice of mainnet, testnet, localnet, custom',
  ],
  ['create --name a --colour red', "keys: Unknown option '--colour'"],
  ['create --name', "keys: Option '--name <value>' argument missing"],
  ['list everything', "keys: Unexpected argument 'everything'"],
  ['revoke', 'keys revoke: expected one ID from keys list'],
  ['revoke 1 2', 'keys revoke: expected one ID from keys list'],
  ['revoke 999999', 'keys revoke: no key has the ID "999999"; keys list shows all'],
  ['revoke bot', 'keys revoke: no key has the ID "bot"; keys list shows all'],
  ['revoke 1 --owner shop', 'keys revoke: expected one ID from keys list, or --owner OWNER'],
  ['share', 'keys share: expected one OWNER'],
  ['share shop --plan gold', '--plan is "gold": expected one of free, basic, plus, pro'],
  ['share shop --off --rps 3', 'keys share: expected --off or a plan, not both'],
  ['remove 1', 'keys remove: expected one of create, list, revoke, owners, share, plans after keys'],
  ['constructor', 'keys constructor: expected one of create, list, revoke, owners, share, plans after keys'],
])('keys %s fails with the reason', async (line, message) => {
  let opened = false;
  const failure = await run(line, undefined, () => {
    opened = true;
  }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as Error).message.startsWith(message)).toBe(true);
  // Opening may start a whole PostgreSQL; only an ID that nobody has takes one to find out.
  expect(opened).toBe(message.includes('no key has the ID'));
});
