import { type BlockId, MASTERCHAIN, sameBlock, shortBlockName, WHOLE_SHARD } from '../../chain/block-id.ts';
import { NoLiteServer, ProofFailure } from '../../lite/errors.ts';
import { getBlockBytes } from '../../lite/queries/get-block-bytes.ts';
import { lookupBlock } from '../../lite/queries/lookup-block.ts';
import { lookupBlockWithProof } from '../../lite/queries/lookup-block-with-proof.ts';
import type { LiteTarget } from '../../lite/session.ts';
import { type FetchContext, onServer } from './fetch-context.ts';
import type { FetchedBlock } from './fetched-seqno.ts';
import { type MasterchainFacts, readMasterchainFacts } from './masterchain-facts.ts';

/** A masterchain block that was fetched, and what it says. */
export interface MasterchainBlock extends FetchedBlock {
  readonly facts: MasterchainFacts;
}

/**
 * Masterchain blocks that follow each other. The last one is proven to belong to the chain; the others are looked up
 * all at once, and the links from each block to the one before it show that they are the right ones.
 */
export function fetchWindow(
  context: FetchContext,
  first: number,
  last: number,
): Promise<readonly MasterchainBlock[]> {
  return onServer(context, last, async (target) => {
    // The server's own newest block may be some blocks behind the newest one of all.
    const end = Math.min(last, target.reference.seqno);
    if (end < first) throw new NoLiteServer(`no lite server has masterchain block ${first} yet`);
    const seqnos = Array.from({ length: end - first + 1 }, (_, i) => first + i);
    const blocks = await Promise.all(
      seqnos.map((seqno) =>
        context.gate.run(() => fetchMasterchainBlock(context, target, seqno, seqno === end)),
      ),
    );
    for (let i = blocks.length - 1; i > 0; i--) checkLink(blocks[i]!, blocks[i - 1]!.id);
    return blocks;
  });
}

async function fetchMasterchainBlock(
  { check }: FetchContext,
  target: LiteTarget,
  seqno: number,
  isProven: boolean,
): Promise<MasterchainBlock> {
  const { query, reference } = target;
  const key = { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno };
  const find = async (): Promise<BlockId> => {
    if (seqno === reference.seqno) return reference;
    const found = isProven
      ? await lookupBlockWithProof(query, reference, key, check)
      : await lookupBlock(query, key, check);
    return found.block;
  };
  const id = await find();
  const bytes = await getBlockBytes(query, id, check);
  return { id, bytes, facts: readMasterchainFacts(bytes) };
}

/** The server told a wrong block, or the proven one is not what it seems; either way it is not to be believed. */
function checkLink(block: MasterchainBlock, before: BlockId): void {
  if (sameBlock(block.facts.previous, before)) return;
  throw new ProofFailure(
    'VALIDATE_BLOCK_PROOF',
    `: block ${shortBlockName(before)} is not the one before ${shortBlockName(block.id)}`,
  );
}
