import { type BlockId, MASTERCHAIN, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { AccountPrefix } from '../store/chain-store.ts';

const INVALID_WORKCHAIN = -(2 ** 31);
const NO_HASH = Buffer.alloc(32);
const LEAST_SHARD_BIT = 8n;

/** The name of no block: what an answer holds where there is none. */
export const NO_BLOCK: BlockId = {
  workchain: INVALID_WORKCHAIN,
  shard: 0n,
  seqno: 0,
  rootHash: NO_HASH,
  fileHash: NO_HASH,
};

/** A block's whole name in the form nodes print. */
export function fullBlockName(id: BlockId): string {
  const place = shortBlockName({ ...id, seqno: id.seqno >>> 0 });
  return `${place}:${hex(id.rootHash)}:${hex(id.fileHash)}`;
}

/** A place in a workchain in the form nodes print. */
export function prefixName({ workchain, prefix }: AccountPrefix): string {
  return `(${workchain},${BigInt.asUintN(64, prefix).toString(16).padStart(16, '0')})`;
}

/** Whether a workchain can exist. */
export function isValidWorkchain(workchain: number): boolean {
  return workchain !== INVALID_WORKCHAIN;
}

/** Whether a name can be that of a block, hashes included. */
export function isValidBlockId(id: BlockId): boolean {
  return (
    isValidWorkchain(id.workchain) &&
    id.shard !== 0n &&
    id.shard % LEAST_SHARD_BIT === 0n &&
    id.seqno >= 0 &&
    (id.workchain !== MASTERCHAIN || id.shard === WHOLE_SHARD) &&
    !id.rootHash.equals(NO_HASH) &&
    !id.fileHash.equals(NO_HASH)
  );
}

/** Whether a name is that of a masterchain block, whatever its hashes. */
export function isMasterchainBlock(id: BlockId): boolean {
  return id.workchain === MASTERCHAIN && id.shard === WHOLE_SHARD;
}

function hex(hash: Buffer): string {
  return hash.toString('hex').toUpperCase();
}
