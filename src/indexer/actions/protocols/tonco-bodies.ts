import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { readAccount, readMaybeRef, tryRead } from '../read-body.ts';

/** A pool tells the router whom to pay. */
export const TONCO_PAY_TO = 0xa1daa96d;
/** A pool is asked to swap. In payloads the same number asks the router for it. */
export const TONCO_SWAP = 0xa7fb58f8;

/** An amount of one of the two assets of a pool. */
export interface ToncoSide {
  readonly amount: bigint;
  /** The router's wallet of the asset. */
  readonly wallet: string | null;
  readonly receiver: string | null;
}

interface ToncoPayTo {
  readonly exit: number;
  /** In the pool's order; none where the pool says nothing of amounts. */
  readonly sides: readonly ToncoSide[];
}

/** What a pool tells the router to pay. */
export function readToncoPayTo(block: Block): ToncoPayTo {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const receivers = [readAccount(body), readAccount(body)];
  const exit = body.uint(32);
  body.uint64();
  const coins = readMaybeRef(body);
  if (!coins) return { exit, sides: [] };
  const sides = receivers.map((receiver) => ({
    amount: coins.coins(),
    wallet: readAccount(coins),
    receiver,
  }));
  return { exit, sides };
}

interface ToncoWish {
  /** The router's wallet of what is wanted. */
  readonly wallet: string | null;
  readonly minOut: bigint;
  readonly next: Slice | undefined;
}

function readWish(payload: Slice): ToncoWish {
  payload.skip(32);
  const wallet = readAccount(payload);
  payload.skip(160);
  const minOut = payload.coins();
  skipMsgAddress(payload);
  return { wallet, minOut, next: readMaybeRef(payload) };
}

/** What is wanted at the end, as the payload for the router says. */
export function readLastWish(payload: Slice): Pick<ToncoWish, 'wallet' | 'minOut'> {
  let wish = readWish(payload);
  let last = wish;
  while (wish.next) {
    const { next } = wish;
    const nested = tryRead(() => (next.peek(32) === TONCO_SWAP ? readWish(next) : undefined));
    if (!nested) break;
    wish = nested;
    if (wish.wallet !== null) last = wish;
  }
  return last;
}
