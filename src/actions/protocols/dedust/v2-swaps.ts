import type { Block } from '../../rules/block.ts';
import type { MessageLayout } from '../../rules/message-layouts.ts';
import { EXCESS, refundsOf } from '../../rules/pattern.ts';
import { tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, swapColumns, tonSide } from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { dedustV2 } from './layouts.ts';

/** Steps of a payload that are followed; a longer chain is hostile. */
const MAX_STEPS = 16;
/** Pools on a route; a longer chain is hostile. */
const MAX_HOPS = 200;

/** The request to a pool inside a payment of TON or jettons; undefined if it is not the one that is looked for. */
export function readDedustV2Request<Fields>(
  carrier: Block,
  request: MessageLayout<Fields>,
): Fields | undefined {
  return tryRead(() => request.match(paymentOf(carrier)?.payment_payload));
}

function paymentOf(carrier: Block) {
  if (carrier.calls(dedustV2.pay_native)) return dedustV2.pay_native.read(carrier);
  if (carrier.type !== 'jetton_transfer') return undefined;
  return dedustV2.pay_jetton.match(jettonTransferOf(carrier).request.payload());
}

/** A payment to a pool as a side of a swap or a deposit. */
export function dedustV2PaymentOf(carrier: Block): DexTransfer {
  if (carrier.type === 'jetton_transfer') return dexTransferOf(carrier);
  return tonSide(carrier, dedustV2.pay_native.read(carrier).amount);
}

/** Whether a block is a payment of a pool to a user, in TON or jettons. */
export function isDedustV2Leg(block: Block): boolean {
  return block.type === 'jetton_transfer' || block.calls(dedustV2.payout);
}

/** The payment of a pool to a user. */
export function readDedustV2Leg(leg: Block): DexTransfer {
  if (leg.type === 'jetton_transfer') return dexTransferOf(leg);
  return tonSide(leg, dedustV2.payout.read(leg).through('exit_code').amount);
}

/** The minimum output of the last pool on the route; null if the request has another layout. */
function readMinOut(carrier: Block): bigint | null {
  const request = readDedustV2Request(carrier, dedustV2.swap);
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
    const final = carrier.next.find(isDedustV2Leg);
    if (!final || readDedustV2Request(final, dedustV2.swap))
      throw new RuleMismatch('the route is incomplete');
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
  const { asset, destination } = readDedustV2Leg(refund);
  if (destination !== incoming.source || asset !== incoming.asset) return false;
  return refund.type === 'jetton_transfer' || dedustV2.payout.read(refund).exit_code !== 0;
}

/** The rules of DeDust v2 swaps. */
export const dedustV2Swaps: readonly Rule[] = [
  // A DeDust v2 swap through one or several pools.
  {
    type: 'jetton_swap',
    test: (block) => block.calls(dedustV2.pay_native) || block.type === 'jetton_transfer',
    build(block) {
      if (
        block.type === 'jetton_transfer' ? !swapEventAfter(block) : !readDedustV2Request(block, dedustV2.swap)
      )
        return undefined;
      const { carriers, events, final, members } = followRoute(block);
      const payments = carriers.map(dedustV2PaymentOf);
      const swapped = events.map((event) => dedustV2.swap_event.read(event));
      const [incoming, outgoing] = [payments[0]!, readDedustV2Leg(final)];
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
      if (!readDedustV2Request(block, dedustV2.swap) || swapEventAfter(block)) return undefined;
      const incoming = dedustV2PaymentOf(block);
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
];
