import { type Address, type Cell, internal, toNano } from '@ton/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Localnet } from '../../../src/localnet/chain/localnet.ts';
import type { ContractState } from '../../../src/localnet/contracts/contract.ts';
import { recoverStake } from '../../../src/localnet/contracts/elector.ts';
import {
  nominatorDeposit,
  nominatorPool,
  nominatorWithdrawal,
  poolStake,
  processWithdrawRequests,
  updateValidatorSet,
  validatorDeposit,
  validatorWithdrawal,
} from '../../../src/localnet/contracts/nominator-pool.ts';
import { createDemoChain, type DemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { Vm } from '../../../src/vm/vm.ts';
import { sharedVm } from '../../support/shared-vm.ts';
import { makeTemporaryDirectory, removeTemporaryDirectory } from '../../support/temporary-directory.ts';
import { getFrom, openDemoLocalnet } from '../support/demo-localnet.ts';
import {
  awaitUnfreeze,
  beginElections,
  finishElection,
  fund,
  openValidators,
  type TestValidator,
} from '../support/elections.ts';
import { TestWallet } from '../support/local-chain.ts';

let folder: string;
let vm: Vm;
let localnet: Localnet;
let chain: DemoChain;
let validator: TestValidator;
let other: TestValidator;
let pool: ContractState;
const nora = new TestWallet(2001);
const nick = new TestWallet(2002);
let electionId: number;

beforeAll(async () => {
  folder = makeTemporaryDirectory('pool');
  vm = sharedVm();
  localnet = await openDemoLocalnet(folder, vm);
  chain = createDemoChain(localnet);
  await localnet.drain();
  [validator, other] = (await openValidators(chain, [1, 2])) as [TestValidator, TestValidator];
  await fund(chain, [nora.address, nick.address], toNano('10000'));
  pool = nominatorPool({
    validator: validator.wallet.address,
    validatorRewardShare: 4000,
    maxNominators: 2,
    minValidatorStake: toNano('5000'),
    minNominatorStake: toNano('1000'),
  });
}, 60_000);

afterAll(async () => {
  await localnet?.stop();
  await vm?.close();
  await removeTemporaryDirectory(folder);
});

/** Sends something to the pool and delivers all that follows. */
async function send(
  from: TestWallet,
  value: string,
  body: Cell,
  init?: ContractState['init'],
): Promise<void> {
  const message = internal({ to: pool.address, value: toNano(value), bounce: true, body, init });
  await chain.deliver([from.send([message])]);
}

async function poolData() {
  const data = await getFrom({ localnet, vm }, pool.address, 'get_pool_data');
  const [state, count] = [data.readNumber(), data.readNumber()];
  return { state, count, stakeSent: data.readBigNumber(), validatorAmount: data.readBigNumber() };
}

const balanceOf = (address: Address): bigint => chain.account(address)!.storage.balance.coins;

/** Amounts, pending amounts and requests, by name. */
async function nominators(): Promise<Record<string, [bigint, bigint, boolean]>> {
  const found: Record<string, [bigint, bigint, boolean]> = {};
  const list = (await getFrom({ localnet, vm }, pool.address, 'list_nominators')).readLispList();
  for (const entry of list) {
    if (entry.type !== 'tuple') throw new Error('expected a tuple');
    const [account, amount, pending, asked] = entry.items.map((item) =>
      item.type === 'int' ? item.value : 0n,
    );
    const isNora = account === BigInt(`0x${nora.address.hash.toString('hex')}`);
    found[isNora ? 'nora' : 'nick'] = [amount!, pending!, asked !== 0n];
  }
  return found;
}

describe('a nominator pool', () => {
  it('takes deposits of its validator and of nominators', async () => {
    await send(validator.wallet, '6001', validatorDeposit(1n), pool.init);
    await send(nora, '3001', nominatorDeposit());
    await send(nick, '2001', nominatorDeposit());
    await send(nick, '101', nominatorDeposit());
    expect(await poolData()).toEqual({
      state: 0,
      count: 2,
      stakeSent: 0n,
      validatorAmount: toNano('6000'),
    });
    expect(await nominators()).toEqual({
      nora: [toNano('3000'), 0n, false],
      nick: [toNano('2100'), 0n, false],
    });
  });

  it('stakes for an election', async () => {
    electionId = await beginElections(chain, 0);
    const { key, adnlAddress } = validator;
    const stake = { queryId: 5n, electionId, key, holder: pool.address, adnlAddress };
    await send(validator.wallet, '2', poolStake(stake, toNano('11001')));
    await chain.deliver([other.stake(electionId, toNano('20000'))]);
    expect(await poolData()).toMatchObject({ state: 2, stakeSent: toNano('11000') });
    await finishElection(chain, electionId);
    await send(validator.wallet, '1', updateValidatorSet(6n));
  });

  it('keeps deposits pending and notes requests while the stake is away', async () => {
    await send(nick, '501', nominatorDeposit());
    await send(nora, '1', nominatorWithdrawal());
    expect(await nominators()).toEqual({
      nora: [toNano('3000'), 0n, true],
      nick: [toNano('2100'), toNano('500'), false],
    });
  });

  it('shares the reward when the stake comes back', async () => {
    await beginElections(chain, 3);
    await send(validator.wallet, '1', updateValidatorSet(7n));
    await awaitUnfreeze(chain, electionId);
    await chain.advanceTo(chain.now() + 61);
    await send(validator.wallet, '2', recoverStake(8n));
    const { state, validatorAmount } = await poolData();
    expect(state).toBe(0);
    const reward = validatorAmount - toNano('6000');
    expect(reward).toBeGreaterThan(0n);
    const shared = await nominators();
    const [noras, nicks] = [shared.nora![0] - toNano('3000'), shared.nick![0] - toNano('2600')];
    expect(noras).toBeGreaterThan(0n);
    // The validator has four tenths; the rest is by stake, rounded down.
    const rest = (reward * 6n) / 4n;
    for (const [got, stake] of [
      [noras, 3000n],
      [nicks, 2100n],
    ] as const)
      expect(Math.abs(Number(got - (rest * stake) / 5100n))).toBeLessThan(3);
    expect(shared.nick![1]).toBe(0n);
  });

  it('pays out on request', async () => {
    const [[noras], before] = [(await nominators()).nora!, balanceOf(nora.address)];
    await send(validator.wallet, '1', processWithdrawRequests(9n, 10));
    expect(balanceOf(nora.address)).toBeGreaterThan(before + noras - toNano('0.1'));
    await send(nick, '1', nominatorWithdrawal());
    await send(validator.wallet, '1', validatorWithdrawal(10n, toNano('5000')));
    expect(await nominators()).toEqual({});
    const { count, validatorAmount } = await poolData();
    expect(count).toBe(0);
    expect(validatorAmount).toBeLessThan(toNano('1100'));
    expect(balanceOf(pool.address)).toBeGreaterThan(validatorAmount);
  });
});
