import Type, { type Static } from 'typebox';
import { type RecognisedAccount, recogniseAccount } from '../../chain/contracts/recognise-account.ts';
import type { AccountFacts } from '../reads/account-facts.ts';
import { MaybeHash256, maybeBoc, maybeHash } from './account-summary.ts';
import { BocText } from './cell-bytes.ts';
import { PaymentChannelState, paymentChannelState } from './payment-channel-state.ts';
import { RestrictedWalletState, restrictedWalletState } from './restricted-wallet-state.ts';

const UninitedState = Type.Object({
  '@type': Type.Literal('uninited.accountState'),
  frozen_hash: MaybeHash256(),
});

const RawState = Type.Object({
  '@type': Type.Literal('raw.accountState'),
  code: BocText(),
  data: BocText(),
  frozen_hash: MaybeHash256(),
});

const walletState = <Kind extends string>(kind: Kind) =>
  Type.Object({
    '@type': Type.Literal(`${kind}.accountState`),
    wallet_id: Type.Integer(),
    seqno: Type.Integer(),
  });

const numberedState = <Kind extends string>(kind: Kind) =>
  Type.Object({ '@type': Type.Literal(`${kind}.accountState`), wallet_id: Type.Integer() });

/** What is known of an account by its code. */
export const RecognisedState = Type.Union([
  UninitedState,
  RawState,
  walletState('wallet.v3'),
  walletState('wallet.v4'),
  walletState('wallet.highload.v1'),
  numberedState('wallet.highload.v2'),
  numberedState('dns'),
  RestrictedWalletState,
  PaymentChannelState,
]);

/** Recognises an account by its code; `unixTime` is the one as of which it was read. */
export function recognisedState(facts: AccountFacts, unixTime: number) {
  const { code, data } = facts;
  const recognised: RecognisedAccount =
    code === undefined
      ? { kind: 'uninited', revision: 0 }
      : recogniseAccount(code.cells, code.cell, data?.cell ?? -1);
  return { account_state: stateOf(recognised, facts, unixTime), revision: recognised.revision };
}

function stateOf(
  account: RecognisedAccount,
  facts: AccountFacts,
  unixTime: number,
): Static<typeof RecognisedState> {
  switch (account.kind) {
    case 'uninited':
      return { '@type': 'uninited.accountState', frozen_hash: maybeHash(facts.frozenHash) };
    case 'raw':
      return {
        '@type': 'raw.accountState',
        code: maybeBoc(facts.code),
        data: maybeBoc(facts.data),
        frozen_hash: '',
      };
    case 'rwallet':
      return restrictedWalletState(account.wallet, facts.balance, unixTime);
    case 'pchan':
      return paymentChannelState(account.channel);
    case 'wallet.highload.v2':
    case 'dns':
      return { '@type': `${account.kind}.accountState`, wallet_id: account.walletId };
    default:
      return {
        '@type': `${account.kind}.accountState`,
        wallet_id: account.walletId,
        // Answers have it as a signed number of 32 bits.
        seqno: account.seqno | 0,
      };
  }
}
