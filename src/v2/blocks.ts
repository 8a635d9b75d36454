import Type from 'typebox';
import { type BlockId, MASTERCHAIN } from '../chain/block-id.ts';
import type { SignatureSet } from '../chain/tl/signatures.ts';
import { topBlock } from '../chain/tlb/shard-hashes.ts';
import { defineOperation } from '../http/operation.ts';
import type { BlockLinkBack } from '../lite/methods/block-proofs.ts';
import { getStateRootHash } from '../lite/methods/blocks.ts';
import type { ProvenHeader } from '../lite/methods/proofs.ts';
import { getAllShardsInfo } from '../lite/methods/shards.ts';
import {
  findBlock,
  findHeader,
  masterchainKey,
  type ProvenShardBlock,
  proveShardBlock,
  type QueueSizes,
  readQueueSizes,
  readSignedBlock,
  sessionSeqno,
} from '../live/blocks.ts';
import { type LiveCall, openSession } from '../live/session.ts';
import { blockHashes, blockPlace, requiredMasterchainSeqno, shard, workchain } from './chain-parameters.ts';
import { getBlockHeaderExamples } from './examples/get-block-header.ts';
import { getConsensusBlockExamples } from './examples/get-consensus-block.ts';
import { getMasterchainBlockSignaturesExamples } from './examples/get-masterchain-block-signatures.ts';
import { getMasterchainInfoExamples } from './examples/get-masterchain-info.ts';
import { getOutMsgQueueSizeExamples } from './examples/get-out-msg-queue-size.ts';
import { getShardBlockProofExamples } from './examples/get-shard-block-proof.ts';
import { getShardsExamples } from './examples/get-shards.ts';
import { lookupBlockExamples } from './examples/lookup-block.ts';
import { optionalInt32, optionalInt64, validateRefusal } from './parameters.ts';
import { Base64, BlockIdExt, blockIdExt, Hash256, Int64Text } from './shapes.ts';

/** `blocks.masterchainInfo`. */
const MasterchainInfo = Type.Object({
  '@type': Type.Literal('blocks.masterchainInfo'),
  last: BlockIdExt,
  state_root_hash: Hash256(),
  init: BlockIdExt,
});

/** Writes `blocks.masterchainInfo`; the zero state has a shard of 0 in it. */
function masterchainInfo(last: BlockId, stateRootHash: Buffer, zeroState: BlockId) {
  return {
    '@type': 'blocks.masterchainInfo' as const,
    last: blockIdExt(last),
    state_root_hash: stateRootHash.toString('base64'),
    init: blockIdExt({ ...zeroState, shard: 0n, seqno: 0 }),
  };
}

/** The newest masterchain block. */
export const getMasterchainInfo = defineOperation({
  name: 'getMasterchainInfo',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Newest masterchain block',
  description: 'With the hash of the state after it, and the zero state that the chain began with.',
  parameters: {},
  result: MasterchainInfo,
  cache: 'head',
  examples: getMasterchainInfoExamples,
  handler: async (_params, call: LiveCall) => {
    const { memory, check, pool } = call.ports;
    const servers = pool(call.group);
    const session = await openSession(call, { seqno: servers.head?.seqno });
    // The server that was chosen may be behind others; what was told once must never be taken back.
    const last = servers.consensusBlock();
    const stateRoot = await memory.stateRoots.get(last.rootHash.toString('base64'), call, () =>
      session.run(({ query }) =>
        getStateRootHash((request) => query(request, { waitSeqno: last.seqno }), last, check),
      ),
    );
    return masterchainInfo(last, stateRoot, servers.zeroState);
  },
});

/** The newest masterchain block that the lite servers agree on. */
export const getConsensusBlock = defineOperation({
  name: 'getConsensusBlock',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Number of the newest masterchain block',
  description:
    'The newest block that any live lite server has, and the time of the answer. No server is asked.',
  parameters: {},
  result: Type.Object({
    '@type': Type.Literal('ext.blocks.consensusBlock'),
    consensus_block: Type.Integer(),
    timestamp: Type.Integer(),
  }),
  errors: [{ code: 500, when: 'No lite server is live.' }],
  cache: 'none',
  examples: getConsensusBlockExamples,
  handler: (_params, { ports, group }: LiveCall) => ({
    '@type': 'ext.blocks.consensusBlock' as const,
    consensus_block: ports.pool(group).consensusBlock().seqno,
    timestamp: Math.floor(ports.clock()),
  }),
});

