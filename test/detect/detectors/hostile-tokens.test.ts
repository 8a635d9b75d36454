import { beginCell, Cell, type TupleItem } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { undefinedOnMismatch } from '../../../src/chain/contracts/probe.ts';
import type { Detector, KnownContracts } from '../../../src/detect/detection.ts';
import { DNS_ENTRY } from '../../../src/detect/detectors/dns-entry.ts';
import { TELEMINT_ITEM } from '../../../src/detect/detectors/nft-sales.ts';
import {
  JETTON_MASTER,
  JETTON_WALLET,
  NFT_COLLECTION,
  NFT_ITEM,
} from '../../../src/detect/detectors/tokens.ts';
import { getMethodCode, type MethodResult } from '../../support/get-method-code.ts';
import { sampleOf } from '../../support/long-run.ts';
import { dnsRecordsOf } from '../../v2/support/dns-records.ts';
import {
  ANYCAST,
  address,
  bytes,
  cell,
  EXTERN,
  int,
  key,
  NAN,
  NULL,
  slice,
  somebody,
} from '../support/stack-items.ts';
import { openTestProbes, type TestProbes } from '../support/test-probe.ts';
import {
  CODE,
  chunked,
  contentOf,
  OWNER,
  PARENT,
  PARENTS,
  SELF,
  TOKENS,
} from '../support/token-contract-results.ts';

const MAX = 2n ** 256n - 1n;
const MIN = -(2n ** 256n);
const NOWHERE = somebody(99);
const NOT_UTF8 = Buffer.of(0x66, 0xff, 0x66);
const TON: KnownContracts = {
  zones: [{ zone: 'ton', collection: { workchain: 0, hash: PARENT.hash } }],
  poolFactory: undefined,
};
const TME: KnownContracts = {
  zones: [{ zone: 't.me', collection: { workchain: 0, hash: PARENT.hash } }],
  poolFactory: undefined,
};

let probes: TestProbes;
beforeAll(() => {
  probes = openTestProbes();
});
afterAll(() => probes.close());

type Methods = Readonly<Record<string, MethodResult>>;

const NO_AUCTION = {
  max_bid_address: null,
  max_bid_amount: null,
  auction_end_time: null,
  last_fill_up_time: null,
};

/** The columns of the contract with some methods replaced; undefined if it is not recognised. */
function runDetection(detector: Detector, own: Methods = {}, parents: Methods = {}, known = TON) {
  probes.put({ account: PARENT, code: getMethodCode({ ...PARENTS, ...parents }), data: Cell.EMPTY });
  const self = probes.put({ account: SELF, code: getMethodCode({ ...TOKENS, ...own }), data: Cell.EMPTY });
  return undefinedOnMismatch(detector.detect(self, known));
}

/** A result with one entry replaced. */
function withEntry(method: string, at: number, entry: TupleItem): Methods {
  return { [method]: TOKENS[method]!.with(at, entry) };
}

/** Each with the method that identifies it. */
const ALL: readonly { readonly detector: Detector; readonly method: string }[] = [
  { detector: JETTON_MASTER, method: 'get_jetton_data' },
  { detector: JETTON_WALLET, method: 'get_wallet_data' },
  { detector: NFT_COLLECTION, method: 'get_collection_data' },
  { detector: NFT_ITEM, method: 'get_nft_data' },
  { detector: DNS_ENTRY, method: 'dnsresolve' },
  { detector: TELEMINT_ITEM, method: 'get_telemint_auction_config' },
];

describe('token detectors', () => {
  it.each(ALL)('ignore additional entries, $detector.table', async ({ detector, method }) => {
    const more = { [method]: [...TOKENS[method]!, int(1), NULL] };
    expect(await runDetection(detector)).toBeDefined();
    // The result of a domain has two entries.
    expect((await runDetection(detector, more)) !== undefined).toBe(detector !== DNS_ENTRY);
  });

  it.each(ALL)(
    'reject exceptions and short or empty stacks, $detector.table',
    async ({ detector, method }) => {
      const results: MethodResult[] = [{ throws: 77 }, [], TOKENS[method]!.slice(0, -1)];
      for (const result of results)
        expect(await runDetection(detector, { [method]: result })).toBeUndefined();
    },
  );

  it.each(ALL)('reject entries of other types, $detector.table', async ({ detector, method }) => {
    for (const [at, { type }] of TOKENS[method]!.entries()) {
      // Its admin is the one entry that may be anything.
      if (detector === JETTON_MASTER && at === 2) continue;
      const wrong: TupleItem[] = [NAN, { type: 'tuple', items: [] }, type === 'int' ? CODE : int(5)];
      for (const entry of sampleOf(wrong, 1, at + 1))
        expect(
          await runDetection(detector, withEntry(method, at, entry)),
          `${at} ${entry.type}`,
        ).toBeUndefined();
    }
  });
});

