import {
  Address,
  beginCell,
  Cell,
  Dictionary,
  internal,
  type MessageRelaxed,
  storeOutAction,
} from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../src/chain/boc/ton-core.ts';
import { actionFees, type FeePrices } from '../../src/live/fees.ts';
import { messageCell } from '../../src/localnet/contracts/contract.ts';

const forward = {
  lumpPrice: 1000n,
  bitPrice: 65_536n,
  cellPrice: 6_553_600n,
  ihrPriceFactor: 0,
  firstFrac: 0,
  nextFrac: 0,
};
const prices = { forward, masterchainForward: { ...forward, lumpPrice: 50_000n } } as FeePrices;
const BASE = Address.parseRaw(`0:${'11'.repeat(32)}`);
const MASTER = Address.parseRaw(`-1:${'11'.repeat(32)}`);

/** A list of actions: each cell is an action and refers to the previous one. */
const listOf = (...actions: Cell[]): Cell =>
  actions.reduce(
    (before, action) => beginCell().storeRef(before).storeSlice(action.asSlice()).endCell(),
    new Cell(),
  );
const send = (message: Cell, mode = 1): Cell =>
  beginCell().storeUint(0x0ec3c86d, 32).storeUint(mode, 8).storeRef(message).endCell();
const action = (...args: Parameters<typeof storeOutAction>): Cell =>
  beginCell()
    .store(storeOutAction(...args))
    .endCell();

function fees(list: Cell, fromMasterchain = false): bigint {
  const cells = fromCoreCell(list);
  return actionFees({ cells, cell: cells.root }, fromMasterchain, prices);
}

describe('actionFees', () => {
  const plain = messageCell(internal({ to: BASE, value: 1n }));

  it('adds up the fees of all messages', () => {
    expect(fees(new Cell())).toBe(0n);
    expect(fees(listOf(send(plain)))).toBe(1000n);
    expect(fees(listOf(send(plain), send(plain)))).toBe(2000n);
  });

  it('are higher for messages to and from the masterchain', () => {
    expect(fees(listOf(send(messageCell(internal({ to: MASTER, value: 1n })))))).toBe(50_000n);
    expect(fees(listOf(send(plain)), true)).toBe(50_000n);
  });

  it('count init and body except their parts in the root cell, and no extra currencies', () => {
    const code = beginCell().storeUint(1, 8).endCell();
    const body = beginCell().storeRef(beginCell().storeUint(2, 8).endCell()).endCell();
    const message: MessageRelaxed = internal({ to: BASE, value: 1n, body, init: { code, data: code } });
    // Code and data are the same cell; core puts an init or body that does not fit into a cell of its own.
    const inline = fees(listOf(send(messageCell(message))));
    expect(inline).toBe(1000n + 2n * 100n + 16n);
    const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5)).set(239, 7n);
    const rich = { ...internal({ to: BASE, value: 1n }) };
    const info = { ...rich.info, value: { coins: 1n, other } } as typeof rich.info;
    expect(fees(listOf(send(messageCell({ ...rich, info }))))).toBe(1000n);
  });

  it('are 0 for reserves and library changes', () => {
    const reserve = action({ type: 'reserve', mode: 0, currency: { coins: 1n } });
    const library = action({
      type: 'changeLibrary',
      mode: 0,
      libRef: { type: 'hash', libHash: Buffer.alloc(32) },
    });
    expect(fees(listOf(reserve, library, send(plain)))).toBe(1000n);
  });

  it('throws for actions that tonlib does not support', () => {
    const fault = (list: Cell): string => {
      try {
        return String(fees(list));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const unparsed = "INTERNALestimate_fee: can't parse send_msg";
    expect(fault(listOf(action({ type: 'setCode', newCode: new Cell() })))).toBe(
      'INTERNALestimate_fee: action_set_code unsupported',
    );
    expect(fault(listOf(send(new Cell())))).toBe(unparsed);
    for (const mode of [4, 8, 192]) expect(fault(listOf(send(plain, mode)))).toBe(unparsed);
    for (const mode of [0, 3, 16, 64, 128, 160]) expect(fault(listOf(send(plain, mode)))).toBe('1000');
    const incoming = beginCell()
      .storeUint(0b10_00_100, 7)
      .storeInt(0, 8)
      .storeBuffer(BASE.hash)
      .storeUint(0, 6)
      .endCell();
    expect(fault(listOf(send(incoming)))).toBe(unparsed);
    expect(fault(listOf(beginCell().storeUint(5, 32).endCell()))).toBe(
      'INTERNALaction list invalid: invalid tag',
    );
    expect(fault(listOf(beginCell().storeUint(5, 3).endCell()))).toBe(
      'INTERNALaction list invalid: invalid tag',
    );
    expect(fault(beginCell().storeUint(5, 32).endCell())).toBe(
      'INTERNALaction list invalid: entry found with data but no next reference',
    );
    const many = listOf(...Array.from({ length: 21 }, () => send(plain)));
    expect(fault(many)).toBe('INTERNALaction list too long: more than 20 actions');
    const nowhere = beginCell()
      .storeUint(0b0_1_0_0, 4)
      .storeUint(0, 4)
      .storeCoins(1)
      .storeUint(0, 1 + 4 + 4 + 64 + 32 + 2)
      .endCell();
    expect(fault(listOf(send(nowhere)))).toBe(
      'INTERNALestimate_fee: messages with external addresses are unsupported',
    );
  });
});
