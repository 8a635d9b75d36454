import { type BlockId, shortBlockName } from '../../chain/block-id.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { TlError } from '../../chain/tl/tl-error.ts';
import { ProofFailure } from '../errors.ts';
import type { CheckedShardProofs } from './checked-shard-proofs.ts';

/** Which check failed, in the words client libraries know. */
export type ProofPrefix = ConstructorParameters<typeof ProofFailure>[0];

/** Whether hashes are compared. Without it an answer is still parsed, and its parts must still be there. */
export interface CheckOptions {
  readonly verify: boolean;
  /** What need not be checked again; everything is without it. */
  readonly shardProofs?: CheckedShardProofs | undefined;
}

/** Something that an answer says and that is not so; becomes a ProofFailure where the check as a whole has a name. */
class Untrue extends Error {}

/** Ends a check: the answer says something that is not so. */
export function refuse(detail: string): never {
  throw new Untrue(detail);
}

/** Runs a check; whatever is wrong with an answer, also that it does not parse, throws a ProofFailure. */
export function proving<T>(prefix: ProofPrefix, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof Untrue || error instanceof CellFault || error instanceof TlError)
      throw new ProofFailure(prefix, error.message, error);
    throw error;
  }
}

/** Puts a text before what is wrong within a part of a check. */
export function explaining<T>(text: string, part: () => T): T {
  try {
    return part();
  } catch (error) {
    if (error instanceof Untrue || error instanceof CellFault) refuse(text + error.message);
    throw error;
  }
}

/** A block's full name in the form nodes print. */
export function blockText(id: BlockId): string {
  return `${shortBlockName(id)}:${hashText(id.rootHash)}:${hashText(id.fileHash)}`;
}

/** A hash in the form nodes print. */
export function hashText(hash: Buffer): string {
  return hash.toString('hex').toUpperCase();
}