describe('a jetton master', () => {
  const master = (at: number, entry: TupleItem) =>
    runDetection(JETTON_MASTER, withEntry('get_jetton_data', at, entry));

  it('terminates on endless data', async () => {
    expect(await runDetection(JETTON_MASTER, { get_jetton_data: { loops: true } })).toBeUndefined();
  });

  it('may have any supply and no admin', async () => {
    expect(await master(0, int(MIN))).toMatchObject({ total_supply: MIN });
    expect(await master(0, int(MAX))).toMatchObject({ total_supply: MAX });
    expect(await master(2, address(null))).toMatchObject({ admin: null });
    for (const admin of [EXTERN, ANYCAST, NULL, NAN, bytes(''), CODE, int(0)])
      expect(await master(2, admin), admin.type).toMatchObject({ admin: null, mintable: true });
  });

  it('may have a dictionary of airdrops', async () => {
    const rootOf = async (get_mintless_airdrop_hashmap_root: MethodResult) =>
      (await runDetection(JETTON_MASTER, { get_mintless_airdrop_hashmap_root })) as {
        mintless_root: unknown;
      };
    expect((await rootOf([int(2n ** 256n - 1n)])).mintless_root).toEqual(Buffer.alloc(32, 255));
    expect((await rootOf([int(1)])).mintless_root).toEqual(Buffer.alloc(32).fill(1, 31));
    for (const strange of [[], [NULL], [int(-1)], [CODE], { throws: 9 }, { loops: true }] as MethodResult[])
      expect((await rootOf(strange)).mintless_root).toBeNull();
  });

  it('has content in one of the known formats', async () => {
    const contentIs = async (content: TupleItem) =>
      ((await master(3, content)) as { content: unknown } | undefined)?.content;
    const snake = (text: string | Buffer) => beginCell().storeUint(0, 8).storeBuffer(Buffer.from(text));
    expect(await contentIs(contentOf({}))).toEqual({});
    expect(await contentIs(contentOf({ unknown: snake('x') }))).toEqual({});
    expect(await contentIs(contentOf({ name: chunked('Ch', 'un', 'ks') }))).toEqual({ name: 'Chunks' });
    const long = snake('a'.repeat(100)).storeRef(beginCell().storeBuffer(Buffer.from('b'.repeat(100))));
    expect(await contentIs(contentOf({ name: long }))).toEqual({ name: 'a'.repeat(100) + 'b'.repeat(100) });
    const some = { name: snake(NOT_UTF8), symbol: snake('\0S\0'), image_data: snake(NOT_UTF8) };
    expect(await contentIs(contentOf(some))).toEqual({
      symbol: 'S',
      image_data: NOT_UTF8.toString('base64'),
    });
    const broken = [
      beginCell().storeUint(2, 8).endCell(),
      beginCell().storeUint(1, 8).storeBuffer(NOT_UTF8).endCell(),
      beginCell().storeUint(1, 8).storeUint(1, 3).endCell(),
      beginCell().storeUint(0, 8).storeBit(1).storeRef(Cell.EMPTY).endCell(),
      Cell.EMPTY,
    ];
    for (const content of broken) expect(await contentIs(cell(content))).toBeUndefined();
  });

  it('keeps at most 8 KiB of a text', async () => {
    let tail = beginCell();
    for (let i = 0; i < 100; i++) {
      const text = beginCell().storeBuffer(Buffer.alloc(120, 0x61));
      tail = i === 0 ? text : text.storeRef(tail);
    }
    const content = cell(beginCell().storeUint(1, 8).storeRef(tail).endCell());
    // 68 full cells.
    expect(await master(3, content)).toMatchObject({ content: { uri: 'a'.repeat(120 * 68) } });
  });
});

describe('a jetton wallet', () => {
  const wallet = (at: number, entry: TupleItem) =>
    runDetection(JETTON_WALLET, withEntry('get_wallet_data', at, entry));

  it('needs an owner and an existing master that confirms it', async () => {
    expect(await wallet(0, int(MAX))).toEqual({
      balance: MAX,
      owner: key(OWNER),
      jetton: key(PARENT),
      mintless_is_claimed: null,
    });
    for (const noAddress of [address(null), EXTERN, ANYCAST, NULL]) {
      expect(await wallet(1, noAddress)).toBeUndefined();
      expect(await wallet(2, noAddress)).toBeUndefined();
    }
    expect(await wallet(2, address(NOWHERE))).toBeUndefined();
    const mismatches: MethodResult[] = [
      [address(OWNER)],
      [address(null)],
      [int(1)],
      [],
      { throws: 5 },
      { loops: true },
    ];
    for (const get_wallet_address of mismatches)
      expect(await runDetection(JETTON_WALLET, {}, { get_wallet_address })).toBeUndefined();
  });

  it('may report whether it is claimed', async () => {
    const claimed = async (is_claimed: MethodResult) =>
      (await runDetection(JETTON_WALLET, { is_claimed })) as { mintless_is_claimed: unknown };
    expect((await claimed([int(-1)])).mintless_is_claimed).toBe(true);
    expect((await claimed([int(0)])).mintless_is_claimed).toBe(false);
    for (const strange of [[NULL], [int(1), int(1)], { throws: 9 }, { loops: true }] as MethodResult[])
      expect((await claimed(strange)).mintless_is_claimed).toBeNull();
  });
});

