import { type Address, beginCell, internal, type MessageRelaxed, toNano } from '@ton/core';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT_TABLES } from '../../../src/db/tables/contract-tables.ts';
import type { Detection } from '../../../src/detect/detection.ts';
import { accountPrefix } from '../../../src/index/format/position.ts';
import type { IndexerOptions } from '../../../src/ingest/indexer-options.ts';
import { type ContractState, onChainContent } from '../../../src/localnet/contracts/contract.ts';
import { dnsCollection, dnsItem, dnsRoot, registerDomain } from '../../../src/localnet/contracts/dns.ts';
import {
  jettonMinter,
  jettonWallet,
  mintJettons,
  transferJettons,
} from '../../../src/localnet/contracts/jetton.ts';
import { multisigWallet } from '../../../src/localnet/contracts/multisig.ts';
import { nftCollection, transferItem } from '../../../src/localnet/contracts/nft.ts';
import { adminKeys } from '../../../src/localnet/genesis/keys.ts';
import { configChangeMessage } from '../../../src/localnet/genesis/special-accounts.ts';
import { address, cell, int, NULL, slice } from '../../detect/support/stack-items.ts';
import { offChainContent } from '../../localnet/support/contract-messages.ts';
import type { TestWallet } from '../../localnet/support/local-chain.ts';
import type { MethodResult } from '../../support/get-method-code.ts';
import { isLongRun } from '../../support/long-run.ts';
import {
  type Indexer,
  isComplete,
  openTestIndexer,
  type TestIndexer,
  until,
  untilNothingIsMissing,
} from '../support/test-indexer.ts';
import { accountHex } from './support/get-method-rows.ts';
import {
  changeCode,
  changingContract,
  deployment,
  destroyContract,
  type LiveChain,
  startLiveChain,
} from './support/live-chain.ts';

const TIMEOUT_MS = 300_000;
const CONTENT = cell(offChainContent('https://example.test/1.json'));
const CODE = cell(beginCell().storeUint(5, 8).endCell());
const DNS_ROOT_PARAM = 4;
const YEAR_SECONDS = 365 * 86_400;
const EVENT_TABLES = ['jetton_transfers', 'jetton_burns', 'nft_transfers'];

let live: LiveChain;
let context: TestIndexer;
let indexer: Indexer;
let alice: TestWallet;
let owner: Address;
let numbers = 0;

beforeAll(async () => {
  live = await startLiveChain();
  alice = live.people[0]!;
  owner = alice.address;
  context = await openTestIndexer();
  indexer = context.indexer(live.pool, { detection: context.detection(live.pool), lanes: 0 });
  indexer.start();
}, TIMEOUT_MS);
afterAll(async () => {
  await context?.close();
  await live?.close();
});

/** Sends messages from alice and waits until their traces are indexed and all accounts detected. */
async function send(messages: readonly MessageRelaxed[], by = { context, indexer }): Promise<void> {
  const to = await live.send(alice, messages);
  await until(by.indexer, ({ followed }) => (followed ?? 0) >= to);
  await untilNothingIsMissing(by.context);
}

/** The tables that contain an account, once per row. */
async function tablesOf({ address: of }: Pick<ContractState, 'address'>, in_ = context): Promise<string[]> {
  const account = Buffer.from(accountHex(of), 'hex');
  const parts = [...CONTRACT_TABLES, ...EVENT_TABLES, 'waiting_events', 'token_metadata'].map((table, at) => {
    const isOfAccount = EVENT_TABLES.includes(table)
      ? sql`acc8 = ${accountPrefix(account)}`
      : sql`account = ${account}`;
    return sql`select ${sql.lit(at)} as at, ${sql.lit(table)} as name from ${sql.table(table)} where ${isOfAccount}`;
  });
  const { rows } = await sql<{ name: string }>`${sql.join(parts, sql` union all `)} order by at`.execute(
    in_.database.primary,
  );
  return rows.map(({ name }) => name);
}

async function codeHashOf({ address: of }: ContractState): Promise<Buffer | null | undefined> {
  const row = await context.database.primary
    .selectFrom('latest_account_states')
    .select('code_hash')
    .where('account', '=', Buffer.from(accountHex(of), 'hex'))
    .executeTakeFirst();
  return row?.code_hash;
}

function changing(methods?: Readonly<Record<string, MethodResult>>): ContractState {
  return changingContract(numbers++, methods);
}

