import type { AccountId } from '../../chain/address.ts';
import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import { readAccountId, readBlockId, writeAccountId, writeBlockId } from '../../chain/tl/ids.ts';
import type { LiteMethodCodec, TlType } from '../../chain/tl/tl.ts';
import type { ShardIdent } from '../../chain/tlb/block-refs.ts';
import { lookUpShardAccount } from '../../chain/tlb/shard-accounts.ts';
import { type FoundShard, findShard, topBlock } from '../../chain/tlb/shard-hashes.ts';
import { Failure } from '../../lib/errors.ts';
import { type Ask, askProvable } from './ask.ts';
import {
  type CellRef,
  type CheckOptions,
  checkState,
  formatBlockId,
  formatHash,
  formatShard,
  hashOf,
  isAccountInBlock,
  isMasterchainBlock,
  isValidBlockId,
  masterchainExtra,
  openProof,
  openProofPair,
  readWholeBag,
  refuse,
  runProofCheck,
  withErrorContext,
} from './proofs.ts';

/** `liteServer.accountState`: an account with the proofs that lead to it; `state` is empty where there is none. */
export interface AccountState {
  readonly id: BlockId;
  readonly shardBlock: BlockId;
  readonly shardProof: Buffer;
  readonly proof: Buffer;
  readonly state: Buffer;
}

const accountState: TlType<AccountState> = {
  name: 'liteServer.accountState',
  id: 0x7079c751,
  write(w, account) {
    writeBlockId(w, account.id);
    writeBlockId(w, account.shardBlock);
    w.bytes(account.shardProof);
    w.bytes(account.proof);
    w.bytes(account.state);
  },
  read: (r) => ({
    id: readBlockId(r),
    shardBlock: readBlockId(r),
    shardProof: r.bytes(),
    proof: r.bytes(),
    state: r.bytes(),
  }),
};

/** Request of `getAccountState`. */
interface GetAccountState {
  readonly method: 'getAccountState';
  readonly id: BlockId;
  readonly account: AccountId;
}

/** `liteServer.getAccountState`: an account's state at a block. */
export const getAccountStateCodec: LiteMethodCodec<GetAccountState, AccountState> = {
  name: 'liteServer.getAccountState',
  id: 0x6b890e25,
  answer: accountState,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
  },
  read: (r) => ({ method: 'getAccountState', id: readBlockId(r), account: readAccountId(r) }),
};

/** Request of `getAccountStatePrunned`. */
interface GetAccountStatePrunned {
  readonly method: 'getAccountStatePrunned';
  readonly id: BlockId;
  readonly account: AccountId;
}

/** `liteServer.getAccountStatePrunned` (spelt so in the schema): the same without code and data. */
export const getAccountStatePrunnedCodec: LiteMethodCodec<GetAccountStatePrunned, AccountState> = {
  name: 'liteServer.getAccountStatePrunned',
  id: 0x5a698507,
  answer: accountState,
  write(w, request) {
    writeBlockId(w, request.id);
    writeAccountId(w, request.account);
  },
  read: (r) => ({ method: 'getAccountStatePrunned', id: readBlockId(r), account: readAccountId(r) }),
};

/** An account at a block. Throws NoSuchShard for a workchain that does not exist. */
export async function getAccountState(
  ask: Ask,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): Promise<ProvenAccount> {
  const request = { method: 'getAccountState', id: block, account } as const;
  const answer = await askProvable(ask, getAccountStateCodec, request, 'VALIDATE_ACCOUNT_STATE');
  return checkAccountState(answer, { block, account }, options);
}

/** An account at a block without its code and data, which stand as pruned branches. */
export async function getAccountStatePruned(
  ask: Ask,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): Promise<ProvenAccount> {
  const request = { method: 'getAccountStatePrunned', id: block, account } as const;
  const answer = await askProvable(ask, getAccountStatePrunnedCodec, request, 'VALIDATE_ACCOUNT_STATE');
  return checkAccountState(answer, { block, account, form: 'proof' }, options);
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
  /** When `shardBlock` was made, in unix seconds. */
  readonly genUtime: number;
  readonly genLt: bigint;
}

