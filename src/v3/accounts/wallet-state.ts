import Type, { type Static } from 'typebox';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { readWallet, type WalletData } from '../../chain/contracts/read-wallet.ts';
import { type WalletType, walletCodeOf } from '../../chain/contracts/wallet-codes.ts';
import { PlainText } from '../../http/serializer.ts';
import { formatAccount } from '../account-bytes.ts';
import { MapOf } from '../map-of.ts';
import { accountStatusSchema } from './account-state.ts';
import type { CellsWish, KnownAccount } from './known-account.ts';

/** What a wallet says of itself. */
export const walletMembers = {
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
};

/** An account as a wallet; of other accounts only what all have. */
export const walletStateSchema = Type.Object({
  address: PlainText(),
  is_wallet: Type.Boolean(),
  ...walletMembers,
  balance: PlainText({ description: 'Nanotons.' }),
  extra_currencies: Type.Optional(MapOf(PlainText())),
  is_signature_allowed: Type.Optional(Type.Boolean({ description: 'Of wallets v5.' })),
  status: accountStatusSchema,
  code_hash: Type.Optional(PlainText()),
  last_transaction_hash: PlainText(),
  last_transaction_lt: PlainText(),
});

/** Only the data of wallets is worth reading. */
export const WALLET_CELLS: CellsWish = {
  codes: false,
  dataOf: ({ code_hash }) => code_hash !== null && walletCodeOf(code_hash)?.type !== undefined,
};

/** A wallet and what its data says. */
export interface KnownWallet extends WalletData {
  readonly type: WalletType;
}

/** Reads an account as a wallet; undefined when it is none, or its data is not there. */
export function walletOf({ code_hash, data }: KnownAccount): KnownWallet | undefined {
  const { type, layout } = (code_hash && walletCodeOf(code_hash)) ?? {};
  if (type === undefined || layout === undefined || data === undefined) return undefined;
  try {
    const bag = readBoc(data);
    const wallet = readWallet(layout, bag, bag.root);
    return wallet && { type, ...wallet };
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}

/** Writes an account as a wallet. */
export function walletState(row: KnownAccount): Static<typeof walletStateSchema> {
  const wallet = walletOf(row);
  const { signatureAllowed } = wallet ?? {};
  return {
    address: formatAccount(row.account),
    is_wallet: wallet !== undefined,
    ...(wallet && writeWallet(wallet)),
    balance: row.balance,
    ...(row.balance_extra && { extra_currencies: row.balance_extra }),
    ...(signatureAllowed !== undefined && { is_signature_allowed: signatureAllowed }),
    status: row.status,
    ...(row.code_hash && { code_hash: row.code_hash.toString('base64') }),
    last_transaction_hash: row.last_trans_hash.toString('base64'),
    last_transaction_lt: row.last_trans_lt,
  };
}

/** Writes what a wallet says of itself. */
export function writeWallet({ type, seqno, walletId }: KnownWallet) {
  return {
    wallet_type: type,
    ...(seqno !== undefined && { seqno }),
    ...(walletId !== undefined && { wallet_id: walletId }),
  };
}
