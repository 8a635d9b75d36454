import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { Mempool } from '../../../src/localnet/chain/mempool.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { until } from '../../support/until.ts';
import { createPlainCollator, openPlainChain, plainMessage } from './plain-chain.ts';

let folder: string;
const open: Localnet[] = [];
beforeEach(() => {
  folder = makeTemporaryDirectory('mining');
});
afterEach(async () => {
  for (const localnet of open.splice(0)) await localnet.stop();
  await removeTemporaryDirectory(folder);
});

async function openChain(options: Partial<Parameters<typeof openPlainChain>[0]> = {}) {
  const localnet = await openPlainChain({ folder, ...options });
  open.push(localnet);
  return localnet;
}

/** Waits for a masterchain block. */
function reached({ store }: Localnet, seqno: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (store.head.seqno < seqno) return;
      stop();
      resolve();
    };
    const stop = store.onHead(look);
    look();
  });
}

describe('a local chain that mines periodically', () => {
  it('produces empty blocks until it is stopped', async () => {
    const localnet = await openChain({ settings: { blockMs: 1 } });
    localnet.start();
    await reached(localnet, 5);
    await localnet.stop();
    const { seqno } = localnet.store.head;
    await sleep(20);
    expect(localnet.store.head.seqno).toBe(seqno);
    await expect(localnet.mine()).rejects.toThrow('the local chain is stopped');
  });

  it('takes the signed blocks of a step, or others if those lose, without their messages', async () => {
    const localnet = await openChain();
    await localnet.mine();
    const { store } = localnet;
    const [taken] = await localnet.sign();
    expect(store.signed).toEqual([taken]);
    expect(store.head.seqno).toBe(1);
    await localnet.mine();
    expect(store.signed).toEqual([]);
    expect(store.find({ workchain: 0, prefix: 0n }, 'seqno', 2n)!.id).toEqual(taken);
    const { end } = await localnet.send(plainMessage(1, 1));
    const [lost] = await localnet.sign();
    const { end: later } = await localnet.send(plainMessage(1, 2));
    await localnet.loseSigned();
    expect(store.signed).toEqual([]);
    expect(await end).toMatchObject({ outcome: 'dropped' });
    await localnet.advance(5);
    expect(await later).toMatchObject({ outcome: 'included' });
    expect(store.find({ workchain: 0, prefix: 0n }, 'seqno', 3n)!.id).not.toEqual(lost);
    expect(store.block(lost!)).toBeUndefined();
  });

  it('shows the blocks of each step as signed for a while if it is told to', async () => {
    const localnet = await openChain({ settings: { blockMs: 1, signedMs: 1 } });
    const shown = new Set<string>();
    const look = setInterval(() => {
      for (const { seqno } of localnet.store.signed) shown.add(`${seqno} at ${localnet.store.head.seqno}`);
    }, 0);
    localnet.start();
    await until(async () => shown.size >= 2);
    clearInterval(look);
    for (const one of shown) {
      const [seqno, head] = one.split(' at ').map(Number);
      expect(seqno).toBe(head! + 1);
    }
  });

  it('makes one step at a time when several are requested', async () => {
    let running = 0;
    let most = 0;
    const localnet = await openChain({
      settings: { blockMs: 1 },
      createCollator: (store) => {
        const collator = createPlainCollator(store);
        return {
          async collate(input) {
            most = Math.max(most, ++running);
            await sleep(2);
            running -= 1;
            return collator.collate(input);
          },
        };
      },
    });
    localnet.start();
    await Promise.all([localnet.mine(3), localnet.advance(5), localnet.mine(2), localnet.snapshot('x')]);
    expect(most).toBe(1);
  });

  it('retries a failed step and reports the error meanwhile', async () => {
    let isBroken = true;
    const localnet = await openChain({
      settings: { blockMs: 1 },
      createCollator: (store) => {
        const collator = createPlainCollator(store);
        return {
          collate: (input) =>
            isBroken ? Promise.reject(new Error('out of order')) : collator.collate(input),
        };
      },
    });
    const { end } = await localnet.send(plainMessage(1, 1));
    localnet.start();
    while (localnet.status().fault === undefined) await sleep(5);
    expect(localnet.status().fault).toBe('out of order');
    expect(localnet.status().waitingMessages).toBe(1);
    isBroken = false;
    expect(await end).toMatchObject({ outcome: 'included' });
    await reached(localnet, 2);
    expect(localnet.status().fault).toBeUndefined();
    expect(localnet.log.texts()).toContain('Local chain recovered');
  });

  it('rejects a step that does not continue the chain', async () => {
    let isWrong = false;
    const localnet = await openChain({
      createCollator: (store) => {
        const collator = createPlainCollator(store);
        return {
          async collate(input) {
            const collated = await collator.collate(input);
            return isWrong ? { ...collated, step: { ...collated.step, shards: [] } } : collated;
          },
        };
      },
    });
    await localnet.mine(2);
    isWrong = true;
    await expect(localnet.mine()).rejects.toThrow('which is not there');
    isWrong = false;
    await localnet.mine();
    await localnet.stop();
    expect((await openChain()).store.head.seqno).toBe(3);
  });
});

describe('a local chain that mines on messages', () => {
  it('produces no block without messages, and one at once for a message', async () => {
    const localnet = await openChain({ settings: { blockMs: 60_000, mine: 'message' } });
    localnet.start();
    // The first block makes the chain complete.
    await reached(localnet, 1);
    await sleep(20);
    expect(localnet.store.head.seqno).toBe(1);
    const { end } = await localnet.send(plainMessage(1, 1));
    expect(await end).toMatchObject({ outcome: 'included', block: { seqno: 2 } });
    await sleep(20);
    expect(localnet.store.head.seqno).toBe(2);
    localnet.wake();
    await reached(localnet, 3);
  });
});

describe('a local chain whose set-up was interrupted', () => {
  it('is started over', async () => {
    const prepare = async (localnet: Localnet) => {
      await localnet.mine(3);
      throw new Error('killed');
    };
    await expect(openChain({ prepare })).rejects.toThrow('killed');
    const second = await openChain({ prepare: async (localnet) => void (await localnet.mine(2)) });
    expect(second.store.head.seqno).toBe(2);
    await second.stop();
    expect((await openChain({ prepare })).store.head.seqno).toBe(2);
  });
});

describe('the mempool', () => {
  const message = (id: string) => ({ id, body: Buffer.from(id), account: '0:AB' });

  it('holds a message once and expires it', async () => {
    let time = 0;
    const mempool = new Mempool(() => time);
    const end = mempool.add(message('a'));
    expect(mempool.add(message('a'))).toBe(end);
    time = 600;
    expect(mempool.next().map(({ id }) => id)).toEqual(['a']);
    mempool.settle([{ id: 'a', outcome: 'postponed' }]);
    expect(mempool.size).toBe(1);
    time = 601;
    expect(mempool.next()).toEqual([]);
    expect(await end).toMatchObject({ outcome: 'dropped' });
  });

  it('rejects messages when it is full', () => {
    const mempool = new Mempool(() => 0);
    for (let i = 0; i < 8192; i++) void mempool.add({ ...message(`${i}`), account: `0:${i}` });
    expect(() => mempool.add(message('one more'))).toThrow('too many external messages wait for a block');
    mempool.clear('enough');
    void mempool.add(message('one more'));
  });
});
