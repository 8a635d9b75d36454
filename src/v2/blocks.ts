import Type from 'typebox';
import { type BlockId, MASTERCHAIN } from '../chain/block-id.ts';
import type { SignatureSet } from '../chain/tl/signatures.ts';
import type { BlockLinkBack } from '../lite/methods/block-proofs.ts';
import type { ProvenHeader } from '../lite/methods/proofs.ts';
import {
  findBlock,
  findHeader,
  type MasterchainHead,
  type ProvenShardBlock,
  proveShardBlock,
  type QueueSizes,
  readMasterchainHead,
  readQueueSizes,
  readShards,
  readSignedBlock,
  sessionSeqno,
} from '../live/blocks.ts';
import { openSession } from '../live/session.ts';
import { defineV2Operation } from './operation.ts';
import {
  blockHashes,
  blockKey,
  optionalInt32,
  optionalInt64,
  requiredMasterchainSeqno,
  shard,
  validateRefusal,
  workchain,
} from './parameters.ts';
import { Base64, BlockIdExt, blockIdExt, Hash256, Int64Text, TonlibObject } from './shapes.ts';

const MasterchainInfo = TonlibObject('blocks.masterchainInfo', 'MasterchainInfo', {
  last: BlockIdExt,
  state_root_hash: Hash256(),
  init: BlockIdExt,
});

/** Writes `blocks.masterchainInfo`; by contract the shard of the zero state is 0. */
function masterchainInfo({ last, stateRootHash, zeroState }: MasterchainHead) {
  return {
    '@type': 'blocks.masterchainInfo' as const,
    last: blockIdExt(last),
    state_root_hash: stateRootHash.toString('base64'),
    init: blockIdExt({ ...zeroState, shard: 0n, seqno: 0 }),
  };
}

export const getMasterchainInfo = defineV2Operation({
  name: 'getMasterchainInfo',
  tag: 'blocks',
  summary: 'Get the newest masterchain block',
  description: 'With the hash of the state after it and the zero state of the chain.',
  parameters: {},
  result: MasterchainInfo,
  cache: 'head',
  handler: async (_params, call) => masterchainInfo(await readMasterchainHead(call)),
});

export const getConsensusBlock = defineV2Operation({
  name: 'getConsensusBlock',
  tag: 'blocks',
  summary: 'Get the seqno of the newest masterchain block',
  description:
    'The newest block that any live lite server has, and the time of the response. No server is queried.',
  parameters: {},
  result: TonlibObject('ext.blocks.consensusBlock', 'ConsensusBlock', {
    consensus_block: Type.Integer(),
    timestamp: Type.Integer(),
  }),
  errors: [{ code: 500, when: 'No lite server is live' }],
  cache: 'none',
  handler: (_params, { ports, group }) => ({
    '@type': 'ext.blocks.consensusBlock' as const,
    consensus_block: ports.pool(group).consensusBlock().seqno,
    timestamp: Math.floor(ports.clock()),
  }),
});

/** The block found for a time is immutable once it is this many masterchain blocks old. */
const LASTING_BLOCKS = 32;

export const lookupBlock = defineV2Operation({
  name: 'lookupBlock',
  tag: 'blocks',
  summary: 'Find a block by seqno, logical time or unix time',
  description:
    'Requires exactly one of `seqno`, `lt` and `unixtime`. The block may belong to a smaller or larger shard than the given one.',
  parameters: {
    workchain: workchain(),
    shard: shard(),
    seqno: optionalInt32('Seqno of the block in its shard.', { minimum: 1 }),
    lt: optionalInt64('Logical time within the block.', { minimum: 0 }),
    unixtime: optionalInt32('Unix time of the block, in seconds.', { minimum: 0 }),
  },
  result: BlockIdExt,
  errors: [{ code: 500, when: 'There is no such block' }],
  cache: 'immutable',
  handler: async ({ workchain, shard, seqno, lt, unixtime }, call) => {
    if ([seqno, lt, unixtime].filter((selector) => selector !== undefined).length !== 1)
      throw validateRefusal('exactly one of seqno, lt, unixtime should be specified');
    const session = await openSession(call, { seqno: sessionSeqno(call, { workchain, seqno }) });
    if (seqno !== undefined) {
      const block = await session.run((target) => findBlock(call, target, { workchain, shard, seqno }));
      call.immutable = true;
      return blockIdExt(block);
    }
    const key = lt === undefined ? { workchain, shard, utime: unixtime! } : { workchain, shard, lt };
    const { block, info } = await session.run((target) => findHeader(call, target, key));
    call.immutable = session.reference.seqno - (info.masterRef ?? block).seqno > LASTING_BLOCKS;
    return blockIdExt(block);
  },
});

