import Type from 'typebox';
import { PlainText } from '../../http/serializer.ts';
import type { FoundCell } from '../../lite/proofs/open-proof.ts';
import type { AccountAt } from '../reads/account-at.ts';
import { ACCOUNT_STATUSES, type AccountFacts } from '../reads/account-facts.ts';
import { BlockIdExt, blockIdExt } from './block-id.ts';
import { bocText } from './cell-bytes.ts';
import { ExtraCurrencies, extraCurrencies } from './extra-currency.ts';
import { TransactionId, transactionId } from './transaction-id.ts';

/** An amount that is not negative, as a decimal string. */
export const AmountText = () => PlainText({ pattern: '^[0-9]+$' });

/** Whether an account runs code. */
export const AccountStatus = () => Type.Enum([...ACCOUNT_STATUSES]);

/** A 256-bit hash in base64, or nothing. */
export const MaybeHash256 = () => PlainText({ pattern: '^([A-Za-z0-9+/]{43}=)?$' });

/** Writes a hash in base64, or nothing. */
export function maybeHash(hash: Buffer | undefined): string {
  return hash?.toString('base64') ?? '';
}

/** Writes a cell in base64, or nothing. */
export function maybeBoc(found: FoundCell | undefined): string {
  return found === undefined ? '' : bocText(found.cells, found.cell);
}

/** Members that all descriptions of an account have. */
export const accountSummaryMembers = {
  balance: AmountText(),
  extra_currencies: ExtraCurrencies,
  last_transaction_id: TransactionId,
  block_id: BlockIdExt,
  sync_utime: Type.Integer(),
};

/** Writes the members that all descriptions of an account have. */
export function accountSummary({ block, proven }: AccountAt, facts: AccountFacts) {
  return {
    balance: String(facts.balance),
    extra_currencies: extraCurrencies(facts.extraCurrencies),
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    block_id: blockIdExt(block),
    sync_utime: proven.genUtime,
  };
}
