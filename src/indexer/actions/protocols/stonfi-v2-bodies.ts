import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { readAccount, readMaybeRef, tryRead } from '../read-body.ts';

/** A pool is asked to swap. In payloads the same number asks a router for it. */
export const STONFI_V2_SWAP = 0x6664de2a;
/** A pool tells its router whom to pay. */
export const STONFI_V2_PAY_TO = 0x657b54f5;
export const STONFI_V2_OK = 0xc64370e5;
const CROSS_SWAP = 0x69cf1a5b;

/** The router's wallets of what is wanted, one a pool, as a request says. */
export function readWantedWallets(swap: Block): string[] {
  const body = swap.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  body.coins();
  body.coins();
  const wish = body.refSlice();
  wish.skip(32);
  const wallets = [readAccount(wish) ?? ''];
  let next = nextWish(wish);
  while (next) {
    wallets.push(next.wallet);
    next = nextWish(next.rest);
  }
  return wallets;
}

/** What is wanted of the next pool, behind the wallet in the wish for the one before. */
function nextWish(wish: Slice): { readonly wallet: string; readonly rest: Slice } | undefined {
  return tryRead(() => {
    const terms = wish.refSlice();
    terms.coins();
    skipMsgAddress(terms);
    terms.coins();
    const rest = readMaybeRef(terms);
    const kind = rest?.uint(32);
    if (!rest || (kind !== STONFI_V2_SWAP && kind !== CROSS_SWAP)) return undefined;
    return { wallet: readAccount(rest) ?? '', rest };
  });
}

interface StonfiPayTo {
  readonly exit: number;
  readonly amount: bigint;
  /** The router's wallet that pays. */
  readonly wallet: string;
}

/** What a pool tells its router to pay: the larger of two amounts, the other being none. */
export function readStonfiPayTo(block: Block): StonfiPayTo {
  const body = block.bodyAfterOpcode();
  body.uint64();
  for (let address = 0; address < 3; address++) skipMsgAddress(body);
  const exit = body.uint(32);
  readMaybeRef(body);
  const sides = body.refSlice();
  sides.coins();
  const first = { amount: sides.coins(), wallet: readAccount(sides) ?? '' };
  const second = { amount: sides.coins(), wallet: readAccount(sides) ?? '' };
  return { exit, ...(second.amount > first.amount ? second : first) };
}
