import { beginCell, type Cell, toNano } from '@ton/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ContractState, onChainContent, textComment } from '../../../src/localnet/contracts/contract.ts';
import {
  deployItems,
  newItem,
  nftCollection,
  nftItem,
  transferItem,
} from '../../../src/localnet/contracts/nft.ts';
import {
  changeCollectionOwner,
  deployItem,
  getRoyalty,
  getStaticData,
  offChainContent,
} from '../support/contract-messages.ts';
import {
  addressOf,
  at,
  cellOf,
  exitCode,
  hops,
  numberOf,
  type Person,
  type SmallChain,
  startSmallChain,
} from '../support/small-chain.ts';

const OPS = { assigned: 0x05138d91, excesses: 0xd53276db, report: 0x8b771735, royalty: 0xa8cb00ad };
const content = offChainContent('https://example.test/collection.json');

let net: SmallChain;
let artist: Person;
let alice: Person;
let bob: Person;
let collection: ContractState;

beforeAll(async () => {
  net = await startSmallChain();
  [artist, alice, bob] = await net.people('artist', 'alice', 'bob');
  collection = nftCollection({
    owner: artist.address,
    content,
    baseUri: 'https://example.test/nft/',
    royalty: { numerator: 5, denominator: 100, destination: artist.address },
  });
  await net.send(artist, collection.address, toNano('0.5'), undefined, collection.init);
  net.save();
});

beforeEach(() => net.reset());

const itemAt = (index: number) => nftItem({ collection: collection.address, index }).address;

function mint(index: number, from = artist, shown: Cell | string = `${index}.json`) {
  const body = deployItem({ index, ton: toNano('0.1'), item: newItem(alice.address, shown) });
  return net.send(from, collection.address, toNano('0.2'), body);
}

async function ownerOf(index: number): Promise<string> {
  return addressOf((await net.get(itemAt(index), 'get_nft_data'))[3]);
}

/** The whole content of an item as an indexer asks for it. */
async function contentOf(index: number): Promise<Cell> {
  const [, number, , , individual] = await net.get(itemAt(index), 'get_nft_data');
  const [whole] = await net.get(collection.address, 'get_nft_content', [number!, individual!]);
  return cellOf(whole);
}

describe('an NFT collection', () => {
  it('returns its data', async () => {
    await mint(0);
    const [next, shown, owner] = await net.get(collection.address, 'get_collection_data');
    expect([numberOf(next), addressOf(owner)]).toEqual([1n, `${artist.address}`]);
    expect(cellOf(shown).equals(content)).toBe(true);
    const [found] = await net.get(collection.address, 'get_nft_address_by_index', [
      { type: 'int', value: 0n },
    ]);
    expect(addressOf(found)).toBe(`${itemAt(0)}`);
    const [numerator, denominator, destination] = await net.get(collection.address, 'royalty_params');
    expect([numberOf(numerator), numberOf(denominator), addressOf(destination)]).toEqual([
      5n,
      100n,
      `${artist.address}`,
    ]);
  });

  it('mints for its owner only and without gaps', async () => {
    expect(exitCode(at(await mint(0, alice), collection.address))).toBe(401);
    expect(exitCode(at(await mint(1), collection.address))).toBe(402);
  });

  it('mints a batch', async () => {
    const items = new Map(
      [0n, 1n, 2n].map((index) => [index, { ton: toNano('0.1'), item: newItem(bob.address, `${index}`) }]),
    );
    await net.send(artist, collection.address, toNano('0.5'), deployItems(items, 1n));
    expect([await ownerOf(0), await ownerOf(2)]).toEqual([`${bob.address}`, `${bob.address}`]);
    expect(numberOf((await net.get(collection.address, 'get_collection_data'))[0])).toBe(3n);
  });

  it('joins content URLs and leaves full content unchanged', async () => {
    await mint(0);
    const joined = (await contentOf(0)).beginParse();
    expect([joined.loadUint(8), joined.loadStringTail()]).toEqual([1, 'https://example.test/nft/0.json']);
    const whole = onChainContent({ name: 'Number one' });
    await mint(1, artist, whole);
    expect((await contentOf(1)).equals(whole)).toBe(true);
  });

  it('changes its owner and reports its royalty', async () => {
    await net.send(artist, collection.address, toNano('0.05'), changeCollectionOwner(bob.address));
    expect(exitCode(at(await mint(0), collection.address))).toBe(401);
    const result = await net.send(alice, collection.address, toNano('0.05'), getRoyalty(4n));
    const body = at(result, alice.address)!.inMessage!.body.beginParse();
    expect([body.loadUint(32), body.loadUintBig(64), body.loadUint(16), body.loadUint(16)]).toEqual([
      OPS.royalty,
      4n,
      5,
      100,
    ]);
    expect(`${body.loadAddress()}`).toBe(`${artist.address}`);
  });
});

