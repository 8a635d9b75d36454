import Type, { type Static } from 'typebox';
import { type RestrictedWallet, unlockedBalance } from '../../chain/contracts/restricted-wallet.ts';
import { Int64 } from '../../http/serializer.ts';

/** `rwallet.accountState`: a wallet that may spend only a part of its balance for a time. */
export const RestrictedWalletState = Type.Object({
  '@type': Type.Literal('rwallet.accountState'),
  wallet_id: Type.Integer(),
  seqno: Type.Integer(),
  unlocked_balance: Int64(),
  config: Type.Object({
    '@type': Type.Literal('rwallet.config'),
    start_at: Type.Integer(),
    limits: Type.Array(
      Type.Object({ '@type': Type.Literal('rwallet.limit'), seconds: Type.Integer(), value: Int64() }),
    ),
  }),
});

/** Writes `rwallet.accountState` as of a time. */
export function restrictedWalletState(
  wallet: RestrictedWallet,
  balance: bigint,
  unixTime: number,
): Static<typeof RestrictedWalletState> {
  return {
    '@type': 'rwallet.accountState',
    wallet_id: wallet.walletId,
    seqno: wallet.seqno | 0,
    unlocked_balance: unlockedBalance(wallet, balance, unixTime),
    config: {
      '@type': 'rwallet.config',
      start_at: wallet.startAt,
      limits: wallet.limits.map(({ seconds, value }) => ({ '@type': 'rwallet.limit', seconds, value })),
    },
  };
}
