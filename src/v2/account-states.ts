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
  shapeOf,
  TonlibObject,
} from './shapes.ts';

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

export const AccountStatus = Type.Enum(['uninitialized', 'active', 'frozen'], { title: 'AccountStateEnum' });

/** The status of an account in v2. By contract an active account without code is uninitialized. */
export function accountStatus({ code, frozenHash }: AccountContent): Static<typeof AccountStatus> {
  if (code !== undefined) return 'active';
  return frozenHash === undefined ? 'uninitialized' : 'frozen';
}

const walletLimit = shapeOf<RestrictedWallet['limits'][number]>()('rwallet.limit', 'RWalletLimit', {
  seconds: [Type.Integer(), ({ seconds }) => seconds],
  value: [Int64(), ({ value }) => value],
});

const walletConfig = shapeOf<RestrictedWallet>()('rwallet.config', 'RWalletConfig', {
  start_at: [Type.Integer(), ({ startAt }) => startAt],
  limits: [Type.Array(walletLimit.schema), ({ limits }) => limits.map(walletLimit.write)],
});

/** A wallet whose balance is unlocked over time, as of a time. */
interface RestrictedWalletAt {
  readonly wallet: RestrictedWallet;
  readonly balance: bigint;
  readonly unixTime: number;
}

const restrictedWallet = shapeOf<RestrictedWalletAt>()('rwallet.accountState', 'AccountStateRWallet', {
  wallet_id: [Type.Integer(), ({ wallet }) => wallet.walletId],
  seqno: [Type.Integer(), ({ wallet }) => wallet.seqno | 0],
  unlocked_balance: [Int64(), ({ wallet, balance, unixTime }) => unlockedBalance(wallet, balance, unixTime)],
  config: [walletConfig.schema, ({ wallet }) => walletConfig.write(wallet)],
});

const channelConfig = shapeOf<PaymentChannel>()('pchan.config', 'PChanConfig', {
  alice_public_key: [PlainText(), ({ alice }) => formatPublicKey(alice.publicKey)],
  alice_address: [AccountAddress, ({ alice }) => accountAddress(friendlyAddress(alice.address))],
  bob_public_key: [PlainText(), ({ bob }) => formatPublicKey(bob.publicKey)],
  bob_address: [AccountAddress, ({ bob }) => accountAddress(friendlyAddress(bob.address))],
  init_timeout: [Type.Integer(), ({ initTimeout }) => initTimeout],
  close_timeout: [Type.Integer(), ({ closeTimeout }) => closeTimeout],
  channel_id: [Int64(), ({ channelId }) => channelId],
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

/** An old payment channel. */
export const paymentChannel = shapeOf<PaymentChannel>()('pchan.accountState', 'AccountStatePChan', {
  config: [channelConfig.schema, channelConfig.write],
  state: [ChannelState, ({ state }) => channelStateOf(state)],
  description: [Type.String(), ({ description }) => description],
});

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
    restrictedWallet.schema,
    paymentChannel.schema,
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
      return restrictedWallet.write({ wallet: account.wallet, balance: content.balance, unixTime });
    case 'pchan':
      return paymentChannel.write(account.channel);
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
