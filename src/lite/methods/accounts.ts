import type { AccountId } from '../../chain/address.ts';
import {
  type BlockId,
  fullBlockName,
  isMasterchainBlock,
  isPossibleBlock,
  sameBlock,
} from '../../chain/block-id.ts';
import type { CellRef } from '../../chain/boc/cells.ts';
import type { ShardIdent } from '../../chain/tlb/block.ts';
import { lookUpShardAccount } from '../../chain/tlb/shard-accounts.ts';
import { findShard, topBlock } from '../../chain/tlb/shard-hashes.ts';
import { Failure } from '../../lib/errors.ts';
import type { LiteResponseOf } from './codec.ts';
import {
  type CheckOptions,
  checkState,
  formatHash,
  formatShard,
  hashOf,
  isAccountInBlock,
  masterchainExtra,
  openProof,
  openProofPair,
  type QueryServer,
  queryProvable,
  readWholeBag,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';

export type AccountState = LiteResponseOf<'getAccountState'>;

/** An account at a block. Throws NoSuchShard for a workchain that does not exist. */
export const getAccountState = createGetAccount('getAccountState', 'whole');

/** An account at a block without its code and data, which are pruned branches. */
export const getAccountStatePruned = createGetAccount('getAccountStatePrunned', 'proof');

function createGetAccount(method: 'getAccountState' | 'getAccountStatePrunned', form: AccountQuery['form']) {
  return async (
    query: QueryServer,
    block: BlockId,
    account: AccountId,
    options: CheckOptions,
  ): Promise<ProvenAccount> => {
    const response = await queryProvable(query, method, { id: block, account }, 'VALIDATE_ACCOUNT_STATE');
    return checkAccountState(response, { block, account, form }, options);
  };
}

/** An account at a block; all of it is proven. */
export interface ProvenAccount {
  /** The Account cell for `readAccount`, or undefined where the account does not exist. */
  readonly account: CellRef | undefined;
  /** Zero where the account does not exist. */
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  /** The block of the shard that holds the account. */
  readonly shardBlock: BlockId;
  /** When `shardBlock` was created, in unix seconds. */
  readonly genUtime: number;
  readonly genLt: bigint;
}

/** The query: an account at a block, whole or as a proof that leaves out code and data. */
export interface AccountQuery {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly form?: 'whole' | 'proof' | undefined;
}

/**
 * Checks the response of getAccountState or getAccountStatePrunned. An account in a workchain that does not exist
 * throws NoSuchShard.
 */
export function checkAccountState(
  response: AccountState,
  query: AccountQuery,
  options: CheckOptions,
): ProvenAccount {
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const { block, account } = query;
    const received = withErrorContext('cannot deserialize account state: ', () =>
      readState(response, query, options),
    );
    checkShardProof(response, block, account, options);
    const { shardBlock } = response;
    const [headerCell, stateCell] = openProofPair(response.proof, 'account state proof', options);
    const { cells, state, header } = withErrorContext('error in account shard block header proof : ', () =>
      checkState(headerCell, stateCell, shardBlock, options),
    );
    const entry = withErrorContext('error while traversing account proof : ', () =>
      lookUpShardAccount(cells, state.accounts, account.hash),
    );
    const place = { shardBlock, genUtime: header.info.genUtime, genLt: header.info.endLt };
    if (entry === undefined) {
      if (received !== undefined)
        refuse(
          `account state proof shows that account state for ${addressText(account)} must be empty, but it is not`,
        );
      return { account: undefined, lastTransLt: 0n, lastTransHash: Buffer.alloc(32), ...place };
    }
    if (received === undefined)
      refuse(
        `account state proof shows that account state for ${addressText(account)} must be non-empty, but it actually is empty`,
      );
    const expected = cells.hash(entry.account, 0);
    if (options.verify && !hashOf(received).equals(expected))
      refuse(
        `account state hash mismatch: Merkle proof expects ${formatHash(expected)} but received data has ${formatHash(hashOf(received))}`,
      );
    const { lastTransLt, lastTransHash } = entry;
    return { account: received, lastTransLt, lastTransHash, ...place };
  });
}

function readState(
  { state }: AccountState,
  { form }: AccountQuery,
  options: CheckOptions,
): CellRef | undefined {
  if (state.length === 0) return undefined;
  if (form === 'proof') return openProof(state, options);
  const bag = readWholeBag(state);
  return { cells: bag, cell: bag.root };
}

function addressText({ workchain, hash }: AccountId): string {
  return `${workchain}:${formatHash(hash)}`;
}

/** Checks that the queried block leads to the shard block of a response, and that the account is in that shard. */
function checkShardProof(
  response: AccountState,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): void {
  const { shardBlock } = response;
  if (!sameBlock(response.id, block))
    refuse(
      `obtained getAccountState() for a different reference block ${fullBlockName(response.id)} instead of requested ${fullBlockName(block)}`,
    );
  if (!isPossibleBlock(shardBlock)) {
    checkNoShard(response, account, options);
    throw new NoSuchShard(shardBlock);
  }
  if (!isAccountInBlock(shardBlock, account))
    refuse(
      `received data from shard block ${fullBlockName(shardBlock)} that cannot contain requested account`,
    );
  if (sameBlock(block, shardBlock)) {
    if (response.shardProof.length > 0) refuse('unexpected non-empty shard proof');
    return;
  }
  if (!isMasterchainBlock(block))
    refuse(
      `reference block ${fullBlockName(block)} for a getAccountState query must belong to the masterchain`,
    );
  if (options.shardProofs?.has(response)) return;
  const shard = findInProof(response, shardBlock, options);
  if (shard === undefined)
    refuse(`masterchain state contains no information for shard ${formatShard(shardBlock)}`);
  if (!sameBlock(topBlock(shard.descr), shardBlock))
    refuse(
      `shard configuration mismatch: expected to find block ${fullBlockName(shardBlock)} , found ${fullBlockName(topBlock(shard.descr))}`,
    );
  options.shardProofs?.add(response);
}

/** Checks that no shard has the account: a server says so with the id of an impossible block. */
function checkNoShard(response: AccountState, account: AccountId, options: CheckOptions): void {
  const leaf = { workchain: account.workchain, shard: account.hash.readBigInt64BE(0) | 1n };
  const isEmpty = response.state.length + response.proof.length === 0;
  if (!isEmpty || findInProof(response, leaf, options, false) !== undefined)
    refuse(`shard block id ${fullBlockName(response.shardBlock)} in answer is invalid`);
}

function findInProof(
  { id, shardProof }: AccountState,
  shard: ShardIdent,
  options: CheckOptions,
  exact = true,
): ReturnType<typeof findShard> {
  const [headerCell, stateCell] = openProofPair(shardProof, 'shard configuration proof', options);
  const state = withErrorContext('error in shard configuration block header proof :', () =>
    checkState(headerCell, stateCell, id, options),
  );
  return withErrorContext('error while traversing shard configuration proof : ', () =>
    findShard(state.cells, masterchainExtra(state).shardHashes, shard, exact),
  );
}

/**
 * An account in a workchain that does not exist. The server has proven that, so its response is right; but clients know
 * the case by the text of a failed proof.
 */
export class NoSuchShard extends Failure {
  constructor(shardBlock: BlockId) {
    super(
      'lite_server',
      `VALIDATE_ACCOUNT_STATEshard block id ${fullBlockName(shardBlock)} in answer is invalid`,
    );
  }
}
