import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, compose } from '../../rules/block.ts';
import { EXCESS, refundsOf } from '../../rules/pattern.ts';
import { readMaybeRef, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, type Payout, swapBlock } from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';

/** A user or a pool pays TON to a pool. */
export const DEDUST_V2_PAY_TON = 0xa5a7cbf8;
/** The forward payload of jettons that are paid to a pool. */
const PAY_JETTONS = 0xcbc33949;
/** A pool pays TON to a user. */
export const DEDUST_V2_PAYOUT = 0x3216ca09;
const SWAP_PAYLOAD = 0xc442500f;
const SWAP_EVENT = 0x78e79ba4;

/** Steps of a payload that are followed; a longer chain is hostile. */
const MAX_STEPS = 16;
/** Pools on a route; a longer chain is hostile. */
const MAX_HOPS = 200;

/**
 * The request to a pool inside a payment of TON or jettons, if it starts with this opcode; the slice is after the
 * opcode. Undefined for anything else.
 */
export function readDedustV2Request(carrier: Block, opcode: number): Slice | undefined {
  return tryRead(() => {
    const request = openPayment(carrier)?.refSlice();
    if (!request || request.bitsLeft < 32 || request.uint(32) !== opcode) return undefined;
    return request;
  });
}

/** The slice of a payment whose first reference is the request to the pool. */
function openPayment(carrier: Block): Slice | undefined {
  if (carrier.calls(DEDUST_V2_PAY_TON)) return carrier.bodyAfterOpcode();
  if (carrier.type !== 'jetton_transfer') return undefined;
  const { request } = jettonTransferOf(carrier);
  return request.payloadOpcode === PAY_JETTONS ? request.payload() : undefined;
}

/** A payment to a pool as a side of a swap or a deposit. */
export function dedustV2PaymentOf(carrier: Block): DexTransfer {
  if (carrier.type === 'jetton_transfer') return dexTransferOf(carrier);
  const body = carrier.bodyAfterOpcode();
  body.uint64();
  return tonTransferOf(carrier, body.coins());
}

function tonTransferOf({ message: { source, destination } }: Block, amount: bigint): DexTransfer {
  return { asset: null, amount, source, sourceWallet: null, destination, destinationWallet: null };
}

/** Whether a block is a payment of a pool to a user, in TON or jettons. */
export function isDedustV2Leg(block: Block): boolean {
  return block.type === 'jetton_transfer' || block.calls(DEDUST_V2_PAYOUT);
}

/** The payment of a pool to a user. */
function readLeg(leg: Block): DexTransfer {
  if (leg.type === 'jetton_transfer') return dexTransferOf(leg);
  return tonTransferOf(leg, readPayout(leg).amount);
}

/** The payment of a pool to a user as a side of a withdrawal. */
export function dedustV2PayoutOf(leg: Block): Payout {
  const { asset, amount, source, sourceWallet, destinationWallet } = readLeg(leg);
  return {
    asset,
    amount,
    dexWallet: source,
    dexJettonWallet: sourceWallet,
    userJettonWallet: destinationWallet,
  };
}

function readPayout(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  return { amount: body.coins(), exitCode: body.int(32) };
}

interface SwapEvent {
  readonly amountIn: bigint;
  readonly amountOut: bigint;
}

function readEvent(block: Block): SwapEvent {
  const body = block.bodyAfterOpcode();
  body.boolean();
  return { amountIn: body.coins(), amountOut: body.coins() };
}

/** The minimum output of the last pool on the route; null if the request has another layout. */
function readMinOut(carrier: Block): bigint | null {
  const request = readDedustV2Request(carrier, SWAP_PAYLOAD);
  return (request && tryRead(() => readLastMinOut(request))) ?? null;
}

function readLastMinOut(request: Slice): bigint {
  let minOut = request.coins();
  request.skip(DEADLINE_BITS);
  let step = readMaybeRef(request);
  for (let followed = 0; step && followed < MAX_STEPS; followed++) {
    skipMsgAddress(step);
    minOut = step.coins();
    step.skip(DEADLINE_BITS);
    step = readMaybeRef(step);
  }
  return minOut;
}