export const getShards = defineV2Operation({
  name: 'getShards',
  aliases: ['shards'],
  tag: 'blocks',
  summary: 'Get the newest blocks of all shards at a masterchain block',
  description:
    'Workchains in ascending order, the shards of each from left to right; without the masterchain.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: TonlibObject('blocks.shards', 'Shards', { shards: Type.Array(BlockIdExt) }),
  errors: [{ code: 500, when: 'There is no such block' }],
  cache: 'immutable',
  handler: async ({ seqno }, call) => {
    const shards = await readShards(call, seqno);
    call.immutable = true;
    return { '@type': 'blocks.shards' as const, shards: shards.map(blockIdExt) };
  },
});

const BlockHeader = TonlibObject('blocks.header', 'BlockHeader', {
  id: BlockIdExt,
  global_id: Type.Integer(),
  version: Type.Integer(),
  after_merge: Type.Boolean(),
  after_split: Type.Boolean(),
  before_split: Type.Boolean(),
  want_merge: Type.Boolean(),
  want_split: Type.Boolean(),
  validator_list_hash_short: Type.Integer(),
  catchain_seqno: Type.Integer(),
  min_ref_mc_seqno: Type.Integer(),
  is_key_block: Type.Boolean(),
  prev_key_block_seqno: Type.Integer(),
  start_lt: Int64Text(),
  end_lt: Int64Text(),
  gen_utime: Type.Integer(),
  prev_blocks: Type.Array(BlockIdExt),
});

/** Writes `blocks.header`; its 32-bit numbers are signed. */
function blockHeader({ block, root, info, previous }: ProvenHeader) {
  return {
    '@type': 'blocks.header' as const,
    id: blockIdExt(block),
    global_id: root.globalId,
    version: info.version | 0,
    after_merge: info.afterMerge,
    after_split: info.afterSplit,
    before_split: info.beforeSplit,
    want_merge: info.wantMerge,
    want_split: info.wantSplit,
    validator_list_hash_short: info.genValidatorListHashShort | 0,
    catchain_seqno: info.genCatchainSeqno | 0,
    min_ref_mc_seqno: info.minRefMcSeqno | 0,
    is_key_block: info.keyBlock,
    // Shard blocks have it too, but by contract it is 0 for them.
    prev_key_block_seqno: block.workchain === MASTERCHAIN ? info.prevKeyBlockSeqno | 0 : 0,
    start_lt: String(BigInt.asIntN(64, info.startLt)),
    end_lt: String(BigInt.asIntN(64, info.endLt)),
    gen_utime: info.genUtime,
    prev_blocks: previous.map(blockIdExt),
  };
}

export const getBlockHeader = defineV2Operation({
  name: 'getBlockHeader',
  tag: 'blocks',
  summary: 'Get the header of a block',
  description: 'With the ids of the blocks before it.',
  parameters: { ...blockKey(), ...blockHashes() },
  result: BlockHeader,
  errors: [{ code: 500, when: 'There is no such block' }],
  cache: 'immutable',
  handler: async ({ workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }, call) => {
    const wanted = { workchain, shard, seqno, rootHash, fileHash };
    const session = await openSession(call, { seqno: sessionSeqno(call, wanted) });
    const header = await session.run((target) => findHeader(call, target, wanted));
    call.immutable = true;
    return blockHeader(header);
  },
});

const signatureMembers = {
  id: BlockIdExt,
  signatures: Type.Array(
    TonlibObject('blocks.signature', 'BlockSignature', {
      node_id_short: Hash256(),
      signature: Base64(),
    }),
  ),
};

/** `blocks.blockSignatures`, or `blocks.blockSignatures.simplex` with the newer consensus protocol. */
export const BlockSignatures = Type.Union(
  [
    TonlibObject('blocks.blockSignatures', 'BlockSignatures', { ...signatureMembers }),
    TonlibObject('blocks.blockSignatures.simplex', 'BlockSignaturesSimplex', {
      ...signatureMembers,
      session_id: Hash256(),
      slot: Type.Integer(),
      candidate: Base64(),
    }),
  ],
  { title: 'MasterchainBlockSignatures' },
);

/** Writes the signatures of a block. */
export function blockSignatures(block: BlockId, set: SignatureSet) {
  const shared = {
    id: blockIdExt(block),
    signatures: set.signatures.map(({ nodeIdShort, signature }) => ({
      '@type': 'blocks.signature' as const,
      node_id_short: nodeIdShort.toString('base64'),
      signature: signature.toString('base64'),
    })),
  };
  if (set.kind === 'ordinary') return { '@type': 'blocks.blockSignatures' as const, ...shared };
  return {
    '@type': 'blocks.blockSignatures.simplex' as const,
    ...shared,
    session_id: set.sessionId.toString('base64'),
    slot: set.slot | 0,
    candidate: set.candidate.toString('base64'),
  };
}

