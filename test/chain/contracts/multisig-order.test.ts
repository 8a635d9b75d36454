import {
  Address,
  type Builder,
  beginCell,
  Cell,
  Dictionary,
  internal,
  type MessageRelaxed,
  toNano,
} from '@ton/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/ton-core.ts';
import { writeBoc } from '../../../src/chain/boc/writer.ts';
import { type OrderAction, orderAccounts, parseOrder } from '../../../src/chain/contracts/multisig-order.ts';
import { beginBody, messageCell, textComment } from '../../../src/localnet/contracts/contract.ts';
import { burnJettons, mintJettons, transferJettons } from '../../../src/localnet/contracts/jetton.ts';
import { packOrder } from '../../../src/localnet/contracts/multisig.ts';
import { transferItem } from '../../../src/localnet/contracts/nft.ts';
import {
  changeJettonAdmin,
  changeJettonContent,
  claimJettonAdmin,
} from '../../localnet/support/contract-messages.ts';
import { sampled } from '../../support/long-run.ts';

const [A, B, C] = [1, 2, 3].map((n) => new Address(n === 3 ? -1 : 0, Buffer.alloc(32, n))) as [
  Address,
  Address,
  Address,
];
const idOf = (address: Address) => ({ workchain: address.workChain, hash: address.hash });
function bocOf(cell: Cell): Buffer {
  const cells = fromCoreCell(cell);
  return writeBoc({ cells, roots: cells.roots }, { order: 'tonlib' });
}
const PAYLOAD = beginCell().storeUint(0x12345678, 32).storeRef(Cell.EMPTY).endCell();

const message = (body: Cell, value = 7n): MessageRelaxed => internal({ to: A, value, body });
const parse = (order: Cell) => parseOrder(bocOf(order));
/** What is found in the body of the only message of an order. */
function contentOf(body: Cell): unknown {
  const [action] = parse(packOrder([{ kind: 'send', mode: 1, message: message(body) }]))!;
  if (action?.kind !== 'send') throw new Error('no message');
  expect(action.body).toEqual(bocOf(body));
  return action.content;
}

/** An order of cells as they are. */
function orderOf(...cells: readonly Cell[]): Cell {
  const steps = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  for (const [index, cell] of cells.entries()) steps.set(index * 3, cell);
  return beginCell().storeDictDirect(steps).endCell();
}

describe('parseOrder', () => {
  it('reads messages and new parameters in sequence', () => {
    const order = packOrder([
      { kind: 'send', mode: 3, message: message(textComment('one'), 5n) },
      { kind: 'update', params: { threshold: 2, signers: [A, C], proposers: [B] } },
      { kind: 'update', params: { threshold: 1, signers: [B] } },
      { kind: 'send', mode: 128, message: internal({ to: C, value: toNano(3) }) },
    ]);
    expect(parse(order)).toEqual([
      {
        kind: 'send',
        mode: 3,
        destination: idOf(A),
        value: 5n,
        body: bocOf(textComment('one')),
        content: { type: 'ton_transfer', comment: 'one', encrypted: false },
      },
      { kind: 'update', threshold: 2, signers: [idOf(A), idOf(C)], proposers: [idOf(B)] },
      { kind: 'update', threshold: 1, signers: [idOf(B)], proposers: [] },
      {
        kind: 'send',
        mode: 128,
        destination: idOf(C),
        value: toNano(3),
        body: bocOf(Cell.EMPTY),
        content: { type: 'ton_transfer', comment: '', encrypted: false },
      },
    ] satisfies OrderAction[]);
  });

  it('marks single malformed actions as broken', () => {
    const library = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const send = (message?: Cell) => {
      const action = beginCell().storeUint(0xf1381e5b, 32).storeUint(0, 8);
      return (message === undefined ? action : action.storeRef(message)).endCell();
    };
    const outward = beginCell().storeUint(3, 2).storeUint(0, 2).storeUint(0, 2).storeUint(0, 98).endCell();
    const update = beginCell().storeUint(0x1d0cfbd3, 32).storeUint(1, 8);
    const cells = [
      Cell.EMPTY,
      beginCell().storeUint(0xdead, 32).endCell(),
      send(),
      send(Cell.EMPTY),
      send(library),
      send(outward),
      library,
      update.endCell(),
      beginCell().storeBuilder(update).storeRef(PAYLOAD).storeBit(0).endCell(),
      send(messageCell(message(PAYLOAD))),
    ];
    const actions = parse(orderOf(...cells));
    expect(actions?.map(({ kind }) => kind)).toEqual([...Array(cells.length - 1).fill('broken'), 'send']);
    expect(actions?.[1]).toEqual({ kind: 'broken', error: 'an unknown action 0x0000dead' });
  });

  it('returns undefined for an order that is not a dictionary', () => {
    const broken = [Cell.EMPTY, PAYLOAD];
    expect(broken.map(parse)).toEqual(broken.map(() => undefined));
    const wide = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.Cell());
    wide.set(0x01020304, PAYLOAD);
    expect(parse(beginCell().storeDictDirect(wide).endCell())).toEqual([
      { kind: 'broken', error: 'data after the end' },
    ]);
    expect(parseOrder(Buffer.from('no cells'))).toBeUndefined();
  });

  it('bounds the output for actions that share large cells', () => {
    // Two hundred kilobytes of cells, sent by each of the 256 steps.
    let [layer, number] = [[] as Cell[], 0];
    const leaf = () => beginCell().storeUint(number++, 32).storeBuffer(Buffer.alloc(120));
    for (let i = 0; i < 1024; i++) layer.push(leaf().endCell());
    while (layer.length > 1) {
      const above: Cell[] = [];
      for (let i = 0; i < layer.length; i += 4)
        above.push(
          layer
            .slice(i, i + 4)
            .reduce((node, child) => node.storeRef(child), leaf())
            .endCell(),
        );
      layer = above;
    }
    const step = { kind: 'send', mode: 1, message: message(layer[0]!) } as const;
    const kinds = parse(packOrder(Array(256).fill(step)))!.map(({ kind }) => kind);
    expect(kinds.indexOf('broken')).toBeGreaterThan(20);
    expect(kinds.indexOf('broken')).toBeLessThan(40);
  });
});

