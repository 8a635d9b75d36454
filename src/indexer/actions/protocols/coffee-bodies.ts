import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../block.ts';
import { anyOf, blockOf, blockThat, call, type Pattern } from '../pattern.ts';
import { readAccount, readMaybeRef } from '../read-body.ts';
import { readCoffeeAsset } from './dex-asset.ts';
import type { Excess } from './dex-liquidity.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

/** A pool tells a vault to pay. */
export const COFFEE_PAY_OUT = 0xc0ffee21;
/** A contract of swap.coffee is made. */
export const COFFEE_DEPLOY = 0xc0ffee22;
/** The vault of TON pays. */
export const COFFEE_TON_PAYOUT = 0xc0ffee32;
/** A pool says that liquidity was added. */
export const COFFEE_DEPOSIT_LOG = 0xc0ffee33;
/** TON together with a message of whoever asked. */
export const COFFEE_NOTIFICATION = 0xc0ffee36;

/** What a vault pays, in one of three ways. */
const paid: Pattern = anyOf([blockOf('jetton_transfer'), call(COFFEE_TON_PAYOUT), call(COFFEE_NOTIFICATION)]);

/** What a vault pays, under the name `out`. */
export const coffeeOut: Pattern = blockThat(paid.test, { as: 'out' });

/** What was paid, of a block that `coffeeOut` took. */
export function readCoffeeOut(out: Block): Excess {
  if (out.type !== 'jetton_transfer') return { asset: null, amount: out.message.value ?? 0n };
  const { asset, amount } = jettonTransferOf(out);
  return { asset, amount };
}

/** The two assets of a pool. */
export function readCoffeePool(slice: Slice): readonly [string | null, string | null] {
  const first = readCoffeeAsset(slice);
  const second = readCoffeeAsset(slice);
  slice.skip(3);
  readMaybeRef(slice);
  return [first, second];
}

/** A number of shares that a pool minted, as its log says. */
export function readCoffeeMinted(log: Block): bigint {
  const body = log.bodyAfterOpcode();
  body.uint64();
  body.coins();
  body.coins();
  return body.coins();
}

/** Whom a vault is told to pay, and how much. */
export function readCoffeePayOut(order: Block): {
  readonly recipient: string | null;
  readonly amount: bigint;
} {
  const body = order.bodyAfterOpcode();
  body.uint64();
  return { recipient: readAccount(body), amount: body.coins() };
}
