import { type BlockId, MASTERCHAIN, sameBlock } from '../../../src/chain/block-id.ts';
import { toCoreCell } from '../../../src/chain/boc/core-cell.ts';
import { makeMerkleProof } from '../../../src/chain/boc/make-merkle-proof.ts';
import { ReadRecorder } from '../../../src/chain/boc/read-recorder.ts';
import type { AccountState } from '../../../src/chain/tl/accounts.ts';
import type { AccountId } from '../../../src/chain/tl/names.ts';
import { readAccount } from '../../../src/chain/tlb/account.ts';
import { findShard, topBlock } from '../../../src/chain/tlb/find-shard.ts';
import { readMcStateExtra } from '../../../src/chain/tlb/mc-state-extra.ts';
import { lookUpShardAccount } from '../../../src/chain/tlb/shard-account.ts';
import { readShardState } from '../../../src/chain/tlb/shard-state.ts';
import type { BuiltBlock } from './block.ts';
import { blockOf } from './find-blocks.ts';
import { flatCells, proofBag, showHeader, showRead } from './make-proofs.ts';
import { bagOf } from './merkle-cells.ts';
import type { SampleChain } from './sample-chain.ts';

const EMPTY = Buffer.alloc(0);
const NO_HASH = Buffer.alloc(32);

/** The name that nodes give to a block that does not exist. */
export const NO_BLOCK: BlockId = {
  workchain: -0x80000000,
  shard: 0n,
  seqno: 0,
  rootHash: NO_HASH,
  fileHash: NO_HASH,
};

/** Answers getAccountState, or with `form` proof getAccountStatePrunned. */
export function answerAccountState(
  chain: SampleChain,
  id: BlockId,
  account: AccountId,
  form: 'whole' | 'proof',
): AccountState {
  const reference = blockOf(chain, id);
  const ownShard = id.workchain === account.workchain;
  const [shardProof, shardId] = ownShard ? [EMPTY, id] : findAccountShard(reference, account);
  if (sameBlock(shardId, NO_BLOCK))
    return { id, shardBlock: NO_BLOCK, shardProof, proof: EMPTY, state: EMPTY };
  const block = blockOf(chain, shardId);
  const shown = showRead(block.state, (cells, root) =>
    lookUpShardAccount(cells, readShardState(cells, root).accounts, account.hash),
  );
  const proof = proofBag(showHeader(block.root), shown);
  const state = shown.value === undefined ? EMPTY : accountBytes(block, shown.value.account, form);
  return { id, shardBlock: shardId, shardProof, proof, state };
}

/** The newest block of the shard that holds an account, as a masterchain block sees it, and the proof of it. */
function findAccountShard(reference: BuiltBlock, { workchain, hash }: AccountId): [Buffer, BlockId] {
  if (reference.id.workchain !== MASTERCHAIN) throw new Error('not a masterchain block');
  const shown = showRead(reference.state, (cells, root) => {
    const { shardHashes } = readMcStateExtra(cells, readShardState(cells, root).custom);
    const leaf = { workchain, shard: hash.readBigInt64BE(0) | 1n };
    return findShard(cells, shardHashes, leaf, false);
  });
  const proof = proofBag(showHeader(reference.root), shown);
  return [proof, shown.value === undefined ? NO_BLOCK : topBlock(shown.value.descr)];
}

function accountBytes(block: BuiltBlock, cell: number, form: 'whole' | 'proof'): Buffer {
  const cells = flatCells(block.state);
  if (form === 'whole') return bagOf(toCoreCell(cells, cell));
  const recorder = new ReadRecorder(cells);
  readAccount(recorder, cell);
  return makeMerkleProof(cells, cell, recorder.read);
}