const address = (account: Address | null) => (builder: Builder) => void builder.storeAddress(account);
const swap = (tail: Builder) =>
  beginCell().storeUint(0x25938561, 32).storeAddress(B).storeCoins(1500n).storeBuilder(tail).endCell();

describe('the body of an order message', () => {
  it('is decoded as a jetton transfer', () => {
    const transfer = { queryId: 2n ** 64n - 1n, to: B, amount: 10n ** 30n, responseTo: C, forwardTon: 9n };
    const found = {
      type: 'jetton_transfer',
      queryId: 2n ** 64n - 1n,
      amount: 10n ** 30n,
      destination: idOf(B),
      response: idOf(C),
      customPayload: undefined,
      forwardAmount: 9n,
    };
    const withPayload = (forwardPayload: Cell, payloadInline = false) =>
      contentOf(transferJettons({ ...transfer, forwardPayload, payloadInline }));
    expect(contentOf(transferJettons({ ...transfer, customPayload: PAYLOAD }))).toEqual({
      ...found,
      customPayload: bocOf(PAYLOAD),
      forwardPayload: undefined,
      payload: { kind: 'none' },
    });
    const contents: [Cell, object][] = [
      [textComment('Grüße'), { kind: 'text', text: 'Grüße', encrypted: false }],
      [textComment('x'.repeat(300)), { kind: 'text', text: 'x'.repeat(300), encrypted: false }],
      [beginBody(0x2167da4b).endCell(), { kind: 'text', text: '\0'.repeat(8), encrypted: true }],
      [
        swap(beginCell().storeAddress(A).storeBit(0)),
        { kind: 'stonfi_swap', jettonWallet: idOf(B), minAmount: 1500n, user: idOf(A) },
      ],
      [swap(beginCell().storeUint(1, 2)), { kind: 'unknown' }],
      [beginCell().storeUint(0, 33).endCell(), { kind: 'unknown' }],
      [beginCell().storeUint(0, 8).endCell(), { kind: 'unknown' }],
      [PAYLOAD, { kind: 'unknown' }],
    ];
    for (const [payload, content] of contents)
      expect(withPayload(payload)).toEqual({ ...found, forwardPayload: bocOf(payload), payload: content });
    expect(withPayload(PAYLOAD, true)).toEqual(withPayload(PAYLOAD));
    expect(withPayload(Cell.EMPTY)).toMatchObject({ forwardPayload: undefined, payload: { kind: 'none' } });
  });

  it('is decoded as other requests to jetton wallets and NFTs', () => {
    expect(contentOf(burnJettons({ queryId: 1n, amount: 5n, responseTo: B }))).toEqual({
      type: 'jetton_burn',
      queryId: 1n,
      amount: 5n,
      response: idOf(B),
    });
    const transfer = { queryId: 4n, to: B, forwardTon: 2n, forwardPayload: PAYLOAD, customPayload: PAYLOAD };
    expect(contentOf(transferItem(transfer))).toEqual({
      type: 'nft_transfer',
      queryId: 4n,
      newOwner: idOf(B),
      response: undefined,
      forwardAmount: 2n,
      customPayload: bocOf(PAYLOAD),
      forwardPayload: bocOf(PAYLOAD),
    });
  });

  it('is decoded as requests to a jetton minter', () => {
    const callTo = beginBody(0x235caf52, 6n).storeAddress(B).storeCoins(3n);
    const called = (action: Cell) => contentOf(beginCell().storeBuilder(callTo).storeRef(action).endCell());
    const call = { type: 'jetton_call_to', queryId: 6n, to: idOf(B), tonAmount: 3n };
    const actions: [Cell, string][] = [
      [beginBody(0xeed236d3).storeUint(1, 4).endCell(), 'set_status'],
      [transferJettons({ to: A, amount: 1n }), 'transfer'],
      [burnJettons({ amount: 1n }), 'burn'],
      [PAYLOAD, 'unknown'],
      [Cell.EMPTY, 'unknown'],
    ];
    for (const [cell, action] of actions)
      expect(called(cell)).toEqual({ ...call, action, actionData: bocOf(cell) });
    expect(contentOf(callTo.endCell())).toEqual({ ...call, action: undefined, actionData: undefined });

    const mint = mintJettons({ queryId: 5n, to: B, amount: 77n, ton: 8n });
    expect(contentOf(mint)).toEqual({
      type: 'jetton_mint',
      opcode: 0x642b7d07,
      queryId: 5n,
      to: idOf(B),
      tonAmount: 8n,
      innerQueryId: 5n,
      jettonAmount: 77n,
    });
    const url = `https://example.org/${'long/'.repeat(40)}`;
    const inReference = beginBody(0xcb862902, 1n).storeStringRefTail(url).endCell();
    const others: [Cell, object][] = [
      [beginBody(0x00009fd3, 1n).endCell(), { type: 'jetton_top_up' }],
      [changeJettonAdmin(B, 1n), { type: 'jetton_change_admin', newAdmin: idOf(B) }],
      [
        beginBody(0x6501f354, 1n).store(address(null)).endCell(),
        { type: 'jetton_change_admin', newAdmin: undefined },
      ],
      [claimJettonAdmin(1n), { type: 'jetton_claim_admin' }],
      [changeJettonContent(url, 1n), { type: 'jetton_change_content', newUrl: url }],
      [inReference, { type: 'jetton_change_content', newUrl: url }],
      [beginBody(0xeed236d3, 1n).storeUint(3, 4).endCell(), { type: 'jetton_set_status', status: 3 }],
    ];
    for (const [body, found] of others) expect(contentOf(body)).toEqual({ queryId: 1n, ...found });
  });

  it('is decoded as requests to a single nominator pool and a vesting wallet', () => {
    expect(contentOf(beginBody(0x1000, 2n).storeCoins(9n).endCell())).toEqual({
      type: 'single_nominator_withdraw',
      queryId: 2n,
      coins: 9n,
    });
    expect(contentOf(beginBody(0x1001, 2n).storeAddress(C).endCell())).toEqual({
      type: 'single_nominator_change_validator',
      queryId: 2n,
      validator: idOf(C),
    });
    const vesting = (body: Cell) =>
      contentOf(
        beginBody(0x75097f5d, 2n)
          .storeUint(3, 8)
          .storeRef(messageCell(message(body, 4n)))
          .endCell(),
      );
    const found = {
      type: 'vesting_internal_transfer',
      queryId: 2n,
      sendMode: 3,
      destination: idOf(A),
      value: 4n,
    };
    expect(vesting(textComment('to you'))).toEqual({
      ...found,
      messageBody: bocOf(textComment('to you')),
      comment: 'to you',
    });
    expect(vesting(PAYLOAD)).toEqual({ ...found, messageBody: bocOf(PAYLOAD), comment: '' });
  });

  it('is a comment, or unknown if it does not match', () => {
    const text = (comment: string, encrypted = false) => ({ type: 'ton_transfer', comment, encrypted });
    const unknown = (opcode: number) => ({ type: 'unknown', opcode });
    const library = beginCell().storeUint(2, 8).storeUint(0, 256).endCell({ exotic: true });
    const bodies: [Cell, object][] = [
      [textComment('hello'), text('hello')],
      [textComment(''), text('')],
      [Cell.EMPTY, text('')],
      [beginCell().storeStringTail('abc').endCell(), text('abc')],
      [beginCell().storeUint(1, 7).endCell(), text('')],
      [beginCell().storeUint(0x2167da4b, 32).storeStringTail('secret').endCell(), text('secret', true)],
      [beginCell().storeUint(0, 33).endCell(), unknown(0)],
      [beginBody(0x15, 1n).storeAddress(A).storeCoins(1).storeRef(PAYLOAD).endCell(), unknown(0)],
      [PAYLOAD, unknown(0x12345678)],
      [beginCell().storeUint(0x0f8a7ea5, 32).storeUint(1, 40).endCell(), unknown(0)],
      [beginBody(0x642b7d07).storeAddress(A).storeCoins(1).storeRef(PAYLOAD).endCell(), unknown(0)],
      // The execution of another order, which has the same opcode as what a vesting wallet is asked.
      [
        beginBody(0x75097f5d).storeUint(1, 256).storeUint(9, 312).storeRef(orderOf(PAYLOAD)).endCell(),
        unknown(0),
      ],
      [beginBody(0x6501f354).storeUint(1, 2).storeUint(8, 9).storeUint(1, 8).endCell(), unknown(0)],
      [library, unknown(0)],
    ];
    for (const [body, found] of bodies) expect(contentOf(body)).toEqual(found);
  });
});

