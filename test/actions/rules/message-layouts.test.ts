import { Address, type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { messageAt, messagesOf, recordReader } from '../../../src/actions/rules/message-layouts.ts';
import { RuleMismatch } from '../../../src/actions/rules/rule.ts';
import { readBoc } from '../../../src/chain/boc/bag.ts';
import { CellError } from '../../../src/chain/boc/cells.ts';
import { Slice } from '../../../src/chain/boc/slice.ts';
import { account } from '../support/trace-builder.ts';

const TABLE = `
  0 00000001 shop_buy = query_id u64, amount coins, buyer addr, gift ^cell?, ^{price vu16, limit u8}, asset @Asset,
    step @Step, rest any;
  1 00000001 shop_buy = query_id u64;
  0 00000002 shop_close;
  13 00000003 shop_buy = amount coins;

  Asset native $00;
  Asset jetton $01 = workchain i8, address b256;
  Step step = kind @Kind, next ^@Step?;
  Kind first $0;
  Kind second $1;
`;
const shop = messagesOf(TABLE, 'shop_');
const BUYER = account('buyer');

function sliceOf(body: Builder): Slice {
  const bag = readBoc(body.endCell().toBoc());
  return new Slice(bag, bag.root);
}

const head = () => beginCell().storeUint(1, 32).storeUint(7, 64).storeCoins(5n);
const terms = beginCell().storeCoins(9n).storeUint(4, 8).endCell();
const whole = () =>
  head()
    .storeAddress(Address.parseRaw(BUYER))
    .storeMaybeRef(null)
    .storeRef(terms)
    .storeUint(0b01, 2)
    .storeInt(-1, 8)
    .storeUint(3n, 256)
    .storeBit(1)
    .storeMaybeRef(beginCell().storeBit(0).storeMaybeRef(null).endCell())
    .storeUint(0xab, 8);

describe('a message of a table', () => {
  it('has the opcode and the fields of the first one with its name', () => {
    expect([shop.buy.opcode, shop.close.opcode]).toEqual([1, 2]);
    const { query_id, amount, buyer, gift, price, limit } = shop.buy.open(sliceOf(whole()));
    expect({ query_id, amount, buyer, gift, price, limit }).toEqual({
      query_id: 7n,
      amount: 5n,
      buyer: BUYER,
      gift: undefined,
      price: 9n,
      limit: 4,
    });
  });

  it('is found by its opcode where several have the same name', () => {
    const payload = beginCell().storeUint(3, 32).storeCoins(8n);
    expect(messageAt(TABLE, '00000003').match(sliceOf(payload))?.amount).toBe(8n);
  });

  it('matches bodies that start with its opcode', () => {
    expect(shop.buy.match(sliceOf(whole()))?.amount).toBe(5n);
    expect(shop.close.match(sliceOf(whole()))).toBeUndefined();
    expect(shop.buy.match(sliceOf(beginCell().storeUint(0, 31)))).toBeUndefined();
    expect(shop.buy.match(undefined)).toBeUndefined();
  });

  it('is read in any order, with records in the same cell and in references', () => {
    const { rest, step, asset, amount } = shop.buy.open(sliceOf(whole()));
    expect([rest.uint(8), amount, step.kind['@type'], step.next?.next]).toEqual([
      0xab,
      5n,
      'second',
      undefined,
    ]);
    expect(asset['@type'] === 'jetton' && [asset.workchain, asset.address.at(-1)]).toEqual([-1, 3]);
  });

  it('is read as far as it goes', () => {
    const buy = shop.buy.open(sliceOf(head()));
    expect(() => buy.buyer).toThrow(CellError);
    expect([buy.amount, buy.query_id]).toEqual([5n, 7n]);
    expect(() => buy.through('buyer')).toThrow(CellError);
    expect(buy.through('amount').amount).toBe(5n);
  });

  it('gives the slice of a field for readers by hand', () => {
    const buy = shop.buy.open(sliceOf(whole()));
    expect(buy.sliceAt('amount').coins()).toBe(5n);
    expect(buy.slice().uint64()).toBe(7n);
  });
});

describe('a type of a table', () => {
  it('mismatches without a constructor for its tag', () => {
    const assetAt = recordReader(TABLE, 'Asset');
    expect(assetAt(sliceOf(beginCell().storeUint(0b00, 2)))['@type']).toBe('native');
    expect(() => assetAt(sliceOf(beginCell().storeUint(0b11, 2)))).toThrow(RuleMismatch);
  });

  it('is skipped with any tag if it is an enumeration', () => {
    const table = `
  Pool _ = kind @Kind, amount coins;
  Kind one $001;
  Kind two $010;
`;
    const body = sliceOf(beginCell().storeUint(0b111, 3).storeCoins(6n));
    expect(recordReader(table, 'Pool')(body).amount).toBe(6n);
  });
});
