import { readFileSync } from 'node:fs';
import { type Address, Cell, loadShardAccount } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { libraryReference } from '../../src/localnet/contracts/contract.ts';
import { jettonWalletCode } from '../../src/localnet/contracts/jetton.ts';
import { openDemoWallets } from '../../src/localnet/demo/demo-wallets.ts';
import { EXTRA_CURRENCY_ID } from '../../src/localnet/genesis/create-genesis.ts';
import { TRANSPORTS } from './support/transports.ts';
import { openLocalnetApp } from './support/v2-app.ts';

const OPERATIONS = [
  'getAddressInformation',
  'getExtendedAddressInformation',
  'getWalletInformation',
  'getAddressBalance',
  'getAddressState',
  'getShardAccountCell',
];
const NO_TRANSACTION = {
  '@type': 'internal.transactionId',
  lt: '0',
  hash: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
};
const NOBODY = `0:${'5a'.repeat(32)}`;

describe('account operations on a local chain', () => {
  const wallets = openDemoWallets();
  const alice = wallets.alice.address;
  let context: Awaited<ReturnType<typeof openLocalnetApp>>;
  let contracts: Record<string, string>;
  let seqno: number;

  beforeAll(async () => {
    context = await openLocalnetApp({ demo: true });
    contracts = JSON.parse(readFileSync(`${context.folder}/demo.json`, 'utf8')).contracts;
    seqno = context.pool.head!.seqno;
  });
  afterAll(() => context.close());

  /** The result of a call that must succeed. */
  async function ask(operation: string, address: Address | string, more: object = {}) {
    const { status, body } = await context.call(operation, { address: String(address), ...more });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.result;
  }

  it.each(OPERATIONS)('%s returns the same by every transport', async (operation) => {
    const want = await ask(operation, alice, { seqno });
    for (const transport of TRANSPORTS) {
      const params = { address: alice.toRawString(), seqno: String(seqno) };
      const { status, body } = await context.call(operation, params, transport);
      expect({ status, result: body.result }).toEqual({ status: 200, result: want });
    }
  });

  it('getAddressInformation returns an account with code and data', async () => {
    const info = await ask('getAddressInformation', alice, { seqno });
    const { code, data } = wallets.alice.init;
    expect(Cell.fromBase64(info.code).equals(code!)).toBe(true);
    expect(Cell.fromBase64(info.data).beginParse().remainingBits).toBe(data!.beginParse().remainingBits);
    expect(info).toEqual({
      '@type': 'raw.fullAccountState',
      balance: await ask('getAddressBalance', alice, { seqno }),
      extra_currencies: [{ '@type': 'extraCurrency', id: EXTRA_CURRENCY_ID, amount: '750000000000' }],
      last_transaction_id: {
        '@type': 'internal.transactionId',
        lt: expect.stringMatching(/^[1-9]\d+$/),
        hash: expect.stringMatching(/^.{43}=$/),
      },
      block_id: expect.objectContaining({ '@type': 'ton.blockIdExt', workchain: -1, seqno }),
      code: expect.stringMatching(/^te6cck/),
      data: expect.stringMatching(/^te6cck/),
      frozen_hash: '',
      sync_utime: expect.any(Number),
      state: 'active',
      suspended: false,
    });
  });

  it('account operations read the account at an older block', async () => {
    const info = await ask('getAddressInformation', alice, { seqno: 2 });
    expect(info).toMatchObject({ state: 'uninitialized', balance: '0', block_id: { seqno: 2 } });
    expect(await ask('getAddressState', alice, { seqno: 2 })).toBe('uninitialized');
    expect(await ask('getAddressState', alice)).toBe('active');
  });

  it('account operations return uninitialized and missing accounts', async () => {
    const empty = contracts['account without a contract']!;
    const nothing = { code: '', data: '', frozen_hash: '', state: 'uninitialized', extra_currencies: [] };
    expect(await ask('getAddressInformation', empty)).toMatchObject({ ...nothing, balance: '1000000000000' });
    expect(await ask('getAddressInformation', NOBODY)).toMatchObject({
      ...nothing,
      balance: '0',
      last_transaction_id: NO_TRANSACTION,
    });
    expect(await ask('getAddressBalance', NOBODY)).toBe('0');
    expect(await ask('getAddressState', NOBODY)).toBe('uninitialized');
    expect(await ask('getShardAccountCell', NOBODY)).toEqual({
      '@type': 'tvm.cell',
      bytes: 'te6cckEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFAAVi1MQ==',
    });
    expect(await ask('getWalletInformation', NOBODY)).toEqual({
      '@type': 'ext.accounts.walletInformation',
      wallet: false,
      balance: '0',
      account_state: 'uninitialized',
      last_transaction_id: NO_TRANSACTION,
    });
    expect(await ask('getExtendedAddressInformation', NOBODY)).toMatchObject({
      balance: '0',
      account_state: { '@type': 'uninited.accountState', frozen_hash: '' },
      revision: 0,
    });
  });

  it('getWalletInformation decodes wallets of every version', async () => {
    for (const { address, version, name } of Object.values(wallets)) {
      const info = await ask('getWalletInformation', address);
      const [, major, minor] = /^v(\d)r(\d)$/.exec(version) ?? [];
      expect(info.account_state, name).toBe('active');
      if (major === undefined) {
        expect(info).toMatchObject({ wallet: false });
        expect(Object.keys(info)).toHaveLength(5);
        continue;
      }
      expect(info).toMatchObject({
        wallet: true,
        wallet_type: `wallet v${major} r${minor}`,
        seqno: expect.any(Number),
        ...(Number(major) >= 3 && { wallet_id: expect.any(Number) }),
        ...(major === '5' && { is_signature_allowed: true }),
      });
      expect('wallet_id' in info, name).toBe(Number(major) >= 3);
      expect('is_signature_allowed' in info, name).toBe(major === '5');
    }
  });

  it('getExtendedAddressInformation decodes what tonlib decodes and keeps the flags of the address', async () => {
    const { bob, carol, erin, dave } = wallets;
    for (const [{ address }, type, revision] of [
      [bob, 'wallet.v4.accountState', 2],
      [carol, 'wallet.v3.accountState', 2],
      [erin, 'wallet.v3.accountState', 1],
      [dave, 'raw.accountState', 0],
    ] as const) {
      const given = address.toString({ testOnly: true, bounceable: false, urlSafe: false });
      const info = await ask('getExtendedAddressInformation', given, { seqno });
      const { account_state: state, address: named } = info;
      expect([state['@type'], info.revision]).toEqual([type, revision]);
      expect(named.account_address).toBe(address.toString({ testOnly: true, bounceable: false }));
      const { seqno: count, wallet_id } = await ask('getWalletInformation', address, { seqno });
      if (revision > 0) expect(state).toEqual({ '@type': type, wallet_id, seqno: count });
    }
    const raw = await ask('getExtendedAddressInformation', bob.address.toRawString());
    expect(raw.address.account_address).toBe(bob.address.toString());
  });

  it('getAddressInformation returns library code as the library reference', async () => {
    const { code, state } = await ask('getAddressInformation', contracts['library jetton wallet of carol']!);
    expect(state).toBe('active');
    expect(Cell.fromBase64(code).equals(libraryReference(jettonWalletCode()))).toBe(true);
  });

  it('getShardAccountCell returns the ShardAccount of the shard', async () => {
    const info = await ask('getAddressInformation', alice, { seqno });
    const { bytes } = await ask('getShardAccountCell', alice, { seqno });
    const found = loadShardAccount(Cell.fromBase64(bytes).beginParse());
    expect(found.account!.addr.equals(alice)).toBe(true);
    expect(String(found.account!.storage.balance.coins)).toBe(info.balance);
    expect(String(found.lastTransactionLt)).toBe(info.last_transaction_id.lt);
  });

  it('account operations read 64 hex digits as a masterchain account', async () => {
    const elector = '3'.repeat(64);
    expect(await ask('getAddressBalance', elector, { seqno })).toBe(
      await ask('getAddressBalance', `-1:${elector}`, { seqno }),
    );
    expect(await ask('getAddressState', elector)).toBe('active');
  });

  it('an unknown workchain is an error for which no lite server is distrusted', async () => {
    for (const workchain of [5, -7, 1000, -214748364]) {
      const { status, body } = await context.call('getAddressInformation', {
        address: `${workchain}:${alice.hash.toString('hex')}`,
      });
      expect(body.error).toMatch(
        /^VALIDATE_ACCOUNT_STATEshard block id \(-2147483648,0{16},0\):.* is invalid$/,
      );
      expect([status, body.code]).toEqual([500, 500]);
    }
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });

  it('a block that is about to arrive is awaited', async () => {
    const next = context.pool.head!.seqno + 1;
    expect(await ask('getAddressInformation', alice, { seqno: next })).toMatchObject({
      block_id: { seqno: next },
    });
  });

  it('a block that does not exist yet is an error', async () => {
    const { status, body } = await context.call('getAddressState', { address: NOBODY, seqno: 99_999_999 });
    expect(status).toBe(500);
    expect(body.error).toMatch(
      /^LITE_SERVER_NOTREADY: cannot find block \(-1,8000000000000000\) seqno=99999999/,
    );
    expect(context.pool.servers()).toMatchObject([{ state: 'live', wrongResponses: 0 }]);
  });

  describe('getLibraries', () => {
    const library = jettonWalletCode();
    const hash = library.hash();
    const absent = Buffer.alloc(32, 0x11);

    it('returns existing libraries once each, without a checksum', async () => {
      const want = {
        '@type': 'smc.libraryResult',
        result: [
          {
            '@type': 'smc.libraryEntry',
            hash: hash.toString('base64'),
            data: expect.stringMatching(/^te6ccg/),
          },
        ],
      };
      const libraries = [absent.toString('hex'), hash.toString('hex'), hash.toString('base64url')];
      // The second time libraries come from the cache: the result must be the same.
      for (let i = 0; i < 2; i++) {
        const { body } = await context.call('getLibraries', { libraries });
        expect(body.result).toEqual(want);
        expect(Cell.fromBase64(body.result.result[0].data).equals(library)).toBe(true);
      }
      const { body } = await context.call('getLibraries', { libraries }, 'rpc');
      expect(body.result).toEqual(want);
      const query = libraries.map((one) => `libraries=${one}`).join('&');
      const response = await context.app.inject(`/api/v2/getLibraries?${query}`);
      expect(response.json().result).toEqual(want);
    });

    it('accepts unescaped base64 in a query and ignores empty values', async () => {
      const url = `/api/v2/getLibraries?libraries=${hash.toString('base64')}&libraries=`;
      const response = await context.app.inject(url);
      expect(response.json().result.result).toHaveLength(1);
      const empty = await context.app.inject('/api/v2/getLibraries?libraries=');
      expect(empty.json().result).toEqual({ '@type': 'smc.libraryResult', result: [] });
    });

    it.each([
      ['something else than a list', 'text'],
      ['a list of something else', [1]],
      ['a list in a list', [[absent.toString('hex')]]],
    ])('rejects %s', async (_, libraries) => {
      const { status, body } = await context.call('getLibraries', { libraries });
      expect(status).toBe(422);
      expect(body.error).toMatch(/failed to parse libraries$/);
    });

    it('rejects more than 16 hashes', async () => {
      const many = (count: number) =>
        Array.from({ length: count }, (_, i) => Buffer.alloc(32, i).toString('hex'));
      const { status, body } = await context.call('getLibraries', { libraries: many(17) });
      expect([status, body.error]).toEqual([
        500,
        'INVALID_FIELD: Field library_list has invalid value : too many libraries requested, 16 maximum',
      ]);
      expect((await context.call('getLibraries', { libraries: many(16) })).body.result.result).toEqual([]);
    });
  });
});
