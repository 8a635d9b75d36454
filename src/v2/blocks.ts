import Type from 'typebox';
import { type BlockId, MASTERCHAIN } from '../chain/block-id.ts';
import type { SignatureSet } from '../chain/tl/signatures.ts';
import type { BlockLinkBack } from '../lite/methods/codec.ts';
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
import { Base64, BlockIdExt, blockIdExt, Hash256, Int64Text, shapeOf, TonlibObject } from './shapes.ts';

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

/** Its 32-bit numbers are signed. */
const blockHeader = shapeOf<ProvenHeader>()('blocks.header', 'BlockHeader', {
  id: [BlockIdExt, ({ block }) => blockIdExt(block)],
  global_id: [Type.Integer(), ({ root }) => root.globalId],
  version: [Type.Integer(), ({ info }) => info.version | 0],
  after_merge: [Type.Boolean(), ({ info }) => info.afterMerge],
  after_split: [Type.Boolean(), ({ info }) => info.afterSplit],
  before_split: [Type.Boolean(), ({ info }) => info.beforeSplit],
  want_merge: [Type.Boolean(), ({ info }) => info.wantMerge],
  want_split: [Type.Boolean(), ({ info }) => info.wantSplit],
  validator_list_hash_short: [Type.Integer(), ({ info }) => info.genValidatorListHashShort | 0],
  catchain_seqno: [Type.Integer(), ({ info }) => info.genCatchainSeqno | 0],
  min_ref_mc_seqno: [Type.Integer(), ({ info }) => info.minRefMcSeqno | 0],
  is_key_block: [Type.Boolean(), ({ info }) => info.keyBlock],
  // Shard blocks have it too, but by contract it is 0 for them.
  prev_key_block_seqno: [
    Type.Integer(),
    ({ block, info }) => (block.workchain === MASTERCHAIN ? info.prevKeyBlockSeqno | 0 : 0),
  ],
  start_lt: [Int64Text(), ({ info }) => String(BigInt.asIntN(64, info.startLt))],
  end_lt: [Int64Text(), ({ info }) => String(BigInt.asIntN(64, info.endLt))],
  gen_utime: [Type.Integer(), ({ info }) => info.genUtime],
  prev_blocks: [Type.Array(BlockIdExt), ({ previous }) => previous.map(blockIdExt)],
});

export const getBlockHeader = defineV2Operation({
  name: 'getBlockHeader',
  tag: 'blocks',
  summary: 'Get the header of a block',
  description: 'With the ids of the blocks before it.',
  parameters: { ...blockKey(), ...blockHashes() },
  result: blockHeader.schema,
  errors: [{ code: 500, when: 'There is no such block' }],
  cache: 'immutable',
  handler: async ({ workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }, call) => {
    const wanted = { workchain, shard, seqno, rootHash, fileHash };
    const session = await openSession(call, { seqno: sessionSeqno(call, wanted) });
    const header = await session.run((target) => findHeader(call, target, wanted));
    call.immutable = true;
    return blockHeader.write(header);
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

// By contract the proofs are the bytes of the lite server.
const shardBlockLink = shapeOf<ProvenShardBlock['links'][number]>()(
  'blocks.shardBlockLink',
  'ShardBlockLink',
  {
    id: [BlockIdExt, ({ id }) => blockIdExt(id)],
    proof: [Base64(), ({ proof }) => proof.toString('base64')],
  },
);

const blockLinkBack = shapeOf<BlockLinkBack>()('blocks.blockLinkBack', 'BlockLinkBack', {
  to_key_block: [Type.Boolean(), ({ toKeyBlock }) => toKeyBlock],
  from: [BlockIdExt, ({ from }) => blockIdExt(from)],
  to: [BlockIdExt, ({ to }) => blockIdExt(to)],
  dest_proof: [Base64(), ({ destProof }) => destProof.toString('base64')],
  proof: [Base64(), ({ proof }) => proof.toString('base64')],
  state_proof: [Base64(), ({ stateProof }) => stateProof.toString('base64')],
});

export const shardBlockProof = shapeOf<ProvenShardBlock>()('blocks.shardBlockProof', 'ShardBlockProof', {
  from: [BlockIdExt, ({ from }) => blockIdExt(from)],
  mc_id: [BlockIdExt, ({ masterchain }) => blockIdExt(masterchain)],
  links: [Type.Array(shardBlockLink.schema), ({ links }) => links.map(shardBlockLink.write)],
  mc_proof: [Type.Array(blockLinkBack.schema), ({ back }) => back.map(blockLinkBack.write)],
});

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
  result: shardBlockProof.schema,
  errors: [{ code: 500, when: 'There is no such block, or it is newer than the block to start from' }],
  cache: 'immutable',
  handler: async ({ workchain, shard, seqno, from_seqno: fromSeqno }, call) => {
    const proof = await proveShardBlock(call, { workchain, shard, seqno }, fromSeqno);
    call.immutable = fromSeqno !== undefined;
    return shardBlockProof.write(proof);
  },
});

const queueSize = shapeOf<QueueSizes['queues'][number]>()('blocks.outMsgQueueSize', 'OutMsgQueueSize', {
  id: [BlockIdExt, ({ block }) => blockIdExt(block)],
  size: [Type.Integer(), ({ size }) => size],
});

const queueSizes = shapeOf<QueueSizes>()('blocks.outMsgQueueSizes', 'OutMsgQueueSizes', {
  shards: [Type.Array(queueSize.schema), ({ queues }) => queues.map(queueSize.write)],
  ext_msg_queue_size_limit: [Type.Integer(), ({ limit }) => limit],
});

export const getOutMsgQueueSize = defineV2Operation({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  tag: 'blocks',
  summary: 'Get the sizes of the out message queues of all shards',
  description: 'At the newest blocks; the masterchain first, then all shards.',
  parameters: {},
  result: queueSizes.schema,
  cache: 'head',
  handler: async (_params, call) => queueSizes.write(await readQueueSizes(call)),
});
