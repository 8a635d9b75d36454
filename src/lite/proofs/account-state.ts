import type { BlockId } from '../../chain/block-id.ts';
import type { AccountState } from '../../chain/tl/accounts.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import { lookUpShardAccount } from '../../chain/tlb/shard-account.ts';
import { checkAccountPlace } from './account-place.ts';
import { type FoundCell, hashOf, openProof, openProofPair, readWholeBag } from './open-proof.ts';
import { type CheckOptions, explaining, hashText, proving, refuse } from './proof-scope.ts';
import { checkState } from './state-proof.ts';

/** An account at a block; all of it is proven. */
export interface ProvenAccount {
  /** The Account cell for `readAccount`, or undefined where the account does not exist. */
  readonly account: FoundCell | undefined;
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
  return proving('VALIDATE_ACCOUNT_STATE', () => {
    const { block, account } = question;
    const received = explaining('cannot deserialize account state: ', () =>
      readState(answer, question, options),
    );
    checkAccountPlace(answer, block, account, options);
    const { shardBlock } = answer;
    const [headerCell, stateCell] = openProofPair(answer.proof, 'account state proof', options);
    const { cells, state, header } = explaining('error in account shard block header proof : ', () =>
      checkState(headerCell, stateCell, shardBlock, options),
    );
    const entry = explaining('error while traversing account proof : ', () =>
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
        `account state hash mismatch: Merkle proof expects ${hashText(expected)} but received data has ${hashText(hashOf(received))}`,
      );
    const { lastTransLt, lastTransHash } = entry;
    return { account: received, lastTransLt, lastTransHash, ...place };
  });
}

function readState(
  { state }: AccountState,
  { form }: AccountQuestion,
  options: CheckOptions,
): FoundCell | undefined {
  if (state.length === 0) return undefined;
  if (form === 'proof') return openProof(state, options);
  const bag = readWholeBag(state);
  return { cells: bag, cell: bag.root };
}

function addressText({ workchain, hash }: AccountId): string {
  return `${workchain}:${hashText(hash)}`;
}
