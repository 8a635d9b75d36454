import { type Address, beginCell, type Cell } from '@ton/core';
import { beginBody, type ContractState, compiledCode, contractState, textComment } from './contract.ts';
import { newStake, type Stake } from './elector.ts';

/** Amounts are nanotons. */
interface NominatorPoolOptions {
  /** Wallet of the validator, in the masterchain. */
  readonly validator: Address;
  /** In 1/10000 of the rewards. */
  readonly validatorRewardShare: number;
  readonly maxNominators: number;
  readonly minValidatorStake: bigint;
  readonly minNominatorStake: bigint;
}

/** A nominator pool in the masterchain. */
export function nominatorPool(options: NominatorPoolOptions): ContractState {
  const config = beginCell()
    .storeBuffer(options.validator.hash, 32)
    .storeUint(options.validatorRewardShare, 16)
    .storeUint(options.maxNominators, 16)
    .storeCoins(options.minValidatorStake)
    .storeCoins(options.minNominatorStake)
    .endCell();
  const data = beginCell()
    // Idle, no nominators.
    .storeUint(0, 8 + 16)
    .storeCoins(0)
    .storeCoins(0)
    .storeRef(config)
    // No nominators, no requests, nothing staked, no votings.
    .storeUint(0, 1 + 1 + 32 + 256 + 8 + 32 + 32 + 1)
    .endCell();
  return contractState(compiledCode('nominator-pool'), data, -1);
}

/** A nominator's deposit: the value of the message, less 1 TON. */
export function nominatorDeposit(): Cell {
  return textComment('d');
}

/** Withdraws everything of a nominator, or asks for it while the stake is away. */
export function nominatorWithdrawal(): Cell {
  return textComment('w');
}

/** Adds the value of the message, less 1 TON, to what the validator has in the pool. */
export function validatorDeposit(queryId: bigint): Cell {
  return beginBody(4, queryId).endCell();
}

/** Takes something that the validator has in the pool. */
export function validatorWithdrawal(queryId: bigint, nanotons: bigint): Cell {
  return beginBody(5, queryId).storeCoins(nanotons).endCell();
}

/** Pays out nominators who asked for it. */
export function processWithdrawRequests(queryId: bigint, limit: number): Cell {
  return beginBody(2, queryId).storeUint(limit, 8).endCell();
}

/** Lets the pool see that the validator set has changed. */
export function updateValidatorSet(queryId: bigint): Cell {
  return beginBody(6, queryId).endCell();
}

/** Stakes for an election from the pool: `value` is what the elector gets, 1 TON of it for the confirmation. */
export function poolStake(stake: Stake, value: bigint): Cell {
  const [op, rest] = [newStake(stake).beginParse(), newStake(stake).beginParse()];
  const head = op.loadBits(32 + 64);
  rest.skip(32 + 64);
  return beginCell().storeBits(head).storeCoins(value).storeSlice(rest).endCell();
}

/** From when on a pool lets its stake be recovered, in unix seconds, once the validator set has changed twice. */
export function recoverableFrom(data: Cell): number {
  const slice = data.beginParse().skip(8 + 16);
  slice.loadCoins();
  slice.loadCoins();
  slice.skip(1 + 1 + 32 + 256 + 8);
  const [changedAt, heldFor] = [slice.loadUint(32), slice.loadUint(32)];
  return changedAt + heldFor + 61;
}
