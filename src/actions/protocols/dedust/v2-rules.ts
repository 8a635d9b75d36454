import type { ActionColumns } from '../../rules/action.ts';
import { type Block, compose } from '../../rules/block.ts';
import type { MessageLayout } from '../../rules/message-layouts.ts';
import { blockThat, call, EXCESS, type Pattern, refundsOf } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { type DepositData, type DepositSides, depositBlock } from '../dex/deposit-sides.ts';
import {
  type DepositSide,
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  inOrderOfTime,
  type Payout,
  swapColumns,
  tonSide,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { dedustV2 } from './layouts.ts';

/** Steps of a payload that are followed; a longer chain is hostile. */
const MAX_STEPS = 16;
/** Pools on a route; a longer chain is hostile. */
const MAX_HOPS = 200;

/** The request to a pool inside a payment of TON or jettons; undefined if it is not the one that is looked for. */
function readRequest<Fields>(carrier: Block, request: MessageLayout<Fields>): Fields | undefined {
  return tryRead(() => request.match(paymentOf(carrier)?.payment_payload));
}

function paymentOf(carrier: Block) {
  if (carrier.calls(dedustV2.pay_native)) return dedustV2.pay_native.read(carrier);
  if (carrier.type !== 'jetton_transfer') return undefined;
  return dedustV2.pay_jetton.match(jettonTransferOf(carrier).request.payload());
}

/** A payment to a pool as a side of a swap or a deposit. */
function readPayment(carrier: Block): DexTransfer {
  if (carrier.type === 'jetton_transfer') return dexTransferOf(carrier);
  return tonSide(carrier, dedustV2.pay_native.read(carrier).amount);
}

/** Whether a block is a payment of a pool to a user, in TON or jettons. */
function isLeg(block: Block): boolean {
  return block.type === 'jetton_transfer' || block.calls(dedustV2.payout);
}

/** The payment of a pool to a user. */
function readLeg(leg: Block): DexTransfer {
  if (leg.type === 'jetton_transfer') return dexTransferOf(leg);
  return tonSide(leg, dedustV2.payout.read(leg).through('exit_code').amount);
}

/** The minimum output of the last pool on the route; null if the request has another layout. */
function readMinOut(carrier: Block): bigint | null {
  const request = readRequest(carrier, dedustV2.swap);
  return (request && tryRead(() => readLastMinOut(request))) ?? null;
}

function readLastMinOut(request: SwapRequest): bigint {
  let { minimal_out, next } = request;
  for (let followed = 0; next && followed < MAX_STEPS; followed++) ({ minimal_out, next } = next);
  return minimal_out;
}

type SwapRequest = ReturnType<typeof dedustV2.swap.open>;

function swapEventAfter(carrier: Block): Block | undefined {
  return carrier.next.find((block) => block.calls(dedustV2.swap_event));
}

interface Route {
  readonly carriers: readonly Block[];
  readonly events: readonly Block[];
  readonly final: Block;
  readonly members: readonly Block[];
}

/** Follows the payments from pool to pool up to the payment to the user. */
function followRoute(first: Block): Route {
  const carriers: Block[] = [];
  const events: Block[] = [];
  const members: Block[] = [];
  for (let carrier = first; carriers.length < MAX_HOPS; ) {
    const event = swapEventAfter(carrier);
    if (!event) throw new RuleMismatch('a pool has not swapped');
    carriers.push(carrier);
    events.push(event);
    members.push(carrier, event, ...refundsOf(carrier, true));
    const onward = nextCarrier(carrier);
    if (onward) {
      carrier = onward;
      continue;
    }
    const final = carrier.next.find(isLeg);
    if (!final || readRequest(final, dedustV2.swap)) throw new RuleMismatch('the route is incomplete');
    members.push(final, ...refundsOf(final, true));
    return { carriers, events: inOrderOfTime(events), final, members };
  }
  throw new RuleMismatch('the route is too long');
}

/** The payment to the next pool: in TON, or in jettons that this pool swapped. */
function nextCarrier({ next }: Block): Block | undefined {
  return (
    next.find((block) => block.calls(dedustV2.pay_native)) ??
    next.find((block) => block.type === 'jetton_transfer' && swapEventAfter(block))
  );
}

function hasSucceeded({ node: { transaction } }: Block): boolean {
  return !transaction.aborted && (transaction.exitCode === null || transaction.exitCode === 0);
}

/** The payment that a pool returned: in TON with an error, or the same jettons. */
function isRefund(refund: Block, incoming: DexTransfer): boolean {
  const { asset, destination } = readLeg(refund);
  if (destination !== incoming.source || asset !== incoming.asset) return false;
  return refund.type === 'jetton_transfer' || dedustV2.payout.read(refund).exit_code !== 0;
}

const leg: Pattern = blockThat(isLeg, { optional: true, as: 'leg' });

type Side = Omit<DepositSide, 'amount'>;

const NO_SIDE: Side = { asset: null, wallet: null };

/** A deposit as shown by the messages of one or both of its sides. Pairs are in pool order. */
interface DedustV2DepositData extends DepositData {
  readonly sides: readonly [Side | undefined, Side | undefined];
  readonly amounts: readonly [bigint | null, bigint | null];
  readonly targets: readonly [bigint, bigint];
}

/** The payment of one side, its credit to the deposit contract, and what its request says. */
function readSide(credit: Block) {
  const carrier = credit.previous!;
  const request = readRequest(carrier, dedustV2.deposit);
  if (!request) throw new RuleMismatch('not a deposit');
  const { asset, source, sourceWallet } = readPayment(carrier);
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

export const dedustV2DepositSides: DepositSides<DedustV2DepositData> = {
  first: 'dedust_v2_deposit_liquidity_partial',
  final: 'dedust_v2_deposit_liquidity',
  describe({ sender, pool, contract, sides, amounts, targets, minted, excesses }) {
    const [first = NO_SIDE, second = NO_SIDE] = sides;
    const both = [
      { ...first, amount: amounts[0] },
      { ...second, amount: amounts[1] },
    ];
    return {
      source: sender,
      destination: pool,
      destination_secondary: contract,
      ...depositColumns(both, excesses, {
        dex: 'dedust_v2',
        target_asset_1: first.asset,
        target_amount_1: targets[0],
        target_asset_2: second.asset,
        target_amount_2: targets[1],
        lp_tokens_minted: minted,
      }),
    };
  },
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

export const dedustV2Rules: readonly Rule[] = [
  // A DeDust v2 swap through one or several pools.
  {
    type: 'jetton_swap',
    test: (block) => block.calls(dedustV2.pay_native) || block.type === 'jetton_transfer',
    build(block) {
      if (block.type === 'jetton_transfer' ? !swapEventAfter(block) : !readRequest(block, dedustV2.swap))
        return undefined;
      const { carriers, events, final, members } = followRoute(block);
      const payments = carriers.map(readPayment);
      const swapped = events.map((event) => dedustV2.swap_event.read(event));
      const [incoming, outgoing] = [payments[0]!, readLeg(final)];
      const assets = [...payments, outgoing].map(({ asset }) => asset);
      const peers = swapped.map(({ amount_in, amount_out }, at) => ({
        asset_in: assets[at]!,
        amount_in,
        asset_out: assets[at + 1]!,
        amount_out,
      }));
      const columns = swapColumns({
        dex: 'dedust_v2',
        incoming: { ...incoming, amount: peers[0]!.amount_in },
        outgoing: { ...outgoing, amount: peers.at(-1)!.amount_out },
        peerSwaps: peers.length > 1 ? peers : [],
        minOutAmount: readMinOut(block),
      });
      return { ...columns, success: events.every(hasSucceeded), members };
    },
  },
  // A DeDust v2 swap that the pool refused: it returned the payment.
  {
    type: 'jetton_swap',
    test: (block) => block.calls(dedustV2.pay_native) || block.type === 'jetton_transfer',
    build(block, _match, { interfaces }) {
      if (!readRequest(block, dedustV2.swap) || swapEventAfter(block)) return undefined;
      const incoming = readPayment(block);
      const isTon = block.calls(dedustV2.pay_native);
      const refund = block.next.find((one) =>
        isTon ? one.calls(dedustV2.payout) : one.type === 'jetton_transfer',
      );
      if (!refund || !isRefund(refund, incoming)) return undefined;
      const pool = interfaces.dedustPool(incoming.destination ?? '');
      const wanted = pool?.assets.find(({ isTon, address }) => (isTon ? null : address) !== incoming.asset);
      const columns = swapColumns({
        dex: 'dedust_v2',
        incoming,
        outgoing: {
          asset: wanted && !wanted.isTon ? wanted.address : null,
          amount: 0n,
          source: incoming.destination,
          sourceWallet: null,
          destination: incoming.source,
          destinationWallet: null,
        },
        minOutAmount: readMinOut(block),
      });
      const excesses = block.next.filter((one) => one.calls(EXCESS));
      return {
        ...columns,
        success: false,
        members: [block, refund, ...excesses, ...refundsOf(refund, true)],
      };
    },
  },
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
      const paidOut = inOrderOfTime(match.allNamed('leg')).map(readLeg);
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
        excesses: back.map(readLeg),
      };
      compose(depositBlock(dedustV2DepositSides, 'final', data, !event), [block, ...match.blocks]);
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
      compose(depositBlock(dedustV2DepositSides, 'first', data), [block, ...match.blocks]);
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
      const legs = inOrderOfTime(match.allNamed('leg')).map(readLeg);
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
      const reward = { ...(paid ? readLeg(paid) : NO_PAYOUT), amount };
      return claimColumns(block, payout, [reward]);
    },
  },
];