/** Requests that a jetton wallet and an NFT item would accept. */
function requests(to: Address): MessageRelaxed[] {
  const value = toNano('1');
  return [
    internal({ to, value, bounce: false, body: transferJettons({ to: owner, amount: 1n }) }),
    internal({ to, value, bounce: false, body: transferItem({ to: owner }) }),
  ];
}

describe('impostor contracts', () => {
  test('are in no table, have no events, and do not delay others', { timeout: TIMEOUT_MS }, async () => {
    const content = onChainContent({ name: 'Real', symbol: 'REAL' });
    const minter = jettonMinter({ admin: owner, content });
    const royalty = { numerator: 1, denominator: 10, destination: owner };
    const collection = nftCollection({ owner, content, royalty });
    const multisig = multisigWallet({ threshold: 1, signers: [owner] });
    const people = cell(beginCell().storeUint(0, 1).endCell());
    const data = { get_wallet_data: [int(1), address(owner), address(minter.address), CODE] };
    const impostors = {
      'a wallet that its jetton denies': changing(data),
      'a wallet of nobody': changing({ get_wallet_data: [int(1), address(owner), address(owner), CODE] }),
      'an item that its collection denies': changing({
        get_nft_data: [int(-1), int(0), address(collection.address), address(owner), CONTENT],
      }),
      'an order that its multisig denies': changing({
        get_order_data: [
          address(multisig.address),
          int(0),
          int(1),
          int(0),
          people,
          int(0),
          int(0),
          int(9),
          CODE,
        ],
      }),
      'a jetton with broken content': changing({
        get_jetton_data: [int(1), int(0), address(owner), cell(beginCell().storeUint(7, 8).endCell()), CODE],
      }),
      'a jetton that loops': changing({ get_jetton_data: { loops: true } }),
      'a wallet that loops': changing({ get_wallet_data: { loops: true } }),
      'an item that throws': changing({ get_nft_data: { throws: 77 } }),
      'a jetton of wrong types': changing({
        get_jetton_data: [CODE, int(0), address(owner), CONTENT, CODE],
      }),
      'a collection with too few results': changing({ get_collection_data: [int(1), CONTENT] }),
      'an item that names no owner but null': changing({
        get_nft_data: [int(-1), int(0), address(null), NULL, CONTENT],
      }),
      'a multisig with a number that is too large': changing({
        get_multisig_data: [int(0), int(2n ** 64n), NULL, NULL],
      }),
      'a jetton with text that is none': changing({
        get_jetton_data: [
          int(1),
          int(0),
          address(owner),
          cell(beginCell().storeUint(1, 8).storeUint(0xff, 8).endCell()),
          CODE,
        ],
      }),
      'a vesting of other code': changing({
        get_vesting_data: [int(1), int(1), int(1), int(0), int(1), address(owner), address(owner), NULL],
      }),
      'a domain of no zone that throws': changing({
        get_nft_data: { throws: 5 },
        dnsresolve: { loops: true },
        get_domain: [slice(CODE.type === 'cell' ? CODE.cell : beginCell().endCell())],
      }),
    };
    const all = Object.values(impostors);
    const mint = mintJettons({ to: owner, amount: 5n, ton: toNano('0.5') });
    await send([
      ...all.map((one) => deployment(one)),
      ...[minter, collection, multisig].map((one) => deployment(one)),
      internal({ to: minter.address, value: toNano('1'), body: mint }),
    ]);
    await send(all.flatMap(({ address: to }) => requests(to)));
    for (const one of all) expect(await codeHashOf(one)).toEqual(one.init.code.hash());
    for (const [name, one] of Object.entries(impostors))
      expect({ name, tables: await tablesOf(one) }).toEqual({ name, tables: [] });
    expect(await tablesOf(minter)).toEqual(['jetton_masters', 'token_metadata']);
    expect(await tablesOf(collection)).toEqual(['nft_collections', 'token_metadata']);
    expect(await tablesOf(multisig)).toEqual(['multisigs']);
    const wallet = jettonWallet({ minter: minter.address, owner });
    expect(await tablesOf(wallet)).toEqual(['jetton_wallets']);
    expect(indexer.progress()).toMatchObject({ lag: 0, lastError: undefined });
  });
});

