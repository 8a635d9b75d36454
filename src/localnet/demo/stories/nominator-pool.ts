import { type Cell, internal, toNano } from '@ton/core';
import { recoverStake } from '../../contracts/elector.ts';
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
} from '../../contracts/nominator-pool.ts';
import { contractData } from '../demo-chain.ts';
import type { Story, StoryContext } from '../story.ts';
import { demoStake } from './elections.ts';

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
  const toPool = (value: string, body: Cell) =>
    internal({ to: pool.address, value: toNano(value), bounce: true, body });

  return {
    contracts: { 'nominator pool': pool.address },
    steps: [
      {
        round: 1,
        what: 'The bank gives money to nominators.',
        by: bank,
        sends: [nora, nick].map(({ address }) =>
          internal({ to: address, value: toNano('5000'), bounce: false }),
        ),
      },
      {
        round: 2,
        what: 'wanda deploys her pool with a deposit of her own.',
        by: wanda,
        sends: [
          internal({
            to: pool.address,
            value: toNano('6001'),
            init: pool.init,
            body: validatorDeposit(1n),
          }),
        ],
      },
      { round: 3, what: 'nora nominates.', by: nora, sends: [toPool('3001', nominatorDeposit())] },
      { round: 3, what: 'nick nominates.', by: nick, sends: [toPool('2001', nominatorDeposit())] },
      {
        round: 5,
        what: 'wanda stakes what is in the pool.',
        by: wanda,
        sends: (chain) => {
          const stake = { ...demoStake(chain, 'wanda', pool.address), queryId: 7n };
          return [toPool('20', poolStake(stake, toNano('11001')))];
        },
      },
      {
        round: 6,
        what: 'wanda shows the pool that its stake is in use.',
        by: wanda,
        sends: [toPool('1', updateValidatorSet(8n))],
      },
      { round: 6, what: 'nick adds to his deposit.', by: nick, sends: [toPool('501', nominatorDeposit())] },
      {
        round: 6,
        what: 'nora asks for her deposit.',
        by: nora,
        sends: [toPool('1', nominatorWithdrawal())],
      },
      {
        round: 9,
        what: 'wanda shows the pool that the validator set has changed again.',
        by: wanda,
        sends: [toPool('1', updateValidatorSet(9n))],
      },
      {
        round: 10,
        what: 'wanda takes the stake back into the pool.',
        by: wanda,
        sends: [toPool('2', recoverStake(10n))],
      },
      {
        round: 11,
        what: 'wanda has nora paid out, and withdraws a part of her own deposit.',
        by: wanda,
        sends: [
          toPool('1', processWithdrawRequests(11n, 10)),
          toPool('1', validatorWithdrawal(12n, toNano('100'))),
        ],
      },
    ],
    waits: [
      {
        round: 10,
        what: 'The pool may take its stake back.',
        until: (chain) => recoverableFrom(contractData(chain, pool.address)!),
        isOver: (chain) => chain.now() >= recoverableFrom(contractData(chain, pool.address)!),
      },
    ],
  };
}