const DEADLINE_BITS = 40;

function swapEventAfter(carrier: Block): Block | undefined {
  return carrier.next.find((block) => block.calls(SWAP_EVENT));
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
    if (!final || readDedustV2Request(final, SWAP_PAYLOAD)) throw new RuleMismatch('the route is incomplete');
    members.push(final, ...refundsOf(final, true));
    return { carriers, events: inOrderOfTime(events), final, members };
  }
  throw new RuleMismatch('the route is too long');
}

/** The payment to the next pool: in TON, or in jettons that this pool swapped. */
function nextCarrier({ next }: Block): Block | undefined {
  return (
    next.find((block) => block.calls(DEDUST_V2_PAY_TON)) ??
    next.find((block) => block.type === 'jetton_transfer' && swapEventAfter(block))
  );
}

/** The emitting transactions were not rejected. */
function hasSucceeded({ node: { transaction } }: Block): boolean {
  return !transaction.aborted && (transaction.exitCode === null || transaction.exitCode === 0);
}

/** A DeDust v2 swap through one or several pools. */
export const dedustV2Swap: Rule = {
  name: 'DeDust v2 swap',
  test: (block) => block.calls(DEDUST_V2_PAY_TON) || block.type === 'jetton_transfer',
  build(block) {
    if (block.type === 'jetton_transfer' ? !swapEventAfter(block) : !readDedustV2Request(block, SWAP_PAYLOAD))
      return;
    const { carriers, events, final, members } = followRoute(block);
    const payments = carriers.map(dedustV2PaymentOf);
    const swapped = events.map(readEvent);
    const [incoming, outgoing] = [payments[0]!, readLeg(final)];
    const assets = [...payments, outgoing].map(({ asset }) => asset);
    const data = {
      dex: 'dedust_v2' as const,
      sender: incoming.source,
      incoming: { ...incoming, amount: swapped[0]!.amountIn },
      outgoing: { ...outgoing, amount: swapped.at(-1)!.amountOut },
      peerSwaps:
        swapped.length > 1
          ? swapped.map((one, at) => ({ ...one, assetIn: assets[at]!, assetOut: assets[at + 1]! }))
          : [],
      minOutAmount: readMinOut(block),
    };
    compose(swapBlock(data, !events.every(hasSucceeded)), members);
  },
};

/** The payment that a pool returned: in TON with an error, or the same jettons. */
function isRefund(refund: Block, incoming: DexTransfer): boolean {
  const { asset, destination } = readLeg(refund);
  if (destination !== incoming.source || asset !== incoming.asset) return false;
  return refund.type === 'jetton_transfer' || readPayout(refund).exitCode !== 0;
}

/** A DeDust v2 swap that the pool refused: it returned the payment. */
export const dedustV2FailedSwap: Rule = {
  name: 'DeDust v2 failed swap',
  test: (block) => block.calls(DEDUST_V2_PAY_TON) || block.type === 'jetton_transfer',
  build(block, _found, { interfaces }) {
    if (!readDedustV2Request(block, SWAP_PAYLOAD) || swapEventAfter(block)) return;
    const incoming = dedustV2PaymentOf(block);
    const isTon = block.calls(DEDUST_V2_PAY_TON);
    const refund = block.next.find((one) =>
      isTon ? one.calls(DEDUST_V2_PAYOUT) : one.type === 'jetton_transfer',
    );
    if (!refund || !isRefund(refund, incoming)) return;
    const pool = interfaces.dedustPool(incoming.destination ?? '');
    const wanted = pool?.assets.find(({ isTon, address }) => (isTon ? null : address) !== incoming.asset);
    const data = {
      dex: 'dedust_v2' as const,
      sender: incoming.source,
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
    };
    const excesses = block.next.filter((one) => one.calls(EXCESS));
    compose(swapBlock(data, true), [block, refund, ...excesses, ...refundsOf(refund, true)]);
  },
};
