import { MASTERCHAIN } from '../../chain/block-id.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import type { Validator } from '../../chain/tlb/validator-set.ts';
import { validatorSetHash } from '../../chain/tlb/validator-set-hash.ts';
import { masterchainValidators, shardValidators } from '../../chain/tlb/validator-subset.ts';
import type { ChainConfig } from './chain-config.ts';
import type { MasterchainView } from './masterchain-view.ts';
import { holds } from './routing.ts';

/** The validators of one shard for a time, and how headers and signatures name them. */
export interface ValidatorGroup {
  readonly validators: readonly Validator[];
  readonly catchainSeqno: number;
  readonly validatorListHashShort: number;
}

/** The group that makes the next block of a shard. */
export function groupOf(view: MasterchainView, { workchain, shard }: ShardIdent): ValidatorGroup {
  const { catchain, validators: set } = view.config;
  if (workchain === MASTERCHAIN) return masterchainGroup(view.config, view.info.catchainSeqno);
  const place = { workchain, prefix: shard };
  const descr = view.shards.find((known) => holds(known, place));
  if (descr === undefined) throw new Error('the masterchain does not know the shard');
  const catchainSeqno = descr.nextCatchainSeqno;
  return named(shardValidators(set, catchain, workchain, shard, catchainSeqno), catchainSeqno);
}

/** The group of the masterchain of a catchain number. */
export function masterchainGroup(
  { validators, catchain }: ChainConfig,
  catchainSeqno: number,
): ValidatorGroup {
  return named(masterchainValidators(validators, catchain, catchainSeqno), catchainSeqno);
}

function named(validators: readonly Validator[], catchainSeqno: number): ValidatorGroup {
  return { validators, catchainSeqno, validatorListHashShort: validatorSetHash(validators, catchainSeqno) };
}

/** The short name of a group that does not depend on its number. */
export function nameWithoutNumber({ validators }: ValidatorGroup): number {
  return validatorSetHash(validators, 0);
}
