import { beginCell, Cell, Dictionary } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { fromCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { LOWEST_LT } from '../../support/chain-builder/amounts.ts';
import { storeAugmentedE } from '../../support/chain-builder/augmented-dictionary.ts';
import { sampleStore } from '../sample-store.ts';
import { answersFrom } from './test-answers.ts';

/** Accounts by the first byte of their ids, and the logical times of the messages they deferred. */
const QUEUES: readonly [firstByte: number, lts: readonly number[]][] = [
  [0x10, [5, 9, 7]],
  [0x20, [3]],
  [0xf0, [8, 2]],
];

function idOf(firstByte: number): Buffer {
  return Buffer.alloc(32).fill(firstByte, 0, 1);
}

/** A state with deferred messages in place of its empty queues. */
function withQueues(state: Cell): Cell {
  const entries = QUEUES.map(([firstByte, lts]) => {
    const messages = Dictionary.empty(Dictionary.Keys.BigUint(64), Dictionary.Values.Cell());
    for (const lt of lts) messages.set(BigInt(lt), new Cell());
    return {
      key: BigInt(`0x${idOf(firstByte).toString('hex')}`),
      extra: BigInt(Math.min(...lts)),
      value: beginCell().storeDict(messages).storeUint(lts.length, 48),
    };
  });
  const info = storeAugmentedE(beginCell(), [], 352, LOWEST_LT).storeBit(0).storeBit(1).storeUint(0, 4);
  const queue = storeAugmentedE(info, entries, 256, LOWEST_LT).storeBit(0).endCell();
  return new Cell({ bits: state.bits, refs: [queue, ...state.refs.slice(1)] });
}

describe('deferred messages', () => {
  const { chain, store } = sampleStore();
  const { id, state } = chain.shardBlocks.at(-1)!;
  const bag = fromCoreCell(withQueues(state));
  const answers = answersFrom({ ...store, head: store.head, state: () => ({ cells: bag, root: bag.root }) });
  const list = (maxAccounts: number, after?: number) =>
    answers.ask({
      method: 'getDispatchQueueInfo',
      mode: after === undefined ? 0 : 2,
      id,
      maxAccounts,
      afterAddr: after === undefined ? undefined : idOf(after),
    });

  it('are listed by account, with their number and first and last time', async () => {
    const { accountDispatchQueues, complete } = await list(10);
    expect(complete).toBe(true);
    expect(accountDispatchQueues).toEqual([
      { addr: idOf(0x10), size: 3n, minLt: 5n, maxLt: 9n },
      { addr: idOf(0x20), size: 1n, minLt: 3n, maxLt: 3n },
      { addr: idOf(0xf0), size: 2n, minLt: 2n, maxLt: 8n },
    ]);
  });

  it('come in pages', async () => {
    const first = await list(2);
    expect(first.accountDispatchQueues.map(({ addr }) => addr[0])).toEqual([0x10, 0x20]);
    expect(first.complete).toBe(false);
    const rest = await list(2, 0x20);
    expect(rest.accountDispatchQueues.map(({ addr }) => addr[0])).toEqual([0xf0]);
    expect(rest.complete).toBe(true);
    // A full page is the last one if nothing follows.
    expect((await list(3)).complete).toBe(true);
  });

  it('are refused for no accounts', async () => {
    const request = { method: 'getDispatchQueueInfo', mode: 0, id, maxAccounts: 0 } as const;
    expect((await answers.refusal(request)).message).toBe('invalid max_accounts');
  });
});