describe('a changing contract', () => {
  test('has the interface of its new code and keeps earlier events', { timeout: TIMEOUT_MS }, async () => {
    const [wallet, item] = [changing(), changing()];
    const master = changing({
      get_jetton_data: [int(1), int(0), address(owner), CONTENT, CODE],
      get_wallet_address: [address(wallet.address)],
    });
    const collection = changing({
      get_collection_data: [int(1), CONTENT, address(owner)],
      get_nft_address_by_index: [address(item.address)],
      get_nft_content: [CONTENT],
    });
    const asWallet = { get_wallet_data: [int(7), address(owner), address(master.address), CODE] };
    const asItem = {
      get_nft_data: [int(-1), int(3), address(collection.address), address(owner), CONTENT],
    };
    await send([wallet, item, master, collection].map((one) => deployment(one)));
    expect(await tablesOf(wallet)).toEqual([]);
    const sendRequests = () => send([wallet, item].flatMap(({ address: to }) => requests(to)));
    const change = (methods: [Record<string, MethodResult>, Record<string, MethodResult>]) =>
      send([wallet, item].map(({ address: to }, i) => changeCode(to, methods[i]!)));

    await change([asWallet, asItem]);
    await sendRequests();
    expect(await tablesOf(wallet)).toEqual(['jetton_wallets', 'jetton_transfers']);
    expect(await tablesOf(item)).toEqual(['nft_items', 'nft_transfers', 'token_metadata']);
    await change([{}, {}]);
    expect(await tablesOf(wallet)).toEqual(['jetton_transfers']);
    expect(await tablesOf(item)).toEqual(['nft_transfers']);
    await sendRequests();
    expect(await tablesOf(wallet)).toEqual(['jetton_transfers']);
    expect(await tablesOf(item)).toEqual(['nft_transfers']);
    // Each takes the code of the other, which its master rejects, and then its own again.
    await change([asItem, asWallet]);
    expect(await tablesOf(wallet)).toEqual(['jetton_transfers']);
    await change([asWallet, asItem]);
    await sendRequests();
    expect(await tablesOf(wallet)).toEqual(['jetton_wallets', 'jetton_transfers', 'jetton_transfers']);
    expect(await tablesOf(item)).toEqual(['nft_items', 'nft_transfers', 'nft_transfers', 'token_metadata']);

    await send([wallet, item].map(({ address: to }) => destroyContract(to, owner)));
    expect(await tablesOf(wallet)).toEqual(['jetton_transfers', 'jetton_transfers']);
    expect(await tablesOf(item)).toEqual(['nft_transfers', 'nft_transfers']);
  });

  test('depends on the state of another contract at its next transaction', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const item = changing();
    const collection = changing({
      get_collection_data: [int(1), CONTENT, address(owner)],
      get_nft_address_by_index: [address(item.address)],
      get_nft_content: [CONTENT],
    });
    const asItem = { get_nft_data: [int(-1), int(3), address(collection.address), address(owner), CONTENT] };
    await send([deployment(item), changeCode(item.address, asItem)]);
    await send(requests(item.address));
    expect(await tablesOf(item)).toEqual([]);
    await send([deployment(collection)]);
    expect(await tablesOf(item)).toEqual([]);
    await send(requests(item.address));
    expect(await tablesOf(item)).toEqual(['nft_items', 'nft_transfers', 'token_metadata']);
  });
});

