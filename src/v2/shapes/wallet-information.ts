import Type from 'typebox';
import { readWallet } from '../../chain/contracts/read-wallet.ts';
import { walletCodeOf } from '../../chain/contracts/wallet-codes.ts';
import type { AccountAt } from '../reads/account-at.ts';
import { type AccountFacts, accountFacts } from '../reads/account-facts.ts';
import { AccountStatus, AmountText } from './account-summary.ts';
import { TransactionId, transactionId } from './transaction-id.ts';

/** `ext.accounts.walletInformation`: what a wallet's data says; the last members are those of a wallet only. */
export const WalletInformation = Type.Object({
  '@type': Type.Literal('ext.accounts.walletInformation'),
  wallet: Type.Boolean(),
  balance: AmountText(),
  account_state: AccountStatus(),
  last_transaction_id: TransactionId,
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  is_signature_allowed: Type.Optional(Type.Boolean()),
});

/** Writes `ext.accounts.walletInformation`. */
export function walletInformation({ proven }: AccountAt) {
  const facts = accountFacts(proven);
  const wallet = walletMembers(facts);
  return {
    '@type': 'ext.accounts.walletInformation' as const,
    wallet: wallet !== undefined,
    balance: String(facts.balance),
    account_state: facts.status,
    last_transaction_id: transactionId(proven.lastTransLt, proven.lastTransHash),
    ...wallet,
  };
}

/** Undefined for anything that is no plain wallet: highload ones, other contracts, data that does not fit. */
function walletMembers({ code, data }: AccountFacts) {
  if (code === undefined || data === undefined) return undefined;
  const { type, layout } = walletCodeOf(code.cells.hash(code.cell, 0)) ?? {};
  const wallet = type && layout && readWallet(layout, data.cells, data.cell);
  if (wallet === undefined) return undefined;
  const { seqno, walletId, signatureAllowed } = wallet;
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    // By contract a signed number, unlike everywhere else.
    ...(walletId !== undefined && { wallet_id: walletId | 0 }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
  };
}
