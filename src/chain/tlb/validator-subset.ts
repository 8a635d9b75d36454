import { hash } from 'node:crypto';
import { MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';
import type { CatchainConfig } from './catchain-config.ts';
import type { Validator, ValidatorSet } from './validator-set.ts';

/** The validators that sign masterchain blocks of a catchain number, in the order of their numbers in the group. */
export function masterchainValidators(
  set: ValidatorSet,
  config: Pick<CatchainConfig, 'shuffleMcValidators'>,
  catchainSeqno: number,
): Validator[] {
  const main = set.validators.slice(0, set.main);
  if (!config.shuffleMcValidators) return main;
  const next = createPrng(MASTERCHAIN, WHOLE_SHARD, catchainSeqno);
  const order: number[] = [];
  for (let i = 0; i < main.length; i++) {
    const j = Number(next(BigInt(i + 1)));
    // For j = i the first line writes what the second replaces.
    order[i] = order[j]!;
    order[j] = i;
  }
  return order.map((index) => main[index]!);
}

/**
 * The validators of a shard's group, chosen by weight. In a shard each counts as one, whatever its weight in the set.
 */
export function shardValidators(
  set: ValidatorSet,
  config: Pick<CatchainConfig, 'shardValidatorsNum'>,
  workchain: number,
  shard: bigint,
  catchainSeqno: number,
): Validator[] {
  const next = createPrng(workchain, shard, catchainSeqno);
  const left = [...set.validators];
  const chosen: Validator[] = [];
  let weightLeft = set.totalWeight;
  for (let count = Math.min(config.shardValidatorsNum, left.length); count > 0; count--) {
    let position = next(weightLeft);
    let index = 0;
    while (position >= left[index]!.weight) position -= left[index++]!.weight;
    const [validator] = left.splice(index, 1);
    weightLeft -= validator!.weight;
    chosen.push({ ...validator!, weight: 1n });
  }
  return chosen;
}

/** Numbers below a bound that depend on nothing but the group: SHA-512 of a counter and the group's name. */
function createPrng(workchain: number, shard: bigint, catchainSeqno: number): (below: bigint) => bigint {
  const seed = Buffer.alloc(48);
  seed.writeBigInt64BE(BigInt.asIntN(64, shard), 32);
  seed.writeInt32BE(workchain, 40);
  seed.writeUInt32BE(catchainSeqno, 44);
  let words = Buffer.alloc(0);
  let counter = 0;
  let at = 0;
  return (below) => {
    if (at === words.length) {
      seed.writeUInt32BE(counter++, 28);
      words = hash('sha512', seed, 'buffer');
      at = 0;
    }
    const word = words.readBigUInt64BE(at);
    at += 8;
    return (below * word) >> 64n;
  };
}
