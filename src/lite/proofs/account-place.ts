import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { AccountState } from '../../chain/tl/accounts.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { type FoundShard, findShard, topBlock } from '../../chain/tlb/find-shard.ts';
import type { ShardIdent } from '../../chain/tlb/shard-ident.ts';
import { isAccountInBlock, isMasterchainBlock, isPossibleBlock, shardText } from './block-place.ts';
import { NoSuchShard } from './no-such-shard.ts';
import { openProofPair } from './open-proof.ts';
import { blockText, type CheckOptions, explaining, refuse } from './proof-scope.ts';
import { checkState, masterchainPart } from './state-proof.ts';

/** Checks which block of which shard an answer takes an account from, as seen from the block that was asked about. */
export function checkAccountPlace(
  answer: AccountState,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): void {
  const { shardBlock } = answer;
  if (!sameBlock(answer.id, block))
    refuse(
      `obtained getAccountState() for a different reference block ${blockText(answer.id)} instead of requested ${blockText(block)}`,
    );
  if (!isPossibleBlock(shardBlock)) {
    checkNoShard(answer, account, options);
    throw new NoSuchShard(shardBlock);
  }
  if (!isAccountInBlock(shardBlock, account))
    refuse(`received data from shard block ${blockText(shardBlock)} that cannot contain requested account`);
  if (sameBlock(block, shardBlock)) {
    if (answer.shardProof.length > 0) refuse('unexpected non-empty shard proof');
    return;
  }
  if (!isMasterchainBlock(block))
    refuse(`reference block ${blockText(block)} for a getAccountState query must belong to the masterchain`);
  if (options.shardProofs?.has(answer)) return;
  const found = findInProof(answer, shardBlock, options);
  if (found === undefined)
    refuse(`masterchain state contains no information for shard ${shardText(shardBlock)}`);
  if (!sameBlock(topBlock(found.descr), shardBlock))
    refuse(
      `shard configuration mismatch: expected to find block ${blockText(shardBlock)} , found ${blockText(topBlock(found.descr))}`,
    );
  options.shardProofs?.add(answer);
}

/** Checks that no shard can hold the account: a server says so by naming a block that cannot be. */
function checkNoShard(answer: AccountState, account: AccountId, options: CheckOptions): void {
  const leaf = { workchain: account.workchain, shard: account.hash.readBigInt64BE(0) | 1n };
  const isEmpty = answer.state.length + answer.proof.length === 0;
  if (!isEmpty || findInProof(answer, leaf, options, false) !== undefined)
    refuse(`shard block id ${blockText(answer.shardBlock)} in answer is invalid`);
}

function findInProof(
  { id, shardProof }: AccountState,
  shard: ShardIdent,
  options: CheckOptions,
  exact = true,
): FoundShard | undefined {
  const [headerCell, stateCell] = openProofPair(shardProof, 'shard configuration proof', options);
  const state = explaining('error in shard configuration block header proof :', () =>
    checkState(headerCell, stateCell, id, options),
  );
  return explaining('error while traversing shard configuration proof : ', () =>
    findShard(state.cells, masterchainPart(state).shardHashes, shard, exact),
  );
}
