import { Address, type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { summarizeActions, typesOf } from '../support/action-summaries.ts';
import { account, buildTrace, op, type Step, sent, text } from '../support/trace-builder.ts';

const [ALICE, BOB, CAROL, ITEM, COLLECTION] = ['alice', 'bob', 'carol', 'item', 'collection'].map((name) =>
  account(name),
) as [string, string, string, string, string];
const at = (address: string) => Address.parseRaw(address);
const known = { nftItems: { [ITEM]: { index: 4n, collection: COLLECTION } } };
const NFT = { asset: COLLECTION, asset_secondary: ITEM };
const EMPTY = beginCell().endCell().toBoc().toString('base64');

const beginTransfer = () =>
  op(0x5fcc3d14, 1n).storeAddress(at(BOB)).storeAddress(null).storeBit(0).storeCoins(7n);

const notice = (to: string, from: string | null, payload?: Builder): Step => ({
  to,
  body: op(0x05138d91, 2n)
    .storeAddress(from ? at(from) : null)
    .storeBit(0)
    .storeBuilder(payload ?? beginCell()),
});

describe('an NFT transfer', () => {
  const classify = (step: Partial<Step>) =>
    summarizeActions(sent(ALICE, { to: ITEM, body: beginTransfer().storeBit(0), ...step }), known);

  it('takes the previous owner from the notification', () => {
    expect(classify({})[0]).toMatchObject({ type: 'nft_transfer', source: ALICE, txs: 'tx0 tx1' });
    expect(classify({ sends: [notice(BOB, CAROL)] })[0]).toMatchObject({ source: CAROL, txs: 'tx0 tx1 tx2' });
    expect(classify({ sends: [notice(BOB, null)] })[0]).not.toHaveProperty('source');
  });

  it('includes excess messages', () => {
    const excess = { to: ALICE, body: op(0xd53276db, 1n) };
    expect(classify({ sends: [notice(BOB, ALICE), excess] })).toMatchObject([{ txs: 'tx0 tx1 tx2 tx3' }]);
  });

  it('has its payloads', () => {
    const [custom, payload] = [text('custom').endCell(), text('payload').endCell()];
    const body = op(0x5fcc3d14, 9n)
      .storeAddress(at(BOB))
      .storeAddress(at(CAROL))
      .storeBit(1)
      .storeRef(custom);
    expect(
      classify({ body: body.storeCoins(7n).storeBit(1).storeRef(payload) })[0]?.nft_transfer_data,
    ).toEqual({
      query_id: 9n,
      is_purchase: false,
      nft_item_index: 4n,
      forward_amount: 7n,
      response_destination: CAROL,
      custom_payload: custom.toBoc().toString('base64'),
      forward_payload: payload.toBoc().toString('base64'),
    });
    expect(classify({})[0]?.nft_transfer_data).toMatchObject({ forward_payload: EMPTY });
    expect(classify({ body: beginTransfer() })[0]?.nft_transfer_data).not.toHaveProperty('forward_payload');
  });

  it.each([
    [
      'without a receiver',
      op(0x5fcc3d14, 1n).storeAddress(null).storeAddress(null).storeBit(0).storeCoins(7n),
    ],
    [
      'to the outside',
      op(0x5fcc3d14, 1n).storeUint(0b01, 2).storeUint(8, 9).storeUint(1, 8).storeUint(0, 64),
    ],
    ['that is cut short', op(0x5fcc3d14, 1n).storeAddress(at(BOB))],
    ['with a payload that is not there', beginTransfer().storeBit(1)],
  ])('is a contract call with %s', (_, body) => {
    expect(typesOf(classify({ body }))).toEqual(['call_contract']);
  });

  it('is a contract call for an account that is not an NFT', () => {
    expect(typesOf(summarizeActions(sent(ALICE, { to: ITEM, body: beginTransfer().storeBit(0) })))).toEqual([
      'call_contract',
    ]);
  });
});

describe('an item that auctions itself', () => {
  const content = { uri: 'https://nft.fragment.com/username/durov.json' };
  const teleitem = { nftItems: { [ITEM]: { index: 4n, collection: COLLECTION, content } } };
  const bidInfo = beginCell().storeUint(0x38127de1, 32).storeCoins(500n).storeUint(1_700_000_000, 32);
  const won = notice(BOB, null, bidInfo);
  const fillUp = (to: string, value: bigint): Step => ({ to, value, body: op(0x370fec51, 0n) });
  const sold = { query_id: 2n, is_purchase: true, price: 500n, nft_item_index: 4n, marketplace: 'fragment' };
  const payload = bidInfo.endCell().toBoc().toString('base64');

  it('notifies its first owner', () => {
    const mint: Step = { to: ITEM, body: op(0x299a3e15, 1n), sends: [won] };
    const types = typesOf(summarizeActions(sent(ALICE, mint), teleitem));
    expect(types).toEqual(['call_contract', 'nft_transfer']);
    const deployed = summarizeActions(sent(ALICE, { ...mint, body: op(5), deploys: true }), teleitem);
    expect(typesOf(deployed)).toEqual(['nft_mint', 'nft_transfer', 'contract_deploy']);
    for (const one of [summarizeActions(sent(ALICE, mint), teleitem)[1], deployed[1]]) {
      expect(one?.nft_transfer_data).toEqual({
        query_id: 2n,
        is_purchase: false,
        nft_item_index: 4n,
        marketplace: 'fragment',
        forward_payload: payload,
      });
    }
  });

  it('pays the seller and a royalty on a purchase', () => {
    const sends = [fillUp(CAROL, 5n), won, fillUp(ALICE, 400n)];
    const actions = summarizeActions(sent(BOB, { to: ITEM, value: 500n, sends }), teleitem);
    expect(actions).toEqual([
      {
        type: 'nft_transfer',
        success: true,
        destination: BOB,
        ...NFT,
        txs: 'tx0 tx1 tx2 tx3 tx4',
        nft_transfer_data: { ...sold, forward_payload: payload, payout_amount: 400n, royalty_amount: 5n },
        nft_listing_data: { marketplace_fee_address: ALICE, royalty_address: CAROL },
      },
    ]);
  });

  it('pays only the seller without a royalty', () => {
    const trace = buildTrace({ to: ITEM, body: op(7), sends: [won, fillUp(ALICE, 400n)] });
    expect(summarizeActions(trace, teleitem)).toEqual([
      {
        type: 'nft_transfer',
        success: true,
        destination: BOB,
        ...NFT,
        txs: 'tx0 tx1 tx2',
        nft_transfer_data: { ...sold, forward_payload: payload, payout_amount: 400n },
        nft_listing_data: { marketplace_fee_address: ALICE },
      },
    ]);
  });

  it('does not use payouts if a contract called it', () => {
    const call = { to: ITEM, body: op(7), sends: [won, fillUp(ALICE, 400n)] };
    expect(typesOf(summarizeActions(sent(BOB, call), teleitem))).toEqual([
      'call_contract',
      'nft_transfer',
      'call_contract',
    ]);
  });

  it('accepts other notification payloads', () => {
    const half = beginCell().storeUint(0x38127de1, 32).storeUint(15, 4);
    for (const [words, forward] of [
      [text('hi'), text('hi').endCell().toBoc().toString('base64')],
      [half, undefined],
    ] as const) {
      const [transfer] = summarizeActions(sent(ITEM, notice(BOB, ALICE, words)), teleitem);
      expect(transfer).toMatchObject({ type: 'nft_transfer', source: ALICE });
      expect(transfer?.nft_transfer_data).toEqual({
        query_id: 2n,
        is_purchase: false,
        nft_item_index: 4n,
        ...(forward && { forward_payload: forward }),
      });
    }
  });

  it('is recognised only if it is in the index', () => {
    expect(typesOf(summarizeActions(sent(ITEM, notice(BOB, ALICE))))).toEqual(['call_contract']);
    const log = { ...notice(BOB, ALICE), to: null };
    expect(typesOf(summarizeActions(sent(ITEM, log, { to: BOB }), teleitem))).toEqual(['ton_transfer']);
  });
});

describe('an NFT discovery', () => {
  const question = (report: Builder) =>
    summarizeActions(
      sent(ALICE, { to: ITEM, body: op(0x2fcb26a2, 1n), sends: [{ to: ALICE, body: report }] }),
    );

  it('returns a 256-bit index', () => {
    const index = 2n ** 256n - 1n;
    const report = op(0x8b771735, 1n).storeUint(index, 256).storeAddress(at(COLLECTION));
    expect(question(report)[0]).toMatchObject({
      type: 'nft_discovery',
      asset: COLLECTION,
      asset_secondary: ITEM,
      nft_transfer_data: { nft_item_index: index },
    });
  });

  it('is a contract call if the response is truncated or different', () => {
    expect(typesOf(question(op(0x8b771735, 1n)))).toEqual(['call_contract', 'call_contract']);
    expect(typesOf(question(op(7)))).toEqual(['call_contract', 'call_contract']);
  });
});