describe('an NFT item', () => {
  beforeEach(() => mint(0));

  it('returns its data', async () => {
    const [init, index, of, owner, individual] = await net.get(itemAt(0), 'get_nft_data');
    expect([numberOf(init), numberOf(index)]).toEqual([-1n, 0n]);
    expect([addressOf(of), addressOf(owner)]).toEqual([`${collection.address}`, `${alice.address}`]);
    expect(cellOf(individual).beginParse().loadStringTail()).toBe('0.json');
  });

  it('has no owner until its collection initialises it', async () => {
    const item = nftItem({ collection: collection.address, index: 5 });
    const result = await net.send(alice, item.address, toNano('0.1'), undefined, item.init);
    expect(exitCode(at(result, item.address))).toBe(405);
  });

  it('is transferred and notifies the new owner', async () => {
    const forwardPayload = textComment('a gift');
    const result = await net.send(
      alice,
      itemAt(0),
      toNano('0.2'),
      transferItem({
        queryId: 8n,
        to: bob.address,
        responseTo: alice.address,
        forwardTon: toNano('0.03'),
        forwardPayload,
      }),
    );
    expect(await ownerOf(0)).toBe(`${bob.address}`);
    expect(hops(result).slice(1)).toEqual([
      [`${bob.address}`, OPS.assigned],
      [`${alice.address}`, OPS.excesses],
    ]);
    const notice = at(result, bob.address)!.inMessage!;
    expect(notice.info).toMatchObject({ value: { coins: toNano('0.03') } });
    const body = notice.body.beginParse().skip(32);
    expect([body.loadUintBig(64), `${body.loadAddress()}`, body.loadBit()]).toEqual([
      8n,
      `${alice.address}`,
      true,
    ]);
    expect(body.loadRef().equals(forwardPayload)).toBe(true);
    expect(await net.balance(itemAt(0))).toBe(toNano('0.05'));
  });

  it('is transferred silently when nothing is forwarded and no excess is wanted', async () => {
    const result = await net.send(alice, itemAt(0), toNano('0.05'), transferItem({ to: bob.address }));
    expect([await ownerOf(0), hops(result).length]).toEqual([`${bob.address}`, 1]);
  });

  it('rejects a transfer from a stranger, with too little value, or without a payload', async () => {
    const short = beginCell()
      .storeUint(0x5fcc3d14, 32)
      .storeUint(0, 64)
      .storeAddress(bob.address)
      .storeAddress(null)
      .storeBit(0)
      .storeCoins(0)
      .endCell();
    const codes = [];
    for (const result of [
      await net.send(bob, itemAt(0), toNano('0.1'), transferItem({ to: bob.address })),
      await net.send(
        alice,
        itemAt(0),
        toNano('0.01'),
        transferItem({ to: bob.address, forwardTon: toNano('1') }),
      ),
      await net.send(alice, itemAt(0), toNano('0.1'), short),
      await net.send(alice, itemAt(0), toNano('0.1'), beginCell().storeUint(77, 32).endCell()),
    ])
      codes.push(exitCode(at(result, itemAt(0))));
    expect(codes).toEqual([401, 402, 708, 0xffff]);
    expect(await ownerOf(0)).toBe(`${alice.address}`);
  });

  it('reports its index and collection to anybody', async () => {
    const result = await net.send(bob, itemAt(0), toNano('0.05'), getStaticData(6n));
    const body = at(result, bob.address)!.inMessage!.body.beginParse();
    expect([body.loadUint(32), body.loadUintBig(64), body.loadUintBig(256)]).toEqual([OPS.report, 6n, 0n]);
    expect(`${body.loadAddress()}`).toBe(`${collection.address}`);
  });
});