/** A block that was found by a time is the answer for ever once it is this many masterchain blocks old. */
const LASTING_BLOCKS = 32;

/** Finds a block. */
export const lookupBlock = defineOperation({
  name: 'lookupBlock',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Find a block by number, logical time or time',
  description:
    'Exactly one of `seqno`, `lt` and `unixtime` is given. The block found may be of a smaller or larger shard around the given one.',
  parameters: {
    workchain: workchain(),
    shard: shard(),
    seqno: optionalInt32({ description: 'Number of the block in its shard.', minimum: 1 }),
    lt: optionalInt64({ description: 'Logical time that lies in the block.', minimum: 0 }),
    unixtime: optionalInt32({ description: 'Time that lies in the block, in unix seconds.', minimum: 0 }),
  },
  result: BlockIdExt,
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...lookupBlockExamples,
    {
      title: 'without anything to go by',
      params: { workchain: -1, shard: '-9223372036854775808' },
      failure: {
        code: 422,
        text: 'failed to validate request: exactly one of seqno, lt, unixtime should be specified',
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, lt, unixtime }, call: LiveCall) => {
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

/** The shards that a masterchain block names. */
export const getShards = defineOperation({
  name: 'getShards',
  aliases: ['shards'],
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Newest blocks of all shards at a masterchain block',
  description:
    'Workchains in ascending order, the shards of one from left to right; without the masterchain.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: Type.Object({ '@type': Type.Literal('blocks.shards'), shards: Type.Array(BlockIdExt) }),
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...getShardsExamples,
    {
      title: 'with the number of no block',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: LiveCall) => {
    const session = await openSession(call, { seqno });
    const shards = await session.run(async (target) => {
      const block = await findBlock(call, target, masterchainKey(seqno));
      return getAllShardsInfo(target.query, block, call.ports.check);
    });
    call.immutable = true;
    return { '@type': 'blocks.shards' as const, shards: shards.map((shard) => blockIdExt(topBlock(shard))) };
  },
});

/** `blocks.header`. */
const BlockHeader = Type.Object({
  '@type': Type.Literal('blocks.header'),
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

/** Writes `blocks.header`; numbers of 32 bits are signed in it. */
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
    // Shard blocks have the number too, but clients know it of the masterchain only.
    prev_key_block_seqno: block.workchain === MASTERCHAIN ? info.prevKeyBlockSeqno | 0 : 0,
    start_lt: String(BigInt.asIntN(64, info.startLt)),
    end_lt: String(BigInt.asIntN(64, info.endLt)),
    gen_utime: info.genUtime,
    prev_blocks: previous.map(blockIdExt),
  };
}

/** The header of a block. */
export const getBlockHeader = defineOperation({
  name: 'getBlockHeader',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Header of a block',
  parameters: { ...blockPlace(), ...blockHashes() },
  result: BlockHeader,
  errors: [{ code: 500, when: 'There is no such block.' }],
  cache: 'immutable',
  examples: [
    ...getBlockHeaderExamples,
    {
      title: 'with a shard that is none',
      params: { workchain: 0, shard: 'left', seqno: 5 },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: failed to parse shard',
          body: "failed to parse post request: Error at path 'shard': failed to parse shard",
        },
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, root_hash: rootHash, file_hash: fileHash }, call: LiveCall) => {
    const wanted = { workchain, shard, seqno, rootHash, fileHash };
    const session = await openSession(call, { seqno: sessionSeqno(call, wanted) });
    const header = await session.run((target) => findHeader(call, target, wanted));
    call.immutable = true;
    return blockHeader(header);
  },
});

const members = {
  id: BlockIdExt,
  signatures: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.signature'),
      node_id_short: Hash256(),
      signature: Base64(),
    }),
  ),
};

/** `blocks.blockSignatures`, or `blocks.blockSignatures.simplex` where the consensus of the network is the newer one. */
export const BlockSignatures = Type.Union([
  Type.Object({ '@type': Type.Literal('blocks.blockSignatures'), ...members }),
  Type.Object({
    '@type': Type.Literal('blocks.blockSignatures.simplex'),
    ...members,
    session_id: Hash256(),
    slot: Type.Integer(),
    candidate: Base64(),
  }),
]);

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

