import { type Cell, toNano } from '@ton/core';
import { recoverStake } from '../contracts/elector.ts';
import {
  nominatorDeposit,
  nominatorPool,
  nominatorWithdrawal,
  poolStake,
  processWithdrawRequests,
  recoverableFrom,
  updateValidatorSet,
  validatorDeposit,
  validatorWithdrawal,
} from '../contracts/nominator-pool.ts';
import { contractData } from './demo-chain.ts';
import { demoStake } from './elections.ts';
import { deploy, pay, type Story, type StoryContext, send, step, wait } from './story.ts';

/** wanda has a pool. nora and nick nominate; nora withdraws after the reward, while nick adds to his deposit. */
export function nominatorPoolStory({
  stakers: { wanda, nora, nick },
  wallets: { bank },
}: StoryContext): Story {
  const pool = nominatorPool({
    validator: wanda.address,
    validatorRewardShare: 4000,
    maxNominators: 40,
    minValidatorStake: toNano('5000'),
    minNominatorStake: toNano('1000'),
  });
  const toPool = (ton: string, body: Cell) => send(pool.address, ton, body);

  return {
    contracts: { 'nominator pool': pool.address },
    steps: [
      step(1, bank, 'The bank gives money to nominators.', [pay(nora, '5000'), pay(nick, '5000')]),
      step(2, wanda, 'wanda deploys her pool with a deposit of her own.', [
        deploy(pool, '6001', validatorDeposit(1n)),
      ]),
      step(3, nora, 'nora nominates.', [toPool('3001', nominatorDeposit())]),
      step(3, nick, 'nick nominates.', [toPool('2001', nominatorDeposit())]),
      step(5, wanda, 'wanda stakes what is in the pool.', (chain) => {
        const stake = { ...demoStake(chain, 'wanda', pool.address), queryId: 7n };
        return [toPool('20', poolStake(stake, toNano('11001')))];
      }),
      step(6, wanda, 'wanda shows the pool that its stake is in use.', [toPool('1', updateValidatorSet(8n))]),
      step(6, nick, 'nick adds to his deposit.', [toPool('501', nominatorDeposit())]),
      step(6, nora, 'nora asks for her deposit.', [toPool('1', nominatorWithdrawal())]),
      step(9, wanda, 'wanda shows the pool that the validator set has changed again.', [
        toPool('1', updateValidatorSet(9n)),
      ]),
      step(10, wanda, 'wanda takes the stake back into the pool.', [toPool('2', recoverStake(10n))]),
      step(11, wanda, 'wanda has nora paid out, and withdraws a part of her own deposit.', [
        toPool('1', processWithdrawRequests(11n, 10)),
        toPool('1', validatorWithdrawal(12n, toNano('100'))),
      ]),
    ],
    waits: [
      wait(10, 'The pool may take its stake back.', (chain) =>
        recoverableFrom(contractData(chain, pool.address)!),
      ),
    ],
  };
}
