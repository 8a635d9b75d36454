import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, call, type Pattern } from '../pattern.ts';
import type { Rule } from '../rule.ts';
import { COFFEE_NOTIFICATION, COFFEE_PAY_OUT, COFFEE_TON_PAYOUT } from './coffee-bodies.ts';
import { type PaidOut, withdrawalColumns } from './dex-liquidity.ts';
import { jettonBurnOf } from './jetton-supply.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const WITHDRAWAL_LOG = 0xc0ffee35;

function payout(as: string): Pattern {
  const paid = anyOf([blockOf('jetton_transfer'), call(COFFEE_TON_PAYOUT), call(COFFEE_NOTIFICATION)]);
  return call(COFFEE_PAY_OUT, { each: paid, as });
}

function readAmounts(log: Block): readonly bigint[] {
  const body = log.bodyAfterOpcode();
  body.uint64();
  return [body.coins(), body.coins()];
}

function readPaidOut(order: Block, amount: bigint): PaidOut {
  const dexWallet = order.message.source;
  const paid = order.next.find((block) => block.type === 'jetton_transfer' || block.calls(COFFEE_TON_PAYOUT));
  if (paid?.type !== 'jetton_transfer') {
    const userJettonWallet = paid?.message.destination ?? null;
    return { asset: null, amount, dexWallet, dexJettonWallet: null, userJettonWallet };
  }
  const { asset, senderWallet, receiverWallet } = jettonTransferOf(paid);
  return { asset, amount, dexWallet, dexJettonWallet: senderWallet, userJettonWallet: receiverWallet };
}

/** A share of a pool of swap.coffee is burnt for both of its assets. */
export const coffeeWithdraw: Rule = {
  name: 'swap.coffee withdrawal',
  test: (block) => block.type === 'jetton_burn',
  around: { next: [payout('first'), payout('second'), call(WITHDRAWAL_LOG, { as: 'log' })] },
  build(block, found) {
    const { owner, wallet, asset, amount } = jettonBurnOf(block);
    const log = found.named('log')!;
    const amounts = readAmounts(log);
    const orders = [found.named('first')!, found.named('second')!];
    const paidOut = orders.map((order, at) => readPaidOut(order, amounts[at]!));
    const describe = () => ({
      source: owner,
      source_secondary: wallet,
      destination: log.message.source,
      asset,
      ...withdrawalColumns(paidOut, { dex: 'coffee', lp_tokens_burnt: amount }),
    });
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};
