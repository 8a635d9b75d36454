import type { ActionColumns } from '../../rules/action.ts';
import { type Block, type BlockContent, compose } from '../../rules/block.ts';
import { blockThat, call, type Pattern } from '../../rules/pattern.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import type { DepositData, DepositSides } from '../dex/deposit-sides.ts';
import {
  type DepositSide,
  depositColumns,
  inOrderOfTime,
  type Payout,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { dedustV2 } from './layouts.ts';
import { dedustV2PaymentOf, isDedustV2Leg, readDedustV2Leg, readDedustV2Request } from './v2-swaps.ts';

const leg: Pattern = blockThat(isDedustV2Leg, { optional: true, as: 'leg' });

type Side = Omit<DepositSide, 'amount'>;

const NO_SIDE: Side = { asset: null, wallet: null };

/** A deposit as shown by the messages of one or both of its sides. Pairs are in pool order. */
interface DedustV2DepositData extends DepositData {
  readonly sides: readonly [Side | undefined, Side | undefined];
  readonly amounts: readonly [bigint | null, bigint | null];
  readonly targets: readonly [bigint, bigint];
}

function depositBlock(
  type: 'dedust_v2_deposit_liquidity' | 'dedust_v2_deposit_liquidity_partial',
  data: DedustV2DepositData,
  failed: boolean,
): BlockContent<DedustV2DepositData> {
  return { type, data, failed, describe: (block) => describeDeposit(block.data as DedustV2DepositData) };
}

function describeDeposit({ sender, pool, contract, sides, ...amounts }: DedustV2DepositData): ActionColumns {
  const [first = NO_SIDE, second = NO_SIDE] = sides;
  const [amount1, amount2] = amounts.amounts;
  const both = [
    { ...first, amount: amount1 },
    { ...second, amount: amount2 },
  ];
  return {
    source: sender,
    destination: pool,
    destination_secondary: contract,
    ...depositColumns(both, amounts.excesses, {
      dex: 'dedust_v2',
      target_asset_1: first.asset,
      target_amount_1: amounts.targets[0],
      target_asset_2: second.asset,
      target_amount_2: amounts.targets[1],
      lp_tokens_minted: amounts.minted,
    }),
  };
}

/** The payment of one side, its credit to the deposit contract, and what its request says. */
function readSide(credit: Block) {
  const carrier = credit.previous!;
  const request = readDedustV2Request(carrier, dedustV2.deposit);
  if (!request) throw new RuleMismatch('not a deposit');
  const { asset, source, sourceWallet } = dedustV2PaymentOf(carrier);
  const side: Side = { asset, wallet: sourceWallet };
  const { is_x: isX, amount } = dedustV2.credit_asset.read(credit);
  return {
    sender: source,
    sides: isX ? ([side, undefined] as const) : ([undefined, side] as const),
    amounts: isX ? ([amount, null] as const) : ([null, amount] as const),
    targets: [request.amount_x, request.amount_y] as const,
  };
}

function readDepositEvent(block: Block) {
  const { x_in, y_in, liquidity } = dedustV2.deposit_event.read(block);
  return { amounts: [x_in, y_in] as const, minted: liquidity };
}

const carrier: Pattern = blockThat(
  (block) => block.type === 'jetton_transfer' || block.calls(dedustV2.pay_native),
);
const credited: Pattern = call(dedustV2.credit_asset, { previous: carrier, as: 'credit' });
const jettonsBack: Pattern = blockThat(({ type }) => type === 'jetton_transfer', {
  optional: true,
  as: 'jettons back',
});

function receiverOf(back: Block): string | null {
  return back.type === 'jetton_transfer' ? jettonTransferOf(back).receiver : back.message.destination;
}

/** The two sides of DeDust v2 deposits. */
export const dedustV2DepositSides: DepositSides<DedustV2DepositData> = {
  first: 'dedust_v2_deposit_liquidity_partial',
  final: 'dedust_v2_deposit_liquidity',
  joinData(first, final) {
    const isOther = final.sides.every((side, at) => (side === undefined) !== (first.sides[at] === undefined));
    if (!isOther) return undefined;
    return { ...final, sides: [final.sides[0] ?? first.sides[0], final.sides[1] ?? first.sides[1]] };
  },
};

function claimColumns(claim: Block, payout: Block, paidOut: readonly Payout[]): ActionColumns {
  const { source, destination } = claim.message;
  const { data } = withdrawalColumns(paidOut, { dex: 'dedust_v2', is_refund: false });
  return { source, destination, destination_secondary: payout.message.source, data: data! };
}

const NO_PAYOUT = { asset: null, source: null, sourceWallet: null, destinationWallet: null };

/** The payouts of both fees: each goes to the first free side with its amount. */
function matchFees(fees: readonly [bigint, bigint], legs: readonly Payout[]): Payout[] {
  const sides: Payout[] = fees.map((amount) => ({ ...NO_PAYOUT, amount }));
  const free = new Set([0, 1]);
  for (const paid of legs) {
    const side = [...free].find((at) => fees[at] === paid.amount);
    if (side === undefined) continue;
    free.delete(side);
    sides[side] = paid;
  }
  return sides;
}

/** The rules of DeDust v2 liquidity. */
export const dedustV2Liquidity: readonly Rule[] = [
  // Withdraws liquidity from a DeDust v2 position; refused if the pool pays less than the minimum.
  {
    type: 'dex_withdraw_liquidity',
    calls: [dedustV2.withdraw],
    around: {
      next: [
        call(dedustV2.withdraw_liquidity, {
          next: [
            call(dedustV2.exit_liquidity, {
              next: [call(dedustV2.withdrawal_event, { optional: true, as: 'event' }), leg, leg],
            }),
          ],
        }),
      ],
    },
    includesRefunds: true,
    build(block, match) {
      const { liquidity, auto_claim_fees } = dedustV2.withdraw.read(block);
      if (auto_claim_fees) throw new RuleMismatch('the payouts include fees');
      const event = match.named('event');
      const { source, destination } = block.message;
      const paidOut = inOrderOfTime(match.allNamed('leg')).map(readDedustV2Leg);
      return {
        source,
        destination,
        ...withdrawalColumns(paidOut, {
          dex: 'dedust_v2',
          lp_tokens_burnt: event ? dedustV2.withdrawal_event.read(event).liquidity : liquidity,
          is_refund: !event,
        }),
        success: event !== undefined,
      };
    },
  },
  // The side that completes a DeDust v2 deposit: the pool credits liquidity, or returns both sides.
  {
    type: 'dedust_v2_deposit_liquidity',
    calls: [dedustV2.join_liquidity],
    around: {
      next: [
        call(dedustV2.deposit_event, { optional: true, as: 'event' }),
        call(dedustV2.credit_liquidity, { optional: true }),
        jettonsBack,
        jettonsBack,
        call(dedustV2.payout, { optional: true, as: 'TON back' }),
      ],
      previous: credited,
    },
    includesRefunds: true,
    build(block, match) {
      const event = match.named('event');
      const { amount_x, amount_y, initiator } = dedustV2.join_liquidity.read(block);
      const back = [...inOrderOfTime(match.allNamed('jettons back')), ...match.allNamed('TON back')];
      if (!event && back.length === 0) throw new RuleMismatch('neither deposited nor returned');
      if (back.some((one) => receiverOf(one) !== initiator)) throw new RuleMismatch('returned to another');
      const { sides, targets } = readSide(match.named('credit')!);
      const data = {
        sender: initiator,
        pool: block.message.destination,
        contract: block.message.source,
        sides,
        targets,
        ...(event ? readDepositEvent(event) : { amounts: [amount_x, amount_y] as const, minted: null }),
        excesses: back.map(readDedustV2Leg),
      };
      compose(depositBlock('dedust_v2_deposit_liquidity', data, !event), [block, ...match.blocks]);
    },
  },
  // The first side of a DeDust v2 deposit, which waits for the other.
  {
    type: 'dedust_v2_deposit_liquidity_partial',
    calls: [dedustV2.credit_asset],
    around: { previous: carrier },
    includesRefunds: true,
    build(block, match) {
      // A complete deposit that its own rule did not match.
      if (block.next.some((one) => one.calls(dedustV2.join_liquidity))) return;
      const data = {
        ...readSide(block),
        pool: block.message.source,
        contract: block.message.destination,
        minted: null,
        excesses: null,
      };
      compose(depositBlock('dedust_v2_deposit_liquidity_partial', data, false), [block, ...match.blocks]);
    },
  },
  // Claims the fees of a DeDust v2 position.
  {
    type: 'dedust_v2_claim_fees',
    calls: [dedustV2.claim_position_fees],
    around: {
      next: [
        call(dedustV2.claim_available_fees, {
          next: [call(dedustV2.payout_position_fees, { next: [leg, leg], as: 'payout' })],
        }),
      ],
    },
    includesRefunds: true,
    build(block, match) {
      const payout = match.named('payout')!;
      const { x_fees, y_fees } = dedustV2.payout_position_fees.read(payout);
      const legs = inOrderOfTime(match.allNamed('leg')).map(readDedustV2Leg);
      return claimColumns(block, payout, matchFees([x_fees, y_fees], legs));
    },
  },
  // Claims a reward of a DeDust v2 position.
  {
    type: 'dedust_v2_claim_reward',
    calls: [dedustV2.claim_reward],
    around: {
      next: [
        call(dedustV2.claim_position_reward, {
          next: [call(dedustV2.payout_reward, { next: [leg], as: 'payout' })],
        }),
      ],
    },
    includesRefunds: true,
    build(block, match) {
      const payout = match.named('payout')!;
      const { amount } = dedustV2.payout_reward.read(payout);
      const paid = match.named('leg');
      const reward = { ...(paid ? readDedustV2Leg(paid) : NO_PAYOUT), amount };
      return claimColumns(block, payout, [reward]);
    },
  },
];