/** The signatures of a masterchain block. */
export const getMasterchainBlockSignatures = defineOperation({
  name: 'getMasterchainBlockSignatures',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Signatures of a masterchain block',
  description: 'What validators signed the block with; more than two thirds of their weight is there.',
  parameters: { seqno: requiredMasterchainSeqno() },
  result: BlockSignatures,
  errors: [{ code: 500, when: 'The block is the first one, or is not there yet.' }],
  cache: 'immutable',
  examples: [
    ...getMasterchainBlockSignaturesExamples,
    {
      title: 'without a block',
      params: { seqno: 0 },
      failure: { code: 422, text: 'failed to validate request: seqno should be positive' },
    },
  ],
  handler: async ({ seqno }, call: LiveCall) => {
    const session = await openSession(call, { seqno });
    const { block, signatures } = await session.run((target) => readSignedBlock(call, target, seqno));
    call.immutable = true;
    return blockSignatures(block, signatures);
  },
});

/** `blocks.shardBlockProof`. */
export const ShardBlockProof = Type.Object({
  '@type': Type.Literal('blocks.shardBlockProof'),
  from: BlockIdExt,
  mc_id: BlockIdExt,
  links: Type.Array(
    Type.Object({ '@type': Type.Literal('blocks.shardBlockLink'), id: BlockIdExt, proof: Base64() }),
  ),
  mc_proof: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.blockLinkBack'),
      to_key_block: Type.Boolean(),
      from: BlockIdExt,
      to: BlockIdExt,
      dest_proof: Base64(),
      proof: Base64(),
      state_proof: Base64(),
    }),
  ),
});

/** Writes `blocks.shardBlockProof`. */
function shardBlockProof({ from, masterchain, links, back }: ProvenShardBlock) {
  return {
    '@type': 'blocks.shardBlockProof' as const,
    from: blockIdExt(from),
    mc_id: blockIdExt(masterchain),
    // These are the server's own bytes, by contract.
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

/** The proof of a block from a masterchain block. */
export const getShardBlockProof = defineOperation({
  name: 'getShardBlockProof',
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'Proof of a block from a masterchain block',
  description:
    'Leads from a masterchain block back to the one that the block belongs to (`mc_proof`), and from there to the block (`links`).',
  parameters: {
    ...blockPlace({ named: true }),
    from_seqno: optionalInt32({
      description: 'Number of the masterchain block that the proof starts from; the newest when left out.',
      minimum: 0,
    }),
  },
  result: ShardBlockProof,
  errors: [{ code: 500, when: 'There is no such block, or it is newer than the one the proof starts from.' }],
  cache: 'immutable',
  examples: [
    ...getShardBlockProofExamples,
    {
      title: 'without a shard',
      params: { workchain: 0, seqno: 5 },
      failure: {
        code: 422,
        text: {
          query: 'failed to parse get request: shard required',
          body: "failed to parse post request: Field 'shard' is missing",
        },
      },
    },
  ],
  handler: async ({ workchain, shard, seqno, from_seqno: fromSeqno }, call: LiveCall) => {
    const wanted = { workchain, shard, seqno };
    const session = await openSession(call, { seqno: fromSeqno ?? sessionSeqno(call, wanted) });
    const proof = await proveShardBlock(call, session, wanted, fromSeqno);
    call.immutable = fromSeqno !== undefined;
    return shardBlockProof(proof);
  },
});

/** `blocks.outMsgQueueSizes`. */
const OutMsgQueueSizes = Type.Object({
  '@type': Type.Literal('blocks.outMsgQueueSizes'),
  shards: Type.Array(
    Type.Object({
      '@type': Type.Literal('blocks.outMsgQueueSize'),
      id: BlockIdExt,
      size: Type.Integer(),
    }),
  ),
  ext_msg_queue_size_limit: Type.Integer(),
});

/** Writes `blocks.outMsgQueueSizes`. */
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

/** The sizes of the out-queues of all shards. */
export const getOutMsgQueueSize = defineOperation({
  name: 'getOutMsgQueueSize',
  aliases: ['getOutMsgQueueSizes'],
  methods: ['GET', 'POST'],
  tag: 'blocks',
  summary: 'How many messages wait in each shard',
  description: 'The out-queues after the newest blocks: the masterchain first, then all shards.',
  parameters: {},
  result: OutMsgQueueSizes,
  cache: 'head',
  examples: getOutMsgQueueSizeExamples,
  handler: async (_params, call: LiveCall) => {
    const session = await openSession(call);
    return outMsgQueueSizes(await session.run((target) => readQueueSizes(call, target)));
  },
});