export const getMasterchainBlockSignatures = defineV2Operation({
  name: 'getMasterchainBlockSignatures',
  tag: 'blocks',
  summary: 'Get the signatures of a masterchain block',
  description: 'Signatures of validators with more than two thirds of the total weight.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: BlockSignatures,
  errors: [{ code: 500, when: 'The block is the first one, or does not exist yet' }],
  cache: 'immutable',
  handler: async ({ seqno }, call) => {
    const { block, signatures } = await readSignedBlock(call, seqno);
    call.immutable = true;
    return blockSignatures(block, signatures);
  },
});

/** `blocks.shardBlockProof`. */
export const ShardBlockProof = TonlibObject('blocks.shardBlockProof', 'ShardBlockProof', {
  from: BlockIdExt,
  mc_id: BlockIdExt,
  links: Type.Array(
    TonlibObject('blocks.shardBlockLink', 'ShardBlockLink', { id: BlockIdExt, proof: Base64() }),
  ),
  mc_proof: Type.Array(
    TonlibObject('blocks.blockLinkBack', 'BlockLinkBack', {
      to_key_block: Type.Boolean(),
      from: BlockIdExt,
      to: BlockIdExt,
      dest_proof: Base64(),
      proof: Base64(),
      state_proof: Base64(),
    }),
  ),
});

function shardBlockProof({ from, masterchain, links, back }: ProvenShardBlock) {
  return {
    '@type': 'blocks.shardBlockProof' as const,
    from: blockIdExt(from),
    mc_id: blockIdExt(masterchain),
    // By contract these are the bytes of the lite server.
    links: links.map(({ id, proof }) => ({
      '@type': 'blocks.shardBlockLink' as const,
      id: blockIdExt(id),
      proof: proof.toString('base64'),
    })),
    mc_proof: back.map(linkBack),
  };
}

function linkBack({ toKeyBlock, from, to, destProof, proof, stateProof }: BlockLinkBack) {
  return {
    '@type': 'blocks.blockLinkBack' as const,
    to_key_block: toKeyBlock,
    from: blockIdExt(from),
    to: blockIdExt(to),
    dest_proof: destProof.toString('base64'),
    proof: proof.toString('base64'),
    state_proof: stateProof.toString('base64'),
  };
}

export const getShardBlockProof = defineV2Operation({
  name: 'getShardBlockProof',
  tag: 'blocks',
  summary: 'Get the proof of a block from a masterchain block',
  description:
    'Leads from a masterchain block back to the one that contains the block (`mc_proof`), and from there to the block (`links`).',
  parameters: {
    ...blockKey({ named: true }),
    from_seqno: optionalInt32('Seqno of the masterchain block to start from; the newest when left out.', {
      minimum: 0,
    }),
  },
  result: ShardBlockProof,
  errors: [{ code: 500, when: 'There is no such block, or it is newer than the block to start from' }],
  cache: 'immutable',
  handler: async ({ workchain, shard, seqno, from_seqno: fromSeqno }, call) => {
    const proof = await proveShardBlock(call, { workchain, shard, seqno }, fromSeqno);
    call.immutable = fromSeqno !== undefined;
    return shardBlockProof(proof);
  },
});

const OutMsgQueueSizes = TonlibObject('blocks.outMsgQueueSizes', 'OutMsgQueueSizes', {
  shards: Type.Array(
    TonlibObject('blocks.outMsgQueueSize', 'OutMsgQueueSize', {
      id: BlockIdExt,
      size: Type.Integer(),
    }),
  ),
  ext_msg_queue_size_limit: Type.Integer(),
});

function outMsgQueueSizes({ queues, limit }: QueueSizes) {
  return {
    '@type': 'blocks.outMsgQueueSizes' as const,
    shards: queues.map(({ block, size }) => ({
      '@type': 'blocks.outMsgQueueSize' as const,
      id: blockIdExt(block),
      size,
    })),
    ext_msg_queue_size_limit: limit,
  };
}

export const getOutMsgQueueSize = defineV2Operation({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  tag: 'blocks',
  summary: 'Get the sizes of the out message queues of all shards',
  description: 'At the newest blocks; the masterchain first, then all shards.',
  parameters: {},
  result: OutMsgQueueSizes,
  cache: 'head',
  handler: async (_params, call) => outMsgQueueSizes(await readQueueSizes(call)),
});
