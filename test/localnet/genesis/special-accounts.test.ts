import { Address, beginCell, external, internal, type Transaction } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { intEntry, NULL_ENTRY } from '../../../src/chain/stack/entries.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { createGenesis } from '../../../src/localnet/genesis/create-genesis.ts';
import { CONFIG_ID, ELECTOR_ID } from '../../../src/localnet/genesis/special-accounts.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import type { Genesis } from '../support/genesis.ts';
import { type ContractRunner, createContractRunner } from './contract-runner.ts';

const NOW = 1_800_000_000;

describe('contracts of the zero state', () => {
  let vm: Vm;
  let genesis: Genesis;
  beforeAll(async () => {
    vm = sharedVm();
    genesis = await createGenesis({ now: NOW, shards: 1 });
  });
  afterAll(() => vm.close());

  const open = (workchain: number, id: Buffer): ContractRunner =>
    createContractRunner(vm, genesis, { workchain, id }, NOW + 1000);

  it('count ticks and tocks', async () => {
    const counter = open(-1, genesis.tickTockId);
    for (const which of ['tick', 'tock', 'tick'] as const) expectDone(await counter.tickTock(which));
    expect(await counter.get('ticks')).toEqual([intEntry(2)]);
    expect(await counter.get('tocks')).toEqual([intEntry(1)]);
    expect(counter.account().balance.grams).toBe(10n ** 9n);
  });

  it('include an elector that holds no elections while the validator set has no end', async () => {
    const elector = open(-1, ELECTOR_ID);
    expectDone(await elector.receive(anyMessage(ELECTOR_ID, 5n)));
    const before = elector.data();
    expectDone(await elector.tickTock('tick'));
    expect(elector.data().equals(before)).toBe(true);
    expect(elector.account().balance.grams).toBe(10n * 10n ** 9n + 5n);

    expect(await elector.get('active_election_id')).toEqual([intEntry(0)]);
    expect(await elector.get('participant_list')).toEqual([NULL_ENTRY]);
    expect(await elector.get('past_elections')).toEqual([NULL_ENTRY]);
    expect(await elector.get('list_complaints', intEntry(1))).toEqual([NULL_ENTRY]);
    expect(await elector.get('participates_in', intEntry(1))).toEqual([intEntry(0)]);
    expect(await elector.get('compute_returned_stake', intEntry(1))).toEqual([intEntry(0)]);
    const zeros = [0, 0, 0, 0].map(intEntry);
    expect(await elector.get('participant_list_extended')).toEqual([
      ...zeros,
      NULL_ENTRY,
      intEntry(0),
      intEntry(0),
    ]);
  });

  it.each(['faucet', 'masterchainFaucet'] as const)('send from the %s', async (which) => {
    const { address, secretKey, version, publicKey } = genesis[which];
    const runner = open(address.workChain, address.hash);
    expect(await runner.get('get_public_key')).toEqual([intEntry(BigInt(`0x${publicKey.toString('hex')}`))]);
    const before = runner.account();
    const outMessage = internal({
      to: new Address(0, Buffer.alloc(32, 1)),
      value: 10n ** 9n,
      bounce: false,
      ...(which === 'masterchainFaucet' && { extracurrency: { 100: 5n } }),
    });
    const body = walletTransfer({
      version,
      secretKey,
      seqno: 0,
      validUntil: NOW + 2000,
      workchain: address.workChain,
      messages: [outMessage],
    });
    const transaction = await runner.receive(external({ to: address, body }));
    expectDone(transaction);
    expect(transaction.outMessagesCount).toBe(1);
    expect(await runner.get('seqno')).toEqual([intEntry(1)]);
    expect(runner.account().balance.grams).toBeLessThan(before.balance.grams - 10n ** 9n);
  });

  it('use the storage stated in the zero state', async () => {
    const { faucet, masterchainFaucet, tickTockId } = genesis;
    const places: [workchain: number, id: Buffer][] = [
      ...[CONFIG_ID, ELECTOR_ID, tickTockId].map((id): [number, Buffer] => [-1, id]),
      ...[faucet, masterchainFaucet].map(({ address }): [number, Buffer] => [
        address.workChain,
        address.hash,
      ]),
    ];
    for (const [workchain, id] of places) {
      const runner = open(workchain, id);
      const { usedCells, usedBits } = runner.account().storageInfo;
      // So little that the balance takes no more bytes; the elector counts it, if it is no answer.
      const body = id === ELECTOR_ID ? beginCell().storeUint(0xffffffff, 32).endCell() : undefined;
      expectDone(await runner.receive(anyMessage(id, 10n ** 9n, body, workchain)));
      expect(runner.account().storageInfo).toMatchObject({ usedCells, usedBits });
    }
  });
});

function anyMessage(id: Buffer, coins: bigint, body = beginCell().endCell(), workchain = -1) {
  const { info } = internal({ to: new Address(workchain, id), value: coins, bounce: true });
  const src = new Address(-1, Buffer.alloc(32, 9));
  return { info: { ...info, src, createdAt: NOW, createdLt: 1n } as never, init: null, body };
}

function expectDone({ description }: Transaction): void {
  expect(description).toMatchObject({ aborted: false });
}