describe('an NFT item', () => {
  const item = (at: number, entry: TupleItem) => runDetection(NFT_ITEM, withEntry('get_nft_data', at, entry));

  it('has no collection, or one that confirms it', async () => {
    const alone = { collection: null, content: { uri: 'https://example.test/1.json' } };
    expect(await item(2, address(null))).toMatchObject(alone);
    expect(await item(1, int(MAX))).toMatchObject({ index: MAX, collection: key(PARENT) });
    expect(await item(3, address(null))).toMatchObject({ owner: null });
    for (const strange of [EXTERN, ANYCAST, NULL, address(NOWHERE)])
      expect(await item(2, strange)).toBeUndefined();
    for (const get_nft_address_by_index of [
      [address(OWNER)],
      [address(null)],
      [],
      { throws: 5 },
    ] as MethodResult[])
      expect(await runDetection(NFT_ITEM, {}, { get_nft_address_by_index })).toBeUndefined();
  });

  it('has its content completed by its collection', async () => {
    for (const get_nft_content of [[CODE], [int(1)], [], { throws: 5 }] as MethodResult[])
      expect(await runDetection(NFT_ITEM, {}, { get_nft_content })).toBeUndefined();
    const broken = { get_nft_data: TOKENS.get_nft_data!.with(2, address(null)).with(4, CODE) };
    expect(await runDetection(NFT_ITEM, broken)).toBeUndefined();
    // Its own content may have any format if the collection completes it.
    expect(await item(4, CODE)).toMatchObject({ content: { uri: 'https://example.test/1.json' } });
  });
});

describe('a domain', () => {
  const domainOf = async (own: Methods, known = TON) => {
    const [entry, item] = [
      await runDetection(DNS_ENTRY, own, {}, known),
      await runDetection(NFT_ITEM, own, {}, known),
    ];
    const named = (item as { content: { domain?: string } }).content.domain;
    const name = (entry as { domain: string } | undefined)?.domain;
    if (entry !== undefined) expect(named).toBe(name);
    return named;
  };

  it('needs a valid name of limited length', async () => {
    expect(await domainOf({})).toBe('name.ton');
    expect(await domainOf({}, TME)).toBe('name.t.me');
    expect(await domainOf({ get_domain: [bytes('дом'), NULL] })).toBe('дом.ton');
    expect(await domainOf({ get_domain: [bytes('n'.repeat(122))] })).toBe(`${'n'.repeat(122)}.ton`);
    expect(await domainOf({ get_full_domain: [bytes('\0\0me\0\0t\0n')] }, TME)).toBe('n.t.me');
    const uneven = slice(beginCell().storeUint(1, 7).endCell());
    const bad = [bytes(''), bytes(NOT_UTF8), uneven, int(1), NULL];
    for (const name of [...bad, bytes('n'.repeat(123))])
      expect(await domainOf({ get_domain: [name] })).toBeUndefined();
    for (const name of [...bad, bytes('\0\0'), bytes('n'.repeat(127))])
      expect(await domainOf({ get_full_domain: [name] }, TME)).toBeUndefined();
    expect(await domainOf({ get_domain: [bytes('a\0b')] })).toBeUndefined();
    expect(await domainOf({ get_domain: { throws: 4 } })).toBeUndefined();
  });

  it('may be in an auction', async () => {
    const auction = (get_auction_info: MethodResult, own: Methods = {}, known = TON) =>
      runDetection(DNS_ENTRY, { get_auction_info, ...own }, {}, known);
    const bid = [address(OWNER), int(10n ** 30n), int(1_790_003_600)];
    const told = {
      max_bid_address: key(OWNER),
      max_bid_amount: 10n ** 30n,
      auction_end_time: 1_790_003_600n,
    };
    expect(await auction(bid)).toMatchObject({ ...told, last_fill_up_time: null });
    expect(await auction(bid, { get_last_fill_up_time: [int(7)] })).toMatchObject({
      ...told,
      last_fill_up_time: 7n,
    });
    const none = [
      bid.with(0, address(null)),
      bid.with(0, EXTERN),
      bid.with(0, NULL),
      bid.with(1, NULL),
      bid.with(2, int(-1)),
      bid.with(2, int(2n ** 40n)),
      bid.slice(0, 2),
      { throws: 5 },
    ];
    for (const result of none) {
      const entry = await auction(result, { get_last_fill_up_time: [int(2n ** 40n - 1n)] });
      expect(entry).toMatchObject({ ...NO_AUCTION, last_fill_up_time: 2n ** 40n - 1n });
    }
    for (const time of [int(-1), int(2n ** 40n), NULL])
      expect(await auction(bid, { get_last_fill_up_time: [time] })).toMatchObject({
        ...told,
        last_fill_up_time: null,
      });
    expect(await auction(bid, { get_full_domain: [bytes('me\0t\0name\0')] }, TME)).toMatchObject(NO_AUCTION);
  });

  it('must resolve itself, possibly without records', async () => {
    const nothing = { next_resolver: null, wallet: null, site_adnl: null, storage_bag_id: null };
    const entry = (...dnsresolve: TupleItem[]) => runDetection(DNS_ENTRY, { dnsresolve });
    expect(await entry(int(8), NULL)).toEqual({
      owner: key(OWNER),
      domain: 'name.ton',
      ...nothing,
      ...NO_AUCTION,
    });
    expect(await entry(int(8), cell(dnsRecordsOf({ wallet: OWNER })))).toMatchObject({
      wallet: key(OWNER),
      next_resolver: null,
    });
    for (const bits of [0, 16, -8]) expect(await entry(int(bits), NULL)).toBeUndefined();
    expect(await entry(int(8), cell(Cell.EMPTY))).toBeUndefined();
    expect(await entry(int(8), slice(dnsRecordsOf({ wallet: OWNER })))).toBeUndefined();
    expect(await runDetection(DNS_ENTRY, {}, {}, { ...TON, zones: [] })).toBeUndefined();
    expect(await runDetection(DNS_ENTRY, {}, { get_nft_address_by_index: [address(OWNER)] })).toBeUndefined();
  });
});