describe('a contract that changed in an index gap', () => {
  test.runIf(isLongRun)(
    'has its current interface although the change is not indexed yet',
    {
      timeout: TIMEOUT_MS,
    },
    async () => {
      const [wallet, item] = [changing(), changing()];
      const master = changing({ get_wallet_address: [address(wallet.address)] });
      const asWallet = { get_wallet_data: [int(7), address(owner), address(master.address), CODE] };
      const asItem = { get_nft_data: [int(-1), int(3), address(null), address(owner), CONTENT] };
      const other = await openTestIndexer();
      try {
        const from = live.pool.head!.seqno;
        const options = { detection: other.detection(live.pool), chunkSeqnos: 1, from };
        const before = other.indexer(live.pool, options);
        before.start();
        await send([wallet, item, master].map((one) => deployment(one)));
        await send([changeCode(wallet.address, asWallet), changeCode(item.address, asItem)]);
        await until(before, isComplete(live.pool.head!.seqno));
        await untilNothingIsMissing(other);
        expect(await tablesOf(wallet, other)).toEqual(['jetton_wallets']);
        expect(await tablesOf(item, other)).toEqual(['nft_items', 'token_metadata']);
        await before.close();
        await send([changeCode(wallet.address, {}), changeCode(item.address, {})]);
        // An indexer that starts so far behind the head leaves a gap, which is filled later.
        await live.chain.steps(3);
        await live.step();
        const after = other.indexer(live.pool, { ...options, lanes: 0 });
        after.start();
        await until(after, ({ state }) => state === 'following');
        const to = await live.send(
          alice,
          [wallet, item].flatMap((one) => requests(one.address)),
        );
        await until(after, ({ followed }) => (followed ?? 0) >= to);
        await untilNothingIsMissing(other);
        // The progress reads the coverage now and then.
        await until(after, ({ gaps }) => gaps > 0);
        expect(await tablesOf(wallet, other)).toEqual([]);
        expect(await tablesOf(item, other)).toEqual([]);
        await after.close();
        const last = other.indexer(live.pool, options);
        last.start();
        await until(last, isComplete(to));
        expect(await tablesOf(wallet, other)).toEqual([]);
      } finally {
        await other.close();
      }
    },
  );
});

describe('contracts that cannot be detected without lite servers', () => {
  let other: TestIndexer;
  let late: Indexer;
  let isAway: boolean;
  beforeAll(async () => {
    other = await openTestIndexer();
    const away: Pick<IndexerOptions['pool'], 'session'> = {
      session: (options) =>
        isAway ? Promise.reject(new Error('no server responds')) : live.pool.session(options),
    };
    const detection = other.detection(Object.assign(Object.create(live.pool), away));
    late = other.indexer(live.pool, { detection, from: 'now', lanes: 0 });
  });
  afterAll(() => other.close());

  async function sendUndetected(messages: readonly MessageRelaxed[]): Promise<void> {
    const to = await live.send(alice, messages);
    await until(late, ({ followed }) => (followed ?? 0) >= to);
  }

  test('are detected later, and their events wait', { timeout: TIMEOUT_MS }, async () => {
    const minter = jettonMinter({ admin: owner, content: offChainContent('https://example.test/2.json') });
    const wallet = jettonWallet({ minter: minter.address, owner });
    const mint = mintJettons({ to: owner, amount: 5n, ton: toNano('0.5') });
    await send([deployment(minter), internal({ to: minter.address, value: toNano('1'), body: mint })]);
    isAway = true;
    late.start();
    await until(late, ({ state }) => state === 'following');
    const body = transferJettons({ to: live.people[1]!.address, amount: 2n, responseTo: owner });
    await sendUndetected([internal({ to: wallet.address, value: toNano('1'), body })]);
    expect(await tablesOf(wallet, other)).toEqual(['waiting_events']);
    isAway = false;
    // The next attempt would be seconds later.
    await sql`update missing_cells set next_try = now()`.execute(other.database.primary);
    await untilNothingIsMissing(other);
    expect(await tablesOf(wallet, other)).toEqual(['jetton_wallets', 'jetton_transfers']);
    const theirs = jettonWallet({ minter: minter.address, owner: live.people[1]!.address });
    expect(await tablesOf(theirs, other)).toEqual(['jetton_wallets']);
  });

  test('keep their interfaces until then', { timeout: TIMEOUT_MS }, async () => {
    const wallet = changing();
    const master = changing({ get_wallet_address: [address(wallet.address)] });
    const asWallet = { get_wallet_data: [int(7), address(owner), address(master.address), CODE] };
    const stranger = live.people[2]!.address;
    const asItem = { get_nft_data: [int(-1), int(3), address(stranger), address(owner), CONTENT] };
    const by = { context: other, indexer: late };
    await send([deployment(wallet), deployment(master)], by);
    await send([changeCode(wallet.address, asWallet)], by);
    expect(await tablesOf(wallet, other)).toEqual(['jetton_wallets']);
    isAway = true;
    await sendUndetected([changeCode(wallet.address, asItem)]);
    expect(await tablesOf(wallet, other)).toEqual(['jetton_wallets']);
    isAway = false;
    // The next transaction comes before the retry.
    await send(requests(wallet.address), by);
    expect(await tablesOf(wallet, other)).toEqual([]);
  });
});