/** What was asked: an account at a block, whole or as a proof that leaves out code and data. */
export interface AccountQuestion {
  readonly block: BlockId;
  readonly account: AccountId;
  readonly form?: 'whole' | 'proof';
}

/**
 * Checks the answer of getAccountState or getAccountStatePrunned. An account in a workchain that does not exist
 * throws NoSuchShard.
 */
export function checkAccountState(
  answer: AccountState,
  question: AccountQuestion,
  options: CheckOptions,
): ProvenAccount {
  return runProofCheck('VALIDATE_ACCOUNT_STATE', () => {
    const { block, account } = question;
    const received = withErrorContext('cannot deserialize account state: ', () =>
      readState(answer, question, options),
    );
    checkShardProof(answer, block, account, options);
    const { shardBlock } = answer;
    const [headerCell, stateCell] = openProofPair(answer.proof, 'account state proof', options);
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
  { form }: AccountQuestion,
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

/** Checks which block of which shard an answer takes an account from, as seen from the block that was asked about. */
function checkShardProof(
  answer: AccountState,
  block: BlockId,
  account: AccountId,
  options: CheckOptions,
): void {
  const { shardBlock } = answer;
  if (!sameBlock(answer.id, block))
    refuse(
      `obtained getAccountState() for a different reference block ${formatBlockId(answer.id)} instead of requested ${formatBlockId(block)}`,
    );
  if (!isValidBlockId(shardBlock)) {
    checkNoShard(answer, account, options);
    throw new NoSuchShard(shardBlock);
  }
  if (!isAccountInBlock(shardBlock, account))
    refuse(
      `received data from shard block ${formatBlockId(shardBlock)} that cannot contain requested account`,
    );
  if (sameBlock(block, shardBlock)) {
    if (answer.shardProof.length > 0) refuse('unexpected non-empty shard proof');
    return;
  }
  if (!isMasterchainBlock(block))
    refuse(
      `reference block ${formatBlockId(block)} for a getAccountState query must belong to the masterchain`,
    );
  if (options.shardProofs?.has(answer)) return;
  const found = findInProof(answer, shardBlock, options);
  if (found === undefined)
    refuse(`masterchain state contains no information for shard ${formatShard(shardBlock)}`);
  if (!sameBlock(topBlock(found.descr), shardBlock))
    refuse(
      `shard configuration mismatch: expected to find block ${formatBlockId(shardBlock)} , found ${formatBlockId(topBlock(found.descr))}`,
    );
  options.shardProofs?.add(answer);
}

/** Checks that no shard can hold the account: a server says so by naming a block that cannot be. */
function checkNoShard(answer: AccountState, account: AccountId, options: CheckOptions): void {
  const leaf = { workchain: account.workchain, shard: account.hash.readBigInt64BE(0) | 1n };
  const isEmpty = answer.state.length + answer.proof.length === 0;
  if (!isEmpty || findInProof(answer, leaf, options, false) !== undefined)
    refuse(`shard block id ${formatBlockId(answer.shardBlock)} in answer is invalid`);
}

function findInProof(
  { id, shardProof }: AccountState,
  shard: ShardIdent,
  options: CheckOptions,
  exact = true,
): FoundShard | undefined {
  const [headerCell, stateCell] = openProofPair(shardProof, 'shard configuration proof', options);
  const state = withErrorContext('error in shard configuration block header proof :', () =>
    checkState(headerCell, stateCell, id, options),
  );
  return withErrorContext('error while traversing shard configuration proof : ', () =>
    findShard(state.cells, masterchainExtra(state).shardHashes, shard, exact),
  );
}

/**
 * An account in a workchain that does not exist. The server proved that, so it is no liar; yet clients know the case
 * by the text of a failed proof.
 */
export class NoSuchShard extends Failure {
  constructor(shardBlock: BlockId) {
    super(
      'lite_server',
      `VALIDATE_ACCOUNT_STATEshard block id ${formatBlockId(shardBlock)} in answer is invalid`,
    );
    this.name = 'NoSuchShard';
  }
}