describe('a Fragment NFT item', () => {
  const telemint = (own: Methods, parents: Methods = {}) => runDetection(TELEMINT_ITEM, own, parents);
  const rest = {
    token_name: 'name',
    beneficiary: key(OWNER),
    initial_min_bid: 10n,
    max_bid: 20n,
    min_bid_step: 5n,
    min_extend_time: 60n,
    duration: 3600n,
    royalty_numerator: 1n,
    royalty_denominator: 20n,
    royalty_destination: key(OWNER),
  };
  const none = { bidder: null, bid: 0n, bid_ts: 0n, min_bid: 0n, end_time: 0n };

  it('is read with or without an auction', async () => {
    const auction = { bidder: key(OWNER), bid: 1n, bid_ts: 2n, min_bid: 3n, end_time: 4n };
    expect(await telemint({})).toEqual({ ...rest, ...auction });
    for (const state of [{ throws: 5 }, [NULL, int(1), int(2), int(3), int(4)], []] as MethodResult[])
      expect(await telemint({ get_telemint_auction_state: state })).toEqual({ ...rest, ...none });
    for (const noAddress of [address(null), bytes('')]) {
      const own = withEntry('get_telemint_auction_state', 0, noAddress);
      expect(await telemint(own)).toEqual({ ...rest, ...auction, bidder: null });
      expect(await telemint(withEntry('get_telemint_auction_config', 0, noAddress))).toMatchObject({
        beneficiary: null,
      });
    }
  });

  it('is a mismatch without an auction config, with too large numbers, or if it is not an NFT', async () => {
    expect(await telemint(withEntry('get_telemint_auction_config', 0, NULL))).toBeUndefined();
    expect(await telemint(withEntry('get_telemint_auction_config', 5, int(2n ** 63n)))).toBeUndefined();
    expect(await telemint(withEntry('royalty_params', 0, int(MIN)))).toBeUndefined();
    expect(await telemint(withEntry('royalty_params', 2, address(null)))).toBeUndefined();
    expect(await telemint({}, { get_nft_address_by_index: [address(OWNER)] })).toBeUndefined();
  });

  it('has a text name without NUL', async () => {
    const name = async (entry: TupleItem) =>
      ((await telemint({ get_telemint_token_name: [entry] })) as { token_name: string } | undefined)
        ?.token_name;
    const snake = beginCell()
      .storeBuffer(Buffer.from('us'))
      .storeRef(beginCell().storeBuffer(Buffer.from('er')));
    expect(await name(slice(snake.endCell()))).toBe('user');
    expect(await name(bytes('a\0b'))).toBe('ab');
    expect(await name(bytes(NOT_UTF8))).toBeUndefined();
    expect(await name(slice(beginCell().storeUint(1, 7).endCell()))).toBeUndefined();
  });
});
