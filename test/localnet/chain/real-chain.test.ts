import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Address, beginCell, Cell, external, loadShardAccount, storeMessage } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { iterateTransactions } from '../../../src/chain/tlb/account-blocks.ts';
import { readBlockExtra, readBlockRoot } from '../../../src/chain/tlb/block.ts';
import { createControl } from '../../../src/localnet/chain/control.ts';
import { type RunningLocalnet, startLocalnet } from '../../../src/localnet/chain/start-localnet.ts';
import { accountAtHead } from '../../../src/localnet/chain/vm-runs.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { isLongRun } from '../../support/long-run.ts';
import { createQuietLog } from '../../support/quiet-log.ts';
import { settledMemory } from '../../support/settled-memory.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';

const LEFT = new Address(0, Buffer.alloc(32, 0x11));
const RIGHT = new Address(0, Buffer.alloc(32, 0xee));
const TOP = new Address(-1, Buffer.alloc(32, 0x77));

let folder: string;
let net: RunningLocalnet;
const start = () =>
  startLocalnet({
    vm: sharedVm(),
    folder,
    settings: { blockMs: 1000, mine: 'message', shards: 2 },
    host: '127.0.0.1',
    port: 0,
    log: createQuietLog(),
  });
beforeAll(async () => {
  folder = makeTemporaryDirectory('real-chain');
  net = await start();
});
afterAll(async () => {
  await net.stop();
  await removeTemporaryDirectory(folder);
});

function balance(store: ChainStore, { workChain: workchain, hash }: Address): bigint | undefined {
  const found = accountAtHead(store, { workchain, hash });
  return (
    found &&
    loadShardAccount(Cell.fromBoc(found.shardAccount)[0]!.beginParse()).account?.storage.balance.coins
  );
}

describe('a local chain', () => {
  it('has all its shards when it becomes visible', () => {
    expect(createControl(net).status()).toMatchObject({ shards: 2, waiting_messages: 0 });
  });

  it('funds accounts of all shards from the faucet, and answers when the TON has arrived', async () => {
    const control = createControl(net);
    await Promise.all(
      [LEFT, RIGHT, TOP].map(async (address) => {
        await control.fund(address.toString(), '1.5');
        expect(balance(net.localnet.store, address)).toBe(1_500_000_000n);
      }),
    );
    for (const [workchain, byte] of [
      [0, 0xdd],
      [-1, 0x66],
      [0, 0x22],
    ] as const) {
      const address = new Address(workchain, Buffer.alloc(32, byte));
      await control.fund(address.toString(), '0.5');
      expect(balance(net.localnet.store, address)).toBe(500_000_000n);
    }
    await expect(control.fund('nonsense', '1')).rejects.toThrow(
      'address should be an account address, raw or friendly, not "nonsense"',
    );
    for (const amount of ['-1', '1e3', '', '1.0000000001', '0'])
      await expect(control.fund(LEFT.toString(), amount)).rejects.toThrow('amount should be');
    await expect(control.fund(LEFT.toString(), '9999999999')).rejects.toThrow('does not have that much');
  });

  it('rejects messages with the error texts of a node', async () => {
    const messageTo = (to: Address) =>
      beginCell()
        .store(storeMessage(external({ to, body: beginCell().storeUint(0, 512).endCell() })))
        .endCell()
        .toBoc();
    await expect(net.localnet.send(messageTo(new Address(0, Buffer.alloc(32, 1))))).rejects.toThrow(
      'Failed to unpack account state',
    );
    const { hash } = net.faucet.address;
    await expect(net.localnet.send(messageTo(net.faucet.address))).rejects.toThrow(
      `External message was not accepted: cannot run message on account: inbound external message rejected by transaction ${hash.toString('hex').toUpperCase()}:\nexitcode=`,
    );
  });

  it('continues after a change of validators', async () => {
    const control = createControl(net);
    for (const set of [1, 2]) {
      const { validator_set, seqno } = await control.rotate();
      expect(validator_set).toBe(set);
      expect(net.localnet.store.lastKeyBlock(seqno).seqno).toBe(seqno);
      await control.mine(2);
    }
  });

  it('makes small empty blocks: no transactions in them, a few kilobytes on disk', async () => {
    const { store } = net.localnet;
    const file = join(folder, 'chain');
    const bytes = statSync(file).size;
    const { seqno } = await net.localnet.mine(10);
    for (let at = seqno - 9; at <= seqno; at++) {
      const { cells, cell } = store.open(store.masterchainBlock(at)!);
      const { accountBlocks } = readBlockExtra(cells, readBlockRoot(cells, cell).extra);
      expect([...iterateTransactions(cells, accountBlocks)], `block ${at}`).toEqual([]);
    }
    // Three blocks: two shards and the masterchain.
    expect((statSync(file).size - bytes) / 10).toBeLessThan(6000);
  });

  it('is unchanged after a restart, at the same address', async () => {
    const { head } = net.localnet.store;
    const { port, publicKey } = net.liteServer;
    await net.stop();
    net = await start();
    expect(net.localnet.store.head).toEqual(head);
    expect(net.liteServer.port).toBe(port);
    expect(net.liteServer.publicKey).toEqual(publicKey);
    expect(balance(net.localnet.store, RIGHT)).toBe(1_500_000_000n);
    await createControl(net).rotate();
    expect(net.localnet.store.head.seqno).toBeGreaterThan(head.seqno);
  });
});

describe.runIf(isLongRun)('an idle local chain', () => {
  const { poolSize } = Buffer;
  // As src/main.ts sets it.
  beforeAll(() => {
    Buffer.poolSize = 8192;
  });
  afterAll(() => {
    Buffer.poolSize = poolSize;
  });

  it('takes no more than a few kilobytes of memory for its blocks', async () => {
    const STEPS = 3000;
    // Fills the caches.
    await net.localnet.mine(STEPS);
    const before = await settledMemory();
    await net.localnet.mine(STEPS);
    const perStep = ((await settledMemory()) - before) / STEPS;
    // The states take about 7 kB until old ones are dropped; without own copies of hashes it was 75 kB.
    expect(perStep).toBeLessThan(16_000);
  });
});
