import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { BlockLinkBack } from '../../chain/tl/block-proofs.ts';
import type { ShardBlockLink } from '../../chain/tl/shard-block-links.ts';
import { Failure } from '../../lib/failure.ts';
import { blockProofFailure } from '../../lite/proofs/block-proof-failure.ts';
import { readWholeBag } from '../../lite/proofs/open-proof.ts';
import { proving } from '../../lite/proofs/proof-scope.ts';
import { getBlockLinks } from '../../lite/queries/get-block-proof.ts';
import { getShardBlockProof } from '../../lite/queries/get-shard-block-proof.ts';
import type { LiteSession, LiteTarget } from '../../lite/session.ts';
import type { V2Call } from '../call.ts';
import { findBlock, masterchainKey, type WantedBlock } from './find-block.ts';

/** How a masterchain block proves another block: back to an older masterchain block, and down to the shard. */
export interface ProvenShardBlock {
  readonly from: BlockId;
  readonly masterchain: BlockId;
  readonly links: readonly ShardBlockLink[];
  /** One step at most. */
  readonly back: readonly BlockLinkBack[];
}

/** Proves a block from a masterchain block: the one with a number, or the reference block. */
export async function provenShardBlock(
  call: V2Call,
  session: LiteSession,
  wanted: WantedBlock,
  fromSeqno: number | undefined,
): Promise<ProvenShardBlock> {
  const block = await session.run((target) => findBlock(call, target, wanted));
  const from = fromSeqno === undefined ? session.reference : await findFrom(call, session, fromSeqno);
  return session.run((target) => prove(call, target, block, from));
}

/** A run of its own: the text may only change once no other server can do better. */
async function findFrom(call: V2Call, session: LiteSession, seqno: number): Promise<BlockId> {
  try {
    return await session.run((target) => findBlock(call, target, masterchainKey(seqno)));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure(error.kind, `lookup from block error: ${error.message}`, { cause: error });
  }
}

async function prove(
  { ports: { check, memory } }: V2Call,
  { query }: LiteTarget,
  block: BlockId,
  from: BlockId,
): Promise<ProvenShardBlock> {
  const { masterchainId: masterchain, links } = await getShardBlockProof(query, block, check);
  if (masterchain.seqno > from.seqno) throw new Failure('lite_server', 'from mc block is too old');
  if (sameBlock(from, masterchain)) return { from, masterchain, links, back: [] };
  const steps = await getBlockLinks(query, from, masterchain, { ...check, signersOf: memory.signersOf });
  const [step] = steps;
  if (steps.length !== 1 || step?.kind !== 'back') throw blockProofFailure('got invalid proof chain');
  return { from, masterchain, links, back: [rewrite(step)] };
}

/** By contract these proofs are bags of one form, whatever the server's looks like. */
function rewrite(link: BlockLinkBack): BlockLinkBack {
  const again = (proof: Buffer) => {
    const cells = readWholeBag(proof);
    return writeBoc({ cells, roots: [cells.root] }, { order: 'tonlib', crc: false });
  };
  return proving('VALIDATE_BLOCK_PROOF', () => ({
    ...link,
    destProof: again(link.destProof),
    proof: again(link.proof),
    stateProof: again(link.stateProof),
  }));
}
