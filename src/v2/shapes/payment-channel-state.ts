import Type, { type Static } from 'typebox';
import { formatPublicKey, type PaymentChannel } from '../../chain/contracts/payment-channel.ts';
import { Int64, PlainText } from '../../http/serializer.ts';
import { AccountAddress, accountAddress, friendlyAddress } from './account-address.ts';

const ChannelConfig = Type.Object({
  '@type': Type.Literal('pchan.config'),
  alice_public_key: PlainText(),
  alice_address: AccountAddress,
  bob_public_key: PlainText(),
  bob_address: AccountAddress,
  init_timeout: Type.Integer(),
  close_timeout: Type.Integer(),
  channel_id: Int64(),
});

const openState = <Name extends string>(name: Name) =>
  Type.Object({
    '@type': Type.Literal(name),
    signed_A: Type.Boolean(),
    signed_B: Type.Boolean(),
    min_A: Int64(),
    min_B: Int64(),
    expire_at: Type.Integer(),
    A: Int64(),
    B: Int64(),
  });

const ChannelState = Type.Union([
  openState('pchan.stateInit'),
  openState('pchan.stateClose'),
  Type.Object({ '@type': Type.Literal('pchan.statePayout'), A: Int64(), B: Int64() }),
]);

/** `pchan.accountState`: a payment channel of the old kind. */
export const PaymentChannelState = Type.Object({
  '@type': Type.Literal('pchan.accountState'),
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
    state: stateOf(state),
    description,
  };
}

/** tonlib has the last three members in each other's places; here each is what its name says. */
function stateOf(state: PaymentChannel['state']): Static<typeof ChannelState> {
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
