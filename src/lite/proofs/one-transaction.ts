import { type BlockId, sameBlock } from '../../chain/block-id.ts';
import type { AccountId } from '../../chain/tl/names.ts';
import type { TransactionInfo } from '../../chain/tl/transactions.ts';
import { findInBlock } from './account-blocks.ts';
import { checkHeader } from './block-header.ts';
import { isAccountInBlock } from './block-place.ts';
import { type FoundCell, hashOf, openProof, readWholeBag } from './open-proof.ts';
import { type CheckOptions, hashText, proving, refuse } from './proof-scope.ts';

/** Checks the answer of getOneTransaction: the cell of a transaction, or undefined where the block has no such one. */
export function checkOneTransaction(
  answer: TransactionInfo,
  question: { readonly block: BlockId; readonly account: AccountId; readonly lt: bigint },
  options: CheckOptions,
): FoundCell | undefined {
  return proving('VALIDATE_TRANSACTION', () => {
    const { block, account, lt } = question;
    if (!sameBlock(answer.id, block)) refuse('Liteserver responded with wrong block');
    if (!isAccountInBlock(block, account)) refuse('obtained a block that cannot contain specified account');
    const header = checkHeader(openProof(answer.proof, options), block, options);
    // Outside of the block's time a server looks no further, and proves no more.
    const inTime = lt > header.info.startLt && lt < header.info.endLt;
    const expected = inTime ? findInBlock(header, account.hash, lt) : undefined;
    if ((expected !== undefined) !== answer.transaction.length > 0)
      refuse(`transactions are expected to be ${expected === undefined ? 'empty' : 'non-empty'}`);
    if (expected === undefined) return undefined;
    const bag = readWholeBag(answer.transaction);
    const found = { cells: bag, cell: bag.root };
    if (options.verify && !hashOf(found).equals(hashOf(expected)))
      refuse(
        `transaction hash mismatch: Merkle proof expects ${hashText(hashOf(expected))} but received data has ${hashText(hashOf(found))}`,
      );
    return found;
  });
}
