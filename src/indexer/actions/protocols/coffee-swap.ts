import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import { anyOf, blockThat, call } from '../pattern.ts';
import { repeated } from '../repeated.ts';
import { NotThis, type Rule } from '../rule.ts';
import {
  COFFEE_PAY_OUT,
  COFFEE_TON_PAYOUT,
  coffeeOut,
  readCoffeeOut,
  readCoffeePayOut,
} from './coffee-bodies.ts';
import { readCoffeeAsset } from './dex-asset.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, type PeerSwap, swapBlock } from './jetton-swap.ts';

const NATIVE_SWAP = 0xc0ffee00;
const SWAP = 0xc0ffee20;
const SWAP_LOG = 0xc0ffee30;

const payout = call(COFFEE_PAY_OUT, { each: coffeeOut, as: 'payout' });

const NO_WALLETS = { sourceWallet: null, destinationWallet: null };

function readIncoming(first: Block): DexTransfer {
  if (first.type === 'jetton_transfer') return dexTransferOf(first);
  const body = first.bodyAfterOpcode();
  body.uint64();
  const { source, destination } = first.message;
  return { asset: null, amount: body.coins(), source, destination, ...NO_WALLETS };
}

function readOutgoing(out: Block, order: Block): DexTransfer {
  if (out.type === 'jetton_transfer') return dexTransferOf(out);
  if (out.calls(COFFEE_TON_PAYOUT)) {
    const { recipient, amount } = readCoffeePayOut(order);
    return { asset: null, amount, source: order.message.source, destination: recipient, ...NO_WALLETS };
  }
  const { source, destination } = out.message;
  return { ...readCoffeeOut(out), source, destination, ...NO_WALLETS };
}

/** What a pool says of its part in a swap: all but what asset it gave. */
function readLog(swap: Block): Omit<PeerSwap, 'assetOut'> {
  const log = swap.next.find((block) => block.calls(SWAP_LOG));
  if (!log) throw new NotThis('a swap without a log');
  const body = log.bodyAfterOpcode();
  body.uint64();
  return { assetIn: readCoffeeAsset(body), amountIn: body.coins(), amountOut: body.coins() };
}

/** A swap by swap.coffee, through one pool or several. */
export const coffeeSwap: Rule = {
  name: 'swap.coffee swap',
  test: (block) => block.calls(SWAP),
  around: {
    next: [call(SWAP_LOG), anyOf([repeated(call(SWAP, { each: call(SWAP_LOG) }), payout), payout])],
    previous: blockThat((block) => block.type === 'jetton_transfer' || block.calls(NATIVE_SWAP), {
      as: 'in',
    }),
  },
  build(block, found) {
    const out = found.named('out');
    const order = found.named('payout');
    if (!out || !order) return;
    const incoming = readIncoming(found.named('in')!);
    const outgoing = readOutgoing(out, order);
    const swaps = new Set([block, ...found.blocks.filter((one) => one.calls(SWAP))]);
    const logs = inOrderOfTime([...swaps]).map(readLog);
    const peers = logs.map((log, at) => {
      const next = logs[at + 1];
      return { ...log, assetOut: next ? next.assetIn : outgoing.asset };
    });
    const data = {
      dex: 'coffee' as const,
      sender: incoming.source,
      incoming,
      outgoing,
      peerSwaps: peers.length > 1 ? peers : [],
    };
    compose(swapBlock(data, false), [block, ...found.blocks]);
  },
};
