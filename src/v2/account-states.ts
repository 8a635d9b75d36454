import type { Static } from 'typebox';
import Type from 'typebox';
import {
  type RecognisedAccount,
  type RestrictedWallet,
  recogniseAccount,
  unlockedBalance,
} from '../chain/contracts/account-kinds.ts';
import { formatPublicKey, type PaymentChannel } from '../chain/contracts/payment-channel.ts';
import { Int64, PlainText } from '../http/serializer.ts';
import type { ProvenAccount } from '../lite/methods/accounts.ts';
import { type AccountState, readAccountState } from '../live/accounts.ts';
import {
  AccountAddress,
  accountAddress,
  BocText,
  friendlyAddress,
  MaybeHash256,
  maybeBoc,
  maybeHash,
  TonlibObject,
} from './shapes.ts';

/** An account as v2 shows it. */
export type AccountContent = Pick<
  AccountState,
  'balance' | 'extraCurrencies' | 'code' | 'data' | 'frozenHash'
>;

const NO_CONTENT: AccountContent = {
  balance: 0n,
  extraCurrencies: [],
  code: undefined,
  data: undefined,
  frozenHash: undefined,
};

/** Reads what v2 shows of an account. By contract an account that does not exist looks like an empty one. */
export function accountContent(proven: ProvenAccount): AccountContent {
  return readAccountState(proven) ?? NO_CONTENT;
}

/** The statuses of accounts in v2. */
export const AccountStatus = Type.Enum(['uninitialized', 'active', 'frozen'], { title: 'AccountStateEnum' });

/** The status of an account in v2. By contract an active account without code is uninitialized. */
export function accountStatus({ code, frozenHash }: AccountContent): Static<typeof AccountStatus> {
  if (code !== undefined) return 'active';
  return frozenHash === undefined ? 'uninitialized' : 'frozen';
}

/** `rwallet.accountState`: a wallet whose balance is unlocked over time. */
const RestrictedWalletState = TonlibObject('rwallet.accountState', 'AccountStateRWallet', {
  wallet_id: Type.Integer(),
  seqno: Type.Integer(),
  unlocked_balance: Int64(),
  config: TonlibObject('rwallet.config', 'RWalletConfig', {
    start_at: Type.Integer(),
    limits: Type.Array(
      TonlibObject('rwallet.limit', 'RWalletLimit', { seconds: Type.Integer(), value: Int64() }),
    ),
  }),
});

