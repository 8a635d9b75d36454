import { hash } from 'node:crypto';
import { adnlShortId } from '../../chain/adnl/keys.ts';
import { type BlockId, MASTERCHAIN, sameBlock } from '../../chain/block-id.ts';
import { tl } from '../../chain/tl/fields.ts';
import {
  CANDIDATE_ORDINARY,
  candidateBlock,
  type SignatureSet,
  type SimplexSignatureSet,
  signedData,
  writeCandidateId,
} from '../../chain/tl/signatures.ts';
import { TlWriter } from '../../chain/tl/tl.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import {
  masterchainValidators,
  shardValidators,
  type Validator,
  validatorSetHash,
} from '../../chain/tlb/validators.ts';
import type { ChainConfig } from './chain-config.ts';
import type { MasterchainView } from './masterchain-view.ts';
import { holds } from './routing.ts';

/** Validators of one shard for a time, and their ids in headers and signatures. */
type ValidatorGroup = Readonly<ReturnType<typeof named>>;

export function validatorGroupOf(view: MasterchainView, { workchain, shard }: ShardIdent): ValidatorGroup {
  const { catchain, validators: set } = view.config;
  if (workchain === MASTERCHAIN) return masterchainGroup(view.config, view.info.catchainSeqno);
  const place = { workchain, prefix: shard };
  const descr = view.shards.find((existing) => holds(existing, place));
  if (descr === undefined) throw new Error('the masterchain does not know the shard');
  const catchainSeqno = descr.nextCatchainSeqno;
  return named(shardValidators(set, catchain, workchain, shard, catchainSeqno), catchainSeqno);
}

export function masterchainGroup(config: ChainConfig, catchainSeqno: number): ValidatorGroup {
  return named(masterchainValidators(config.validators, config.catchain, catchainSeqno), catchainSeqno);
}

function named(validators: readonly Validator[], catchainSeqno: number) {
  return { validators, catchainSeqno, validatorListHashShort: validatorSetHash(validators, catchainSeqno) };
}

/** Signs with the key of the validator with a public key. */
export type BlockSigner = (publicKey: Buffer, data: Buffer) => Buffer;

const CANDIDATE_PARENT = 0x1a4b9af1;
const CANDIDATE_WITHOUT_PARENTS = 0x22cbcca9;
/** There is no collated data besides the block. */
const NO_COLLATED_DATA = hash('sha256', '', 'buffer');

/**
 * Signs a masterchain block as its group of validators. A group has a session of its own, in which each block has a
 * slot and names the block before; `before` are the signatures under that one.
 */
export function signBlock(
  group: ValidatorGroup,
  block: BlockId,
  previous: BlockId,
  before: SignatureSet | undefined,
  sign: BlockSigner,
): SimplexSignatureSet {
  const { catchainSeqno, validatorListHashShort: validatorSetHash } = group;
  const sessionId = sessionOf(group);
  const parent =
    before?.kind === 'simplex' &&
    before.sessionId.equals(sessionId) &&
    sameBlock(candidateBlock(before), previous)
      ? before
      : undefined;
  const slot = parent === undefined ? 0 : parent.slot + 1;
  const candidate = candidateOf(block, parent);
  const unsigned = { kind: 'simplex', catchainSeqno, validatorSetHash, sessionId, slot, candidate } as const;
  const data = signedData({ ...unsigned, signatures: [] }, block);
  const signatures = group.validators.map(({ publicKey }) => ({
    nodeIdShort: adnlShortId(publicKey),
    signature: sign(publicKey, data),
  }));
  return { ...unsigned, signatures };
}

function sessionOf({ validators, catchainSeqno, validatorListHashShort }: ValidatorGroup): Buffer {
  const writer = new TlWriter();
  writer.uint(catchainSeqno);
  writer.uint(validatorListHashShort);
  for (const { publicKey } of validators) writer.int256(publicKey);
  return hash('sha256', writer.finish(), 'buffer');
}

function candidateOf(block: BlockId, parent: SimplexSignatureSet | undefined): Buffer {
  const writer = new TlWriter();
  writer.uint(CANDIDATE_ORDINARY);
  tl.blockId.write(writer, block);
  writer.int256(NO_COLLATED_DATA);
  if (parent === undefined) writer.uint(CANDIDATE_WITHOUT_PARENTS);
  else {
    writer.uint(CANDIDATE_PARENT);
    writeCandidateId(writer, parent);
  }
  return writer.finish();
}
