import { type BlockId, MASTERCHAIN, sameBlock } from '../../../chain/block-id.ts';
import { shardContains } from '../../../chain/shard-prefix.ts';
import { previousBlocks } from '../../../chain/tlb/block-previous.ts';
import type { ChainStore, OpenBlock } from '../../store/chain-store.ts';
import { isMasterchainBlock } from '../block-names.ts';
import { findBlock, readLookupKey } from '../find-block.ts';
import { knownBlock, loadMasterchainBlockAndState } from '../known-blocks.ts';
import { LiteRefusal, PLAIN_ERROR, refuse } from '../lite-refusal.ts';
import { headerProof, readHeader, stateRootProof } from '../proofs/header-proof.ts';
import { oldBlockProof } from '../proofs/old-block-proof.ts';
import { shardLinks } from '../proofs/shard-links.ts';
import type { Query } from '../query.ts';

const NO_PROOF = Buffer.alloc(0);

/** Finds a block and proves it from a masterchain block that the client trusts. */
export const lookupBlockWithProof: Query<'lookupBlockWithProof'> = ({ store }, request) => {
  const { mode, mcBlockId: trusted } = request;
  const [by, value] = readLookupKey(request);
  if (!isMasterchainBlock(trusted)) refuse('masterchain block id must be specified');
  const { workchain, shard: prefix } = request.id;
  const found = findBlock(store, { workchain, prefix }, by, value);
  if (found.masterchainSeqno > trusted.seqno)
    throw new LiteRefusal(PLAIN_ERROR, "specified mc block is older than block's masterchain ref");
  const block = store.open(found);
  const { masterchain, links } =
    workchain === MASTERCHAIN ? { masterchain: found.id, links: [] } : shardLinks(store, found);
  return {
    id: found.id,
    mode,
    mcBlockId: masterchain,
    ...masterchainProofs(store, trusted, masterchain),
    shardLinks: links,
    header: headerProof(block),
    prevHeader: by === 'seqno' ? NO_PROOF : previousHeader(store, block, prefix),
  };
};

/** That the trusted block's state remembers another masterchain block; nothing if they are the same. */
function masterchainProofs(
  store: ChainStore,
  trusted: BlockId,
  masterchain: BlockId,
): { clientMcStateProof: Buffer; mcBlockProof: Buffer } {
  if (sameBlock(trusted, masterchain)) return { clientMcStateProof: NO_PROOF, mcBlockProof: NO_PROOF };
  const block = loadMasterchainBlockAndState(store, trusted);
  const mcBlockProof = oldBlockProof(block.state, masterchain, false);
  if (mcBlockProof === undefined) throw new LiteRefusal(PLAIN_ERROR, 'client mc blkid is not in prev_blocks');
  return { clientMcStateProof: stateRootProof(block), mcBlockProof };
}

/** The header of the block before, which shows that no earlier block fits. */
function previousHeader(store: ChainStore, block: OpenBlock, prefix: bigint): Buffer {
  const previous = previousBlocks(readHeader(block).info).findLast(({ shard }) =>
    shardContains(shard, prefix),
  );
  if (previous === undefined) refuse('failed to choose previous block');
  return headerProof(knownBlock(store, previous));
}
