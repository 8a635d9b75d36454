import type { AdditionalRule } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import { someAccount } from '../../rules/read-body.ts';
import { RuleMismatch } from '../../rules/rule.ts';
import { additionalSwap, type DexTransfer, dexTransferOf, tonSide } from '../dex/transfers.ts';
import { jettonTransferOf } from '../jettons/rules.ts';
import { bidask, bidaskConstantProduct } from './layouts.ts';

/** Pools with ranges of prices. */
const RANGE_POOLS: readonly string[] = [
  'v/KqDp40glzQHQgUaETayPSq7EEnLPwS5CykwUgShcE=',
  'PhUUUnEa/dETOqXfL7qqTevqBvOLBLj8R94tthKI4Zs=',
  'OZM3DLIAdGYB8BwQQogWLjxNcibz74yASPKK2Vsptp8=',
];
const CONSTANT_PRODUCT_POOLS: readonly string[] = [
  'oTI7bKi3ig68sMDj7FmV0Sk1VoCmLKLp8JMAvSoUBsY=',
  'soSSUgw7A7zd0cfq4QtcxolhyDQHawC1OfoIA8w9pqw=',
  '187M/LSSQ9x/3foAN6GVxzI2t21Vgfj17OD77k1tgrY=',
];

/** Ranges that a swap goes through. */
const MAX_RANGES = 200;

interface Payout {
  readonly block: Block;
  readonly side: DexTransfer;
}

/** What a pool pays out after a block: jettons, or TON with a notification. */
function payoutsAfter(block: Block, pool: string): Payout[] {
  return block.next.flatMap((next): Payout[] => {
    if (next.type === 'jetton_transfer') {
      const side = dexTransferOf(next);
      return side.source === pool ? [{ block: next, side }] : [];
    }
    if (!next.calls(bidask.native_transfer_notification) || next.message.source !== pool) return [];
    const { native_amount } = bidask.native_transfer_notification.read(next);
    return [{ block: next, side: tonSide(next, native_amount) }];
  });
}

/** What a user gives to a pool. */
function givenBy(first: Block, pool: string, amount: bigint): DexTransfer {
  if (first.type !== 'jetton_transfer') return tonSide(first, amount);
  const given = dexTransferOf(first);
  if (given.destination !== pool) throw new RuleMismatch('the jettons are not for the pool');
  return { ...given, amount };
}

/** The blocks from the request to the pool down to the success, and the amount that went into the first range. */
function readPath(success: Block, pool: string) {
  const path = [success];
  for (let block = success.previous; block && path.length < MAX_RANGES; block = block.previous) {
    path.unshift(block);
    if (!block.calls(bidask.internal_swap, bidask.internal_swap_v2) || block.message.source !== pool)
      continue;
    const first = block.previous;
    const isRequest =
      first?.type === 'jetton_transfer' ||
      (first?.calls(bidask.swap, bidask.swap_v2) && first.message.destination === pool);
    if (!first || !isRequest) break;
    path.unshift(first);
    const amount = bidask.internal_swap.read(block).amount_in;
    return { first, path, amount };
  }
  throw new RuleMismatch('the swap has no request');
}

export const bidaskRules: readonly AdditionalRule[] = [
  {
    name: 'bidask swap',
    start: { calls: [bidask.swap_success, bidask.swap_success_v2] },
    find(block, { interfaces }) {
      const pool = someAccount(block.message.destination);
      const success = bidask.swap_success.read(block);
      const [paid, refund] = success.is_x
        ? [success.amount_y, success.amount_x]
        : [success.amount_x, success.amount_y];
      const { first, path, amount } = readPath(block, pool);
      if (paid === 0n || amount <= refund) return [];
      if (!RANGE_POOLS.includes(interfaces.codeHashOf(pool) ?? '')) return [];
      const payouts = payoutsAfter(block, pool).filter(({ side }) => side.amount === paid);
      const [payout] = payouts;
      // The rest that is paid back may be as much.
      if (!payout || payouts.length > 1) return [];
      const incoming = givenBy(first, pool, amount - refund);
      return [additionalSwap({ dex: 'bidask', incoming, outgoing: payout.side }, [...path, payout.block])];
    },
  },
  {
    name: 'bidask swap of TON at a constant product',
    start: { calls: [bidaskConstantProduct.swap] },
    find(block, { interfaces }) {
      const pool = someAccount(block.message.destination);
      const { native_amount: amount, min_out: minOutAmount } = bidaskConstantProduct.swap.read(block);
      if (!CONSTANT_PRODUCT_POOLS.includes(interfaces.codeHashOf(pool) ?? '')) return [];
      const payouts = payoutsAfter(block, pool).filter(({ side }) => side.asset !== null);
      const [payout] = payouts;
      if (!payout || payouts.length > 1) return [];
      const incoming = tonSide(block, amount);
      return [
        additionalSwap({ dex: 'bidask', incoming, outgoing: payout.side, minOutAmount }, [
          block,
          payout.block,
        ]),
      ];
    },
  },
  {
    name: 'bidask swap of jettons at a constant product',
    start: { type: 'jetton_transfer' },
    find(block, { interfaces }) {
      const { receiver, request } = jettonTransferOf(block);
      const swap = bidaskConstantProduct.swap_payload.match(request.payload());
      if (!swap || receiver === null) return [];
      const { min_out: minOutAmount } = swap;
      if (!CONSTANT_PRODUCT_POOLS.includes(interfaces.codeHashOf(receiver) ?? '')) return [];
      const incoming = dexTransferOf(block);
      const payouts = payoutsAfter(block, receiver).filter(({ side }) => side.asset !== incoming.asset);
      const [payout] = payouts;
      if (!payout || payouts.length > 1) return [];
      return [
        additionalSwap({ dex: 'bidask', incoming, outgoing: payout.side, minOutAmount }, [
          block,
          payout.block,
        ]),
      ];
    },
  },
];