describe('a domain older than its known zone', () => {
  test('is detected when the zone is found', { timeout: TIMEOUT_MS }, async () => {
    const zone = dnsCollection(onChainContent({ name: 'Names' }));
    const root = dnsRoot({ zone: 'ton', resolver: zone.address });
    const domain = dnsItem(zone.address, 'early');
    const register = { to: zone.address, value: toNano('1'), body: registerDomain('early') };
    await send([internal({ ...register, init: zone.init }), deployment(root, toNano('100'))]);
    expect(await tablesOf(domain)).toEqual(['nft_items', 'token_metadata']);
    const change = new Map([[DNS_ROOT_PARAM, beginCell().storeBuffer(root.address.hash).endCell()]]);
    const validUntil = live.chain.now + 600;
    await live.chain.step([configChangeMessage({ admin: adminKeys(), seqno: 0, validUntil, change })]);
    // The zone is found with the detection of any contract.
    await send([deployment(changing({ get_collection_data: [int(1), CONTENT, address(owner)] }))]);
    expect(await tablesOf(domain)).toEqual(['nft_items', 'dns_entries', 'token_metadata']);
  });
});

describe('a contract that stops paying for its storage', () => {
  test('has no interface once it is frozen', { timeout: TIMEOUT_MS }, async () => {
    const collection = changingContract(
      numbers++,
      { get_collection_data: [int(1), CONTENT, address(owner)] },
      400,
    );
    await send([deployment(collection)]);
    expect(await tablesOf(collection)).toEqual(['nft_collections', 'token_metadata']);
    await live.chain.step([], 40 * YEAR_SECONDS);
    await send([internal({ to: collection.address, value: 1n, bounce: false })]);
    expect(await codeHashOf(collection)).toBeNull();
    expect(await tablesOf(collection)).toEqual([]);
  });
});

/** Detection that stops at no time limit: only gas is counted, however busy the machine is. */
function withPatience(detection: Detection): Detection {
  return {
    mayFind: detection.mayFind,
    open(options) {
      const session = detection.open(options);
      return { detect: (batch) => session.detect({ ...batch, timeoutMs: TIMEOUT_MS }) };
    },
  };
}

// The last one: the indexer of the other tests puts these contracts off too.
describe('contracts that burn all gas after their code was recognised', () => {
  test.runIf(isLongRun)(
    'are put off, while others are indexed with their blocks',
    { timeout: TIMEOUT_MS },
    async () => {
      const BURNS = 2 ** 31;
      let nowMs = 0;
      const other = await openTestIndexer();
      try {
        const detection = withPatience(other.detection(live.pool, { now: () => nowMs }));
        const by = {
          context: other,
          indexer: other.indexer(live.pool, { detection, from: 'now', lanes: 0 }),
        };
        by.indexer.start();
        await until(by.indexer, ({ state }) => state === 'following');
        const result = [int(1), CONTENT, address(owner)];
        const methods = { get_collection_data: { returns: result, orLoops: true } } as const;
        const recognised = changing(methods);
        await send([deployment(recognised)], by);
        expect(await tablesOf(recognised, other)).toEqual(['nft_collections', 'token_metadata']);

        const burning = Array.from({ length: 20 }, () => changingContract(BURNS + numbers++, methods));
        const honest = changing({ get_collection_data: result });
        const to = await live.send(
          alice,
          [...burning, honest].map((one) => deployment(one)),
        );
        await until(by.indexer, ({ followed }) => (followed ?? 0) >= to);
        expect(await tablesOf(honest, other)).toEqual(['nft_collections', 'token_metadata']);
        const missing = await other.database.primary.selectFrom('missing_cells').selectAll().execute();
        const putOff = new Set(missing.map(({ account }) => account.toString('hex')));
        expect(putOff.size).toBeGreaterThanOrEqual(20 - (5 + 7));
        expect([...putOff].every((key) => burning.some((one) => accountHex(one.address) === key))).toBe(true);

        nowMs += 600_000;
        await sql`update missing_cells set next_try = now()`.execute(other.database.primary);
        await expect
          .poll(
            async () =>
              (await other.database.primary.selectFrom('missing_cells').selectAll().execute()).length,
            {
              timeout: TIMEOUT_MS,
            },
          )
          .toBeLessThan(putOff.size);
      } finally {
        await other.close();
      }
    },
  );
});
