import { type Address, beginCell, type TupleItem, type TupleReader, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configParam } from '../../../src/chain/tlb/config.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/masterchain-state.ts';
import { readValidatorSet, type ValidatorSet } from '../../../src/chain/tlb/validators.ts';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import { fileComplaint, recoverStake, voteForComplaint } from '../../../src/localnet/contracts/elector.ts';
import { createDemoChain, type DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import { headState } from '../../../src/localnet/store/head-state.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { getFrom, openDemoLocalnet, transactionsOf } from '../support/demo-localnet.ts';
import {
  awaitUnfreeze,
  beginElections,
  ELECTOR,
  electorData,
  finishElection,
  openValidators,
  type TestValidator,
} from '../support/elections.ts';

const RATE = 2n ** 60n;

let folder: string;
let vm: Vm;
let localnet: Localnet;
let chain: DemoChain;
let first: TestValidator;
let second: TestValidator;
let electionId: number;

beforeAll(async () => {
  folder = makeTemporaryDirectory('elections');
  vm = sharedVm();
  localnet = await openDemoLocalnet(folder, vm);
  chain = createDemoChain(localnet);
  await localnet.drain();
  [first, second] = (await openValidators(chain, [1, 2])) as [TestValidator, TestValidator];
});

afterAll(async () => {
  await localnet?.stop();
  await vm?.close();
  await removeTemporaryDirectory(folder);
});

const get = (method: string, ...args: (bigint | number)[]): Promise<TupleReader> => {
  const stack = args.map((value): TupleItem => ({ type: 'int', value: BigInt(value) }));
  return getFrom({ localnet, vm }, ELECTOR, method, stack);
};

function currentSet(param = 34): { set: ValidatorSet; hash: Buffer } | undefined {
  const { cells, state } = headState(localnet.store);
  const cell = configParam(cells, readMcStateExtra(cells, state.custom).config, param);
  return cell < 0 ? undefined : { set: readValidatorSet(cells, cell), hash: Buffer.from(cells.hash(cell)) };
}

/** Opcodes with the number after the query id, of what the elector sent to a wallet. */
function answersTo({ wallet }: TestValidator): [op: number, about: number | undefined][] {
  const received = transactionsOf(localnet.store).get(wallet.address.toRawString()) ?? [];
  return received.flatMap(({ inMessage }) => {
    if (inMessage?.info.type !== 'internal' || !inMessage.info.src.equals(ELECTOR)) return [];
    const slice = inMessage.body.beginParse();
    const op = slice.loadUint(32);
    slice.loadUintBig(64);
    return [[op, slice.remainingBits >= 32 ? slice.loadUint(32) : undefined]];
  });
}

const keyOf = ({ key }: TestValidator) => BigInt(`0x${key.publicKey.toString('hex')}`);
const hashOf = (address: Address) => BigInt(`0x${address.hash.toString('hex')}`);

describe('elections', () => {
  it('are announced before the end of the validator set', async () => {
    expect(electorData(chain).election).toBeUndefined();
    const before = chain.now();
    electionId = await beginElections(chain, 0);
    expect(electionId).toBe(before + 600);
    expect((await get('active_election_id')).readNumber()).toBe(electionId);
    const list = await get('participant_list_extended');
    expect([list.readNumber(), list.readNumber(), list.readBigNumber()]).toEqual([
      electionId,
      electionId - 180,
      toNano('10000'),
    ]);
  });

  it('accept stakes and return bad ones with the reason', async () => {
    expect(electorData(chain).election!.closes).toBeGreaterThan(0);
    await chain.deliver([first.stake(electionId, toNano('30000'))]);
    await chain.deliver([second.stake(electionId + 1, toNano('20000'))]);
    await chain.deliver([second.stake(electionId, toNano('9000'))]);
    await chain.deliver([second.stake(electionId, toNano('20000'))]);
    expect(answersTo(first)).toEqual([[0xf374484c, 0]]);
    expect(answersTo(second)).toEqual([
      [0xee6f454c, 3],
      [0xee6f454c, 5],
      [0xf374484c, 0],
    ]);
    expect((await get('participates_in', keyOf(second))).readBigNumber()).toBe(toNano('20000'));
    const list = await get('participant_list_extended');
    list.skip(3);
    expect(list.readBigNumber()).toBe(toNano('50000'));
    const members = list.readLispList();
    const holders = members.map((member) => {
      if (member.type !== 'tuple') throw new Error('expected a tuple');
      const [key, details] = member.items;
      if (key?.type !== 'int' || details?.type !== 'tuple') throw new Error('expected a key and details');
      return [key.value, details.items.map((item) => (item.type === 'int' ? item.value : undefined))];
    });
    const expected = [first, second].map((validator, index) => [
      keyOf(validator),
      [
        toNano(index === 0 ? '30000' : '20000'),
        196_608n,
        hashOf(validator.wallet.address),
        BigInt(`0x${validator.adnlAddress.toString('hex')}`),
      ],
    ]);
    expect(holders).toEqual(expected.sort(([a], [b]) => (a! < b! ? -1 : 1)));
  });

  it('put a validator set in place by key blocks', async () => {
    const before = currentSet()!;
    await finishElection(chain, electionId);
    const { set, hash } = currentSet()!;
    expect(set).toMatchObject({ since: electionId, until: electionId + 1200, main: 2 });
    expect(set.validators.map(({ publicKey }) => publicKey)).toEqual([
      first.key.publicKey,
      second.key.publicKey,
    ]);
    expect(set.validators.map(({ weight }) => weight)).toEqual([(RATE * 3n) / 5n, (RATE * 2n) / 5n]);
    expect(currentSet(32)!.hash).toEqual(before.hash);
    expect(currentSet(36)).toBeUndefined();
    const past = electorData(chain);
    expect(past.pastElections).toMatchObject([{ id: electionId, setHash: hash }]);
    expect(past).toMatchObject({ activeId: electionId, election: undefined });
    const [election] = (await get('past_elections')).readLispList();
    if (election?.type !== 'tuple') throw new Error('expected a tuple');
    expect(election.items).toHaveLength(8);
    // Both sign from now on.
    await localnet.mine(2);
    expect(localnet.store.signatures(localnet.store.head)!.signatures).toHaveLength(2);
  });

  it('can be complained about, with votes of the current set', async () => {
    const description = beginCell().storeStringTail('missed blocks').endCell();
    const complaint = { queryId: 7n, electionId, description, severity: 1, suggestedFine: toNano('500') };
    const file = (publicKey: Buffer, suggestedFine = complaint.suggestedFine) =>
      first.send(toNano('200'), fileComplaint({ ...complaint, publicKey, suggestedFine }));
    await chain.deliver([file(Buffer.alloc(32, 7))]);
    await chain.deliver([file(second.key.publicKey, toNano('50000'))]);
    await chain.deliver([file(second.key.publicKey)]);
    expect(answersTo(first).slice(1)).toEqual([
      [0xf2676350 + 5, 0x52674370],
      [0xf2676350 + 6, 0x52674370],
      [0xf2676350, 0x52674370],
    ]);
    const { hash: complaintHash } = electorData(chain).pastElections[0]!.complaints[0]!;
    const vote = (index: number, { key }: TestValidator) =>
      second.send(toNano('2'), voteForComplaint({ queryId: 9n, electionId, complaintHash, index, key }));
    await chain.deliver([vote(0, first)]);
    expect(await statusOf(complaintHash)).toMatchObject({
      voters: [0n],
      remaining: (RATE * 2n) / 3n - (RATE * 3n) / 5n,
    });
    await chain.deliver([vote(0, first)]);
    await chain.deliver([vote(1, second)]);
    expect(answersTo(second).slice(3)).toEqual([
      [0xd6745241, 0x56744370],
      [0xd6745240, 0x56744370],
      [0xd6745242, 0x56744370],
    ]);
    const passed = await statusOf(complaintHash);
    expect(passed).toMatchObject({ voters: [0n, 1n], key: keyOf(second), fine: toNano('500') });
    expect(passed.remaining).toBeLessThan(0n);
    // Less than an eighth of the fine.
    const reward = await get('compute_returned_stake', hashOf(first.wallet.address));
    expect(reward.readBigNumber()).toBe(passed.paid * 8n);
  });

  it('give stakes back with bonuses, less fines', async () => {
    const next = await beginElections(chain, 3);
    await chain.deliver([
      first.send(toNano('1'), recoverStake(10n)),
      second.send(toNano('1'), recoverStake(10n)),
    ]);
    expect(answersTo(first).at(-1)).toEqual([0xf96f7324, undefined]);
    expect(answersTo(second).at(-1)).toEqual([0xfffffffe, 0x47657424]);
    await awaitUnfreeze(chain, electionId);
    const owed = async ({ wallet }: TestValidator) =>
      (await get('compute_returned_stake', hashOf(wallet.address))).readBigNumber();
    expect(await owed(first)).toBeGreaterThan(toNano('30000'));
    expect(await owed(second)).toBeGreaterThan(toNano('19500'));
    const balance = chain.account(second.wallet.address)!.storage.balance.coins;
    await chain.deliver([second.send(toNano('1'), recoverStake(11n))]);
    expect(chain.account(second.wallet.address)!.storage.balance.coins).toBeGreaterThan(
      balance + toNano('19499'),
    );
    expect(await owed(second)).toBe(0n);
    expect(electorData(chain).election?.id).toBe(next);
  });

  it('leave the elector with what it owes', () => {
    const { credits } = electorData(chain);
    const owed = [...credits.values()].reduce((sum, amount) => sum + amount, 0n);
    expect(chain.account(ELECTOR)!.storage.balance.coins).toBeGreaterThan(owed);
  });

  async function statusOf(complaintHash: Buffer) {
    const status = await get('show_complaint', electionId, BigInt(`0x${complaintHash.toString('hex')}`));
    const details = status.readTuple();
    const complaint = details.readTuple();
    const key = complaint.readBigNumber();
    complaint.skip(4);
    const paid = complaint.readBigNumber();
    const fine = complaint.readBigNumber();
    const voters = details.readLispList().map((item) => (item.type === 'int' ? item.value : undefined));
    details.skip(1);
    return { key, paid, fine, voters, remaining: details.readBigNumber() };
  }
});
