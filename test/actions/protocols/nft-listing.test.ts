import { Address, type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import type { KnownContracts } from '../support/known-contracts.ts';
import { account, op, type Step, sent } from '../support/trace-builder.ts';

const [SELLER, MARKET, CONTRACT, ITEM, COLLECTION, FEE, ROYALTY] = [
  'seller',
  'market',
  'contract',
  'item',
  'collection',
  'fee',
  'royalty',
].map((name) => account(name)) as [string, string, string, string, string, string, string];
const at = (address: string) => Address.parseRaw(address);
const items = { nftItems: { [ITEM]: { index: 4n, collection: COLLECTION } } };

const transferTo = (to: string) =>
  op(0x5fcc3d14, 1n).storeAddress(at(to)).storeAddress(null).storeBit(0).storeCoins(7n).storeBit(0);

/** A state init with this data; its code does not matter. */
const initWith = (data: Builder) =>
  beginCell().storeUint(0b00110, 5).storeRef(beginCell()).storeRef(data).endCell();

const deploy = (data: Builder, body?: Builder): Step => ({
  to: CONTRACT,
  deploys: true,
  init: initWith(data),
  ...(body && { body }),
});

/** The seller sends the item to the marketplace, which deploys a contract and sends the item to it. */
function listing(...steps: readonly Step[]) {
  const given: Step = {
    to: MARKET,
    body: op(0x05138d91, 1n).storeAddress(at(SELLER)).storeBit(0),
    sends: steps,
  };
  return sent(SELLER, { to: ITEM, body: transferTo(MARKET), sends: [given] });
}

const handover: Step = { to: ITEM, body: transferTo(CONTRACT) };

const sale = (codeHash: string | null): KnownContracts => ({
  ...items,
  nftSales: { [CONTRACT]: { nft: ITEM, nftOwner: SELLER, codeHash } },
});

const auction = (codeHash: string | null): KnownContracts => ({
  ...items,
  nftAuctions: { [CONTRACT]: { nft: ITEM, nftOwner: SELLER, marketplace: MARKET, codeHash } },
});

const storeAddresses = (builder: Builder, ...addresses: readonly string[]) =>
  addresses.reduce((all, address) => all.storeAddress(at(address)), builder);

const LISTED = {
  success: true,
  source: SELLER,
  source_secondary: MARKET,
  destination: CONTRACT,
  asset: COLLECTION,
  asset_secondary: ITEM,
  nft_transfer_data: { marketplace_address: MARKET },
  txs: 'tx0 tx1 tx2 tx3 tx4',
};
const SHARED = {
  nft_item_index: 4n,
  marketplace: 'getgems',
  marketplace_fee_address: FEE,
  royalty_address: ROYALTY,
};

describe('a listing for sale', () => {
  const feesV2 = () =>
    storeAddresses(storeAddresses(beginCell(), FEE).storeCoins(3n), ROYALTY).storeCoins(5n);
  const v1 = storeAddresses(beginCell(), MARKET, ITEM, SELLER)
    .storeCoins(100n)
    .storeRef(storeAddresses(beginCell().storeCoins(3n), FEE, ROYALTY).storeCoins(5n));
  const v2 = storeAddresses(beginCell().storeBit(0).storeUint(9, 32), MARKET, ITEM, SELLER)
    .storeCoins(100n)
    .storeRef(feesV2());
  const v4 = storeAddresses(beginCell().storeBit(0), MARKET, SELLER)
    .storeCoins(100n)
    .storeUint(0, 32 + 64)
    .storeRef(storeAddresses(beginCell(), FEE, ROYALTY).storeUint(0, 34));
  const amounts = { marketplace_fee: 3n, royalty_amount: 5n };

  it.each([
    ['v1', '2pufziLofEllctIDZSWVebzO+RpyA1fMvowFLvyb4I8=', v1, amounts],
    ['v2', 'gnj0xSM95vvtyWmvUZNEp6m//FRIVtuphqlcC8+Fcck=', v2, amounts],
    ['v3', 'MgUN+sRPZIZrzIbyzZ4TBf6dyts5WcACI3z7CQLUQyM=', v2, amounts],
    ['v3r2', '3rU7bFdlwebNI4v0e8XoO6WWvcwEsLhM1Qqx5HSgjzE=', v2, amounts],
    ['v3r3', 'JCIfpXHlQuBVx3vt/b9SfHr0YM/cfzRMRQeHtM+h600=', v2, amounts],
    ['v4r1', 'a5WmQYucnSNZBF0edVm41UmuDlBvJMqrWPowyPsf64Y=', v4, {}],
    ['an unknown version', null, v4, {}],
  ])('works with %s of the contract', (_, codeHash, data, more) => {
    expect(summarizeActions(listing(deploy(data), handover), sale(codeHash))[0]).toEqual({
      type: 'nft_put_on_sale',
      ...LISTED,
      nft_listing_data: { ...SHARED, full_price: 100n, ...more },
    });
  });

  it('may be triggered by any message', () => {
    const [action] = summarizeActions(listing(deploy(v4, op(1)), handover), sale(null));
    expect(action).toMatchObject({ type: 'nft_put_on_sale' });
  });

  const refused = (known: KnownContracts, ...steps: readonly Step[]) => {
    const types = typesOf(summarizeActions(listing(...steps), known));
    expect(types).not.toContain('nft_put_on_sale');
    expect(types.filter((type) => type === 'nft_transfer')).toHaveLength(2);
  };

  it('is not recognised for other contracts', () => {
    refused(items, deploy(v4), handover);
    refused({ ...items, nftSales: { [CONTRACT]: { nft: FEE, nftOwner: SELLER } } }, deploy(v4), handover);
    refused({ ...items, nftSales: { [CONTRACT]: { nft: ITEM, nftOwner: FEE } } }, deploy(v4), handover);
  });

  it('is not recognised if its terms cannot be read', () => {
    refused(sale(null), deploy(beginCell()), handover);
    refused(sale(null), { to: CONTRACT, deploys: true }, handover);
    refused(sale(null), { ...deploy(v4), init: beginCell().storeUint(0, 5) }, handover);
  });

  it('is not recognised if the NFT goes elsewhere', () => {
    refused(sale(null), deploy(v4), { to: ITEM, body: transferTo(FEE) });
  });
});

describe('a listing for auction', () => {
  const fees = () =>
    storeAddresses(storeAddresses(beginCell(), FEE).storeUint(2, 32).storeUint(20, 32), ROYALTY)
      .storeUint(3, 32)
      .storeUint(30, 32);
  const shares = (builder: Builder) =>
    [2, 20, 3, 30].reduce((all, share) => all.storeUint(share, 32), builder);
  const bids = (builder: Builder) => builder.storeCoins(10n).storeCoins(1000n);
  const progress = (flags: number) =>
    beginCell().storeUint(0, flags).storeAddress(null).storeCoins(0n).storeUint(0, 64);
  const owned = () => progress(2).storeAddress(at(SELLER)).storeUint(0, 64);
  const terms = () => bids(storeAddresses(beginCell(), MARKET)).storeCoins(1n).storeUint(60, 32);

  const v1 = beginCell().storeRef(fees()).storeRef(bids(beginCell()).storeCoins(1n).storeUint(0, 96));
  const v3r2 = progress(3)
    .storeRef(fees())
    .storeRef(
      bids(storeAddresses(beginCell().storeUint(0, 32), MARKET))
        .storeCoins(1n)
        .storeUint(0, 32),
    );
  const v3r3 = shares(owned())
    .storeRef(storeAddresses(beginCell(), FEE, ROYALTY))
    .storeRef(terms());
  const v4 = owned()
    .storeRef(shares(storeAddresses(beginCell(), FEE, ROYALTY)))
    .storeRef(terms());

  it.each([
    ['v1', '/ACindAgW83MDT/7nKOMw8jBWexg2KpUMkCpLxBZLUA=', v1],
    ['v3r2', 'G9nFo5v/t6DzQViLXdkrgTqEK/Ze8UEJOCIAzq+Pct8=', v3r2],
    ['v3r3', 'u29ireD+stefqzuK6/CTCvmFU99gCTsgJ/Covxab/Ow=', v3r3],
    ['v4r1', 'zlp4U06qps7tja/UhtB262CpsNbb+1Nnb2YmScBomVY=', v4],
    ['an unknown version', null, v3r3],
  ])('works with %s of the contract', (_, codeHash, data) => {
    const actions = summarizeActions(listing(deploy(data), handover), auction(codeHash));
    expect(actions[0]).toEqual({
      type: 'nft_put_on_auction',
      ...LISTED,
      nft_listing_data: {
        ...SHARED,
        mp_fee_factor: 2,
        mp_fee_base: 20,
        royalty_fee_base: 30,
        min_bid: 10n,
        max_bid: 1000n,
      },
    });
    expect(typesOf(actions.slice(1))).toEqual([
      'nft_put_on_auction/nft_transfer',
      'nft_put_on_auction/ton_transfer',
      'nft_put_on_auction/nft_transfer',
      'contract_deploy',
    ]);
  });

  it('is not recognised for an unknown layout', () => {
    for (const known of [
      auction('ZmiHL6eXBUQ//UdSPo6eqfdquZ+aC1nSfej4GhwnudQ='),
      { ...items, nftAuctions: { [CONTRACT]: { nft: ITEM, nftOwner: FEE } } },
    ])
      expect(typesOf(summarizeActions(listing(deploy(v3r3), handover), known))).not.toContain(
        'nft_put_on_auction',
      );
  });
});
