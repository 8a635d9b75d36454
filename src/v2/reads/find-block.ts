import { type BlockId, MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { ProvenHeader } from '../../lite/proofs/block-header.ts';
import type { BlockKey } from '../../lite/queries/block-key.ts';
import { getBlockHeader } from '../../lite/queries/get-block-header.ts';
import { lookupBlockWithProof } from '../../lite/queries/lookup-block-with-proof.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { withoutBlame } from './without-blame.ts';

/** What a caller knows of a block: its place or a time in it, and perhaps its hashes. */
export type WantedBlock = BlockKey & {
  readonly rootHash?: Buffer | undefined;
  readonly fileHash?: Buffer | undefined;
};

/**
 * Finds a block in the chain of the reference block. A block that is given by its whole name is not looked up: what is
 * asked about it next is checked against its hashes.
 */
export async function findBlock(call: V2Call, target: LiteTarget, wanted: WantedBlock): Promise<BlockId> {
  return wholeName(wanted, target) ?? (await lookUp(call, target, wanted)).block;
}

/** The same with the header of the block. */
export async function findHeader(
  call: V2Call,
  target: LiteTarget,
  wanted: WantedBlock,
): Promise<ProvenHeader> {
  const block = wholeName(wanted, target);
  if (block === undefined) return lookUp(call, target, wanted);
  const header = getBlockHeader(target.query, block, call.ports.check);
  return block === target.reference ? header : withoutBlame(header);
}

/** The key of a masterchain block. */
export function masterchainKey(seqno: number) {
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
}

/**
 * The masterchain block that a session about a block should be opened for. A number in a shard does not tell; but
 * callers often have it from the newest masterchain block, and then a server that is behind does not know it yet.
 */
export function sessionSeqno(
  { ports, group }: V2Call,
  { workchain, seqno }: { readonly workchain: number; readonly seqno?: number | undefined },
): number | undefined {
  if (workchain === MASTERCHAIN && seqno !== undefined) return seqno;
  const { head } = ports.pool(group);
  // A server that lacks one block can wait for it.
  return head && head.seqno - 1;
}

function wholeName(wanted: WantedBlock, { reference }: LiteTarget): BlockId | undefined {
  if (!('seqno' in wanted)) return undefined;
  const { workchain, shard, seqno, rootHash, fileHash } = wanted;
  if (rootHash !== undefined && fileHash !== undefined)
    return { workchain, shard, seqno, rootHash, fileHash };
  return workchain === MASTERCHAIN && seqno === reference.seqno ? reference : undefined;
}

function lookUp({ ports }: V2Call, { query, reference }: LiteTarget, key: BlockKey): Promise<ProvenHeader> {
  return lookupBlockWithProof(query, reference, key, ports.check);
}
