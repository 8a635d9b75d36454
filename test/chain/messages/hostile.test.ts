import { type Builder, beginCell, type Cell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { createProtocolDecoder } from '../../../src/actions/layouts.ts';
import type { DecodedBody } from '../../../src/chain/messages/body-decoder.ts';
import { DecodeBudget } from '../../../src/chain/messages/decode-run.ts';

const decoder = createProtocolDecoder();
const TOO_MUCH = { error: 'unknown: too much to decode' };
const op = (opcode: number) => beginCell().storeUint(opcode, 32);
const lengthOf = (decoded: DecodedBody) => ('json' in decoded ? decoded.json.length : decoded.error);

/** A body that holds itself three times, so many times over. */
function threefold(depth: number): Cell {
  let cell = beginCell().storeUint(1, 1).endCell();
  for (let i = 0; i < depth; i++)
    cell = op(0xa2370f61).storeUint(i, 64).storeRef(cell).storeRef(cell).storeRef(cell).endCell();
  return cell;
}

/** A dictionary whose halves are always the same cell. */
function shared(keyBits: number): Builder {
  let node = beginCell().storeUint(0b00, 2).storeUint(5, 32);
  for (let i = 0; i < keyBits; i++) node = beginCell().storeUint(0b00, 2).storeRef(node).storeRef(node);
  return node;
}

describe('bodies that expand without bound', () => {
  it('stop at the step budget', () => {
    expect(decoder.decodeBoc(threefold(12).toBoc())).toEqual(TOO_MUCH);
    expect(lengthOf(decoder.decodeBoc(threefold(3).toBoc()))).toBeGreaterThan(1000);
    const burn = op(0x73403c43).storeUint(0, 64).storeBit(1).storeRef(shared(32)).storeBit(0).endCell();
    expect(decoder.decodeBoc(burn.toBoc())).toEqual(TOO_MUCH);
  });

  it('use up the budget of their response', () => {
    const [large, small] = [threefold(12).toBoc(), op(0xd53276db).storeUint(1, 64).endCell().toBoc()];
    const budget = new DecodeBudget();
    const results = Array.from({ length: 30 }, () => decoder.decodeBoc(large, budget));
    expect(results).toEqual(results.map(() => TOO_MUCH));
    expect(decoder.decodeBoc(small, budget)).toEqual(TOO_MUCH);
    expect(decoder.decodeBoc(small, new DecodeBudget())).toHaveProperty('json');
  });

  it('do not include large legitimate bodies', () => {
    // As many messages as a wallet may send at once, each with a comment.
    const message = (text: string) => {
      const head = beginCell()
        .storeUint(0b0100, 4)
        .storeAddress(null)
        .storeUint(0b100, 3)
        .storeUint(7, 8 + 256);
      return head
        .storeCoins(5)
        .storeUint(0, 1 + 4 + 4 + 64 + 32 + 1)
        .storeBit(1)
        .storeRef(op(0).storeStringTail(text));
    };
    let list = beginCell().endCell();
    for (let i = 0; i < 255; i++) {
      const action = beginCell().storeUint(0x0ec3c86d, 32).storeUint(3, 8);
      list = beginCell()
        .storeRef(list)
        .storeBuilder(action)
        .storeRef(message('x'.repeat(90)))
        .endCell();
    }
    const body = op(0xae42e5a4).storeUint(0, 64).storeRef(list).endCell();
    expect(lengthOf(decoder.decodeBoc(body.toBoc()))).toBeGreaterThan(100_000);
  });
});

describe('deeply nested bodies', () => {
  it.each([
    // Prices, each below the one before.
    [
      'a list',
      (n: number) => chain(n, (next) => beginCell().storeUint(0, 256).storeCoins(0).storeMaybeRef(next)),
    ],
    ['a comment', (n: number) => chain(n, (next) => withRef(op(0).storeStringTail('x'), next))],
    ['bodies in bodies', (n: number) => chain(n, (next) => withRef(op(0x4ee9b106), next))],
    ['bits in bits', (n: number) => chain(n, (next) => withRef(op(0x2e04891a), next))],
    ['steps', (n: number) => chain(n, (next) => withRef(op(0xc0ffee22), next))],
  ])('%s of a thousand cells', (_what, make) => {
    const top = make(900);
    const prices = op(2)
      .storeUint(0, 64 + 256 + 64)
      .storeUint(0b100, 3)
      .storeUint(0, 8 + 256)
      .storeUint(0, 2 + 64);
    const bodies = [
      top,
      op(0x00000002).storeRef(top).endCell(),
      prices.storeRef(beginCell()).storeRef(beginCell().storeRef(top).storeRef(beginCell())).endCell(),
    ];
    for (const body of bodies) {
      const decoded = decoder.decodeBoc(body.toBoc());
      if ('json' in decoded) expect(JSON.parse(decoded.json)).toHaveProperty('@type');
      else expect(decoded.error).toMatch(/^unknown: /);
    }
  });
});

function chain(length: number, make: (next: Cell | null) => Builder): Cell {
  let cell: Cell | null = null;
  for (let i = 0; i < length; i++) cell = make(cell).endCell();
  return cell!;
}

function withRef(builder: Builder, next: Cell | null): Builder {
  return next === null ? builder : builder.storeRef(next);
}