/** Writes `rwallet.accountState` as of a time. */
function restrictedWalletState(
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

const ChannelConfig = TonlibObject('pchan.config', 'PChanConfig', {
  alice_public_key: PlainText(),
  alice_address: AccountAddress,
  bob_public_key: PlainText(),
  bob_address: AccountAddress,
  init_timeout: Type.Integer(),
  close_timeout: Type.Integer(),
  channel_id: Int64(),
});

const openState = <Name extends string>(name: Name, title: string) =>
  TonlibObject(name, title, {
    signed_A: Type.Boolean(),
    signed_B: Type.Boolean(),
    min_A: Int64(),
    min_B: Int64(),
    expire_at: Type.Integer(),
    A: Int64(),
    B: Int64(),
  });

const ChannelState = Type.Union(
  [
    openState('pchan.stateInit', 'PChanStateInit'),
    openState('pchan.stateClose', 'PChanStateClose'),
    TonlibObject('pchan.statePayout', 'PChanStatePayout', { A: Int64(), B: Int64() }),
  ],
  { title: 'PChanState' },
);

/** `pchan.accountState`: an old payment channel. */
const PaymentChannelState = TonlibObject('pchan.accountState', 'AccountStatePChan', {
  config: ChannelConfig,
  state: ChannelState,
  description: Type.String(),
});

/** Writes `pchan.accountState`. */
export function paymentChannelState(channel: PaymentChannel): Static<typeof PaymentChannelState> {
  const { alice, bob, initTimeout, closeTimeout, channelId, state, description } = channel;
  return {
    '@type': 'pchan.accountState',
    config: {
      '@type': 'pchan.config',
      alice_public_key: formatPublicKey(alice.publicKey),
      alice_address: accountAddress(friendlyAddress(alice.address)),
      bob_public_key: formatPublicKey(bob.publicKey),
      bob_address: accountAddress(friendlyAddress(bob.address)),
      init_timeout: initTimeout,
      close_timeout: closeTimeout,
      channel_id: channelId,
    },
    state: channelStateOf(state),
    description,
  };
}

/** tonlib mixes up the last three members; here each is what its name says. */
function channelStateOf(state: PaymentChannel['state']): Static<typeof ChannelState> {
  const amounts = { A: state.amountA, B: state.amountB };
  if (state.kind === 'payout') return { '@type': 'pchan.statePayout', ...amounts };
  return {
    '@type': state.kind === 'init' ? 'pchan.stateInit' : 'pchan.stateClose',
    signed_A: state.signedA,
    signed_B: state.signedB,
    min_A: state.limitA,
    min_B: state.limitB,
    expire_at: state.expireAt,
    ...amounts,
  };
}

const UninitedState = TonlibObject('uninited.accountState', 'AccountStateUninited', {
  frozen_hash: MaybeHash256(),
});

const RawState = TonlibObject('raw.accountState', 'AccountStateRaw', {
  code: BocText(),
  data: BocText(),
  frozen_hash: MaybeHash256(),
});

const walletState = <Kind extends string>(kind: Kind, title: string) =>
  TonlibObject(`${kind}.accountState`, title, {
    wallet_id: Type.Integer(),
    seqno: Type.Integer(),
  });

const idOnlyState = <Kind extends string>(kind: Kind, title: string) =>
  TonlibObject(`${kind}.accountState`, title, { wallet_id: Type.Integer() });

/** The state of an account, decoded if its code is known. */
export const RecognisedState = Type.Union(
  [
    UninitedState,
    RawState,
    walletState('wallet.v3', 'AccountStateWalletV3'),
    walletState('wallet.v4', 'AccountStateWalletV4'),
    walletState('wallet.highload.v1', 'AccountStateWalletHighloadV1'),
    idOnlyState('wallet.highload.v2', 'AccountStateWalletHighloadV2'),
    idOnlyState('dns', 'AccountStateDns'),
    RestrictedWalletState,
    PaymentChannelState,
  ],
  { title: 'AccountState' },
);

/** Recognises an account by its code; `unixTime` is that of its block. */
export function recognisedState(content: AccountContent, unixTime: number) {
  const { code, data } = content;
  const recognised: RecognisedAccount =
    code === undefined
      ? { kind: 'uninited', revision: 0 }
      : recogniseAccount(code.cells, code.cell, data?.cell ?? -1);
  return {
    account_state: accountStateOf(recognised, content, unixTime),
    revision: recognised.revision,
  };
}

function accountStateOf(
  account: RecognisedAccount,
  content: AccountContent,
  unixTime: number,
): Static<typeof RecognisedState> {
  switch (account.kind) {
    case 'uninited':
      return { '@type': 'uninited.accountState', frozen_hash: maybeHash(content.frozenHash) };
    case 'raw':
      return {
        '@type': 'raw.accountState',
        code: maybeBoc(content.code),
        data: maybeBoc(content.data),
        frozen_hash: '',
      };
    case 'rwallet':
      return restrictedWalletState(account.wallet, content.balance, unixTime);
    case 'pchan':
      return paymentChannelState(account.channel);
    case 'wallet.highload.v2':
    case 'dns':
      return { '@type': `${account.kind}.accountState`, wallet_id: account.walletId };
    default:
      return {
        '@type': `${account.kind}.accountState`,
        wallet_id: account.walletId,
        // A signed 32-bit number on the wire.
        seqno: account.seqno | 0,
      };
  }
}
