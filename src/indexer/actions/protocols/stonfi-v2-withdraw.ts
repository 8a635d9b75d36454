import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockOf, call } from '../pattern.ts';
import type { Rule } from '../rule.ts';
import { withdrawalColumns } from './dex-liquidity.ts';
import { jettonBurnOf } from './jetton-supply.ts';
import { ptonAfter, readRouterPayment } from './pton.ts';
import { STONFI_V2_PAY_TO } from './stonfi-v2-bodies.ts';

/** The pool gives back the sides of a deposit that was never completed. */
const REFUND = 0x0f98e2b8;
const ASK_REFUND = 0x132b9a2c;
const BURNT = 0x297437cf;

function transfersOf(payout: Block): Block[] {
  return payout.next.filter(({ type }) => type === 'jetton_transfer');
}

/** Both assets of a pool of the second version of STON.fi are paid out, for shares or of a deposit that was not completed. */
export const stonfiV2Withdraw: Rule = {
  name: 'STON.fi v2 withdrawal',
  test: (block) => block.calls(STONFI_V2_PAY_TO),
  around: {
    each: blockOf('jetton_transfer'),
    previous: anyOf([
      call(REFUND, { previous: call(ASK_REFUND, { as: 'asked' }) }),
      call(BURNT, { previous: blockOf('jetton_burn', { as: 'burn' }) }),
    ]),
  },
  build(block, found) {
    const beside = block.previous!.next.filter((one) => one !== block && one.calls(STONFI_V2_PAY_TO));
    const payouts = [block, ...beside.filter((one) => transfersOf(one).length > 0)];
    const [first, ...others] = payouts.map((payout) => readRouterPayment(transfersOf(payout)[0]!));
    const paidOut = [first!, ...others.slice(-1)];
    const burnt = found.named('burn');
    const burn = burnt && jettonBurnOf(burnt);
    const describe = () => ({
      source: burn ? burn.owner : (found.named('asked')?.message.source ?? null),
      source_secondary: burn?.wallet ?? null,
      destination: block.message.source,
      asset: burn?.asset ?? null,
      ...withdrawalColumns(paidOut, { dex: 'stonfi_v2', lp_tokens_burnt: burn?.amount ?? null }),
    });
    const transfers = payouts.flatMap(transfersOf);
    const ptons = payouts.flatMap((payout) => ptonAfter(transfersOf(payout)[0]!) ?? []);
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [
      ...payouts,
      ...found.blocks,
      ...transfers,
      ...ptons,
    ]);
  },
};