it('lists its accounts in orderAccounts', () => {
  const order = packOrder([
    {
      kind: 'send',
      mode: 1,
      message: message(
        transferJettons({ to: B, amount: 1n, forwardPayload: swap(beginCell().storeAddress(C).storeBit(0)) }),
      ),
    },
    { kind: 'update', params: { threshold: 1, signers: [C], proposers: [B] } },
    { kind: 'send', mode: 1, message: message(PAYLOAD) },
  ]);
  expect(orderAccounts(parse(order)!)).toEqual([A, B, B, C, C, B, A].map(idOf));
});

describe('parseOrder of random cells', () => {
  const opcodes = [
    0, 0x15, 0x2167da4b, 0x0f8a7ea5, 0x595f07bc, 0x642b7d07, 0x5fcc3d14, 0x9fd3, 0x6501f354, 0xfb88e119,
    0xcb862902, 0x235caf52, 0xeed236d3, 0x1000, 0x1001, 0x75097f5d, 0x25938561, 0xf1381e5b, 0x1d0cfbd3,
  ];
  const { cell } = fc.letrec<{ cell: Cell }>((tie) => ({
    cell: fc
      .record({
        opcode: fc.option(fc.constantFrom(...opcodes)),
        accounts: fc.array(fc.constantFrom(A, null), { maxLength: 2 }),
        bytes: fc.uint8Array({ maxLength: 40 }),
        bits: fc.integer({ min: 0, max: 7 }),
        refs: fc.array(fc.oneof({ maxDepth: 2 }, fc.constant(PAYLOAD), tie('cell')), { maxLength: 4 }),
      })
      .map(({ opcode, accounts, bytes, bits, refs }) => {
        const builder = beginCell();
        if (opcode !== null) builder.storeUint(opcode, 32).storeUint(bytes[0] ?? 0, 64);
        for (const account of accounts) builder.storeAddress(account);
        builder.storeBuffer(Buffer.from(bytes)).storeUint(0, bits);
        for (const ref of refs) builder.storeRef(ref);
        return builder.endCell();
      }),
  }));

  it('never throws', () => {
    fc.assert(
      fc.property(cell, (body) => {
        contentOf(body);
        parse(body);
        const actions = parse(orderOf(body, beginCell().storeUint(0xf1381e5b, 40).storeRef(body).endCell()));
        expect(actions).toHaveLength(2);
        orderAccounts(actions!);
      }),
      { numRuns: sampled(75, 300) },
    );
  });
});
