import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, call, type Pattern } from '../pattern.ts';

import { NotThis, type Rule } from '../rule.ts';
import { DEDUST_PAY_OUT, DEDUST_TON_PAYOUT, readDedustPayOut } from './dedust-swap.ts';
import { type PaidOut, withdrawalColumns } from './dex-liquidity.ts';
import { JETTON_BURN, JETTON_BURN_NOTIFICATION } from './jetton-supply.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

function payout(as: string): Pattern {
  const paid = anyOf([call(DEDUST_TON_PAYOUT, { as }), blockOf('jetton_transfer', { as })]);
  return call(DEDUST_PAY_OUT, { each: paid });
}

function readPaidOut(block: Block | undefined): PaidOut {
  if (!block?.previous) throw new NotThis('nothing is paid out');
  const amount = readDedustPayOut(block.previous);
  if (block.type !== 'jetton_transfer') {
    const dexWallet = block.message.source;
    return { asset: null, amount, dexWallet, dexJettonWallet: null, userJettonWallet: null };
  }
  const { asset, sender, senderWallet, receiverWallet } = jettonTransferOf(block);
  return {
    asset,
    amount,
    dexWallet: sender,
    dexJettonWallet: senderWallet,
    userJettonWallet: receiverWallet,
  };
}

/** A share of a pool of DeDust is burnt for both of its assets. */
export const dedustWithdraw: Rule = {
  name: 'DeDust withdrawal',
  test: (block) => block.calls(JETTON_BURN),
  around: { each: call(JETTON_BURN_NOTIFICATION, { next: [payout('first'), payout('second')] }) },
  build(block, found, { interfaces }) {
    const body = block.bodyAfterOpcode();
    body.uint64();
    const burnt = body.coins();
    skipMsgAddress(body);
    const { source, destination: wallet } = block.message;
    const share = interfaces.jettonWallet(wallet ?? '');
    if (!share) return;
    const pool = found.call(JETTON_BURN_NOTIFICATION)!.message.destination;
    const paidOut = [readPaidOut(found.named('first')), readPaidOut(found.named('second'))];
    const describe = () => ({
      source,
      source_secondary: wallet,
      destination: pool,
      asset: share.jetton,
      ...withdrawalColumns(paidOut, { dex: 'dedust', lp_tokens_burnt: burnt }),
    });
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};
