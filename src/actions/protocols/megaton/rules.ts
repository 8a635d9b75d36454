import type { AdditionalRule } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import { additionalSwap, type DexTransfer, dexTransferOf } from '../dex/transfers.ts';

const ROUTERS: ReadonlySet<string | null> = new Set([
  '0:16709D273B75AD3654A652329CAAFE3BDF9602BE246ABBB2CC349A0F5EC74754',
  '0:310B71B340182396F5BA08903081A1EF6AB4DF571A3CA7B05EFFA44C4A3B0F92',
  '0:6D551DF4FBC1404FBDDC0B13EC32277386232750A9A9672FC5EDA6834116315A',
]);

/** The transfer after a block that passes a test. */
function transferAfter(block: Block, test: (transfer: DexTransfer) => boolean): Block | undefined {
  return block.next.find((next) => next.type === 'jetton_transfer' && test(dexTransferOf(next)));
}

/** A swap takes four transfers: to the router, to a pool, back to the router with the other jetton, and to the user. */
export const megatonSwap: AdditionalRule = {
  name: 'megaton swap',
  start: { type: 'jetton_transfer' },
  find(first) {
    const incoming = dexTransferOf(first);
    const { asset, amount, source: user, destination: router } = incoming;
    if (asset === null || !ROUTERS.has(router)) return [];
    const toPool = transferAfter(
      first,
      (one) => one.source === router && one.asset === asset && one.amount === amount,
    );
    const pool = toPool && dexTransferOf(toPool).destination;
    const fromPool =
      toPool &&
      transferAfter(
        toPool,
        (one) =>
          one.source === pool && one.destination === router && one.asset !== null && one.asset !== asset,
      );
    const bought = fromPool && dexTransferOf(fromPool).asset;
    const last =
      fromPool &&
      transferAfter(
        fromPool,
        (one) => one.source === router && one.destination === user && one.asset === bought,
      );
    if (!last) return [];
    const swap = { dex: 'megaton', incoming, outgoing: dexTransferOf(last) } as const;
    return [additionalSwap(swap, [first, toPool, fromPool, last])];
  },
};
