import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, call, type Found } from '../pattern.ts';
import { readMaybeRef, readSomeAccount } from '../read-body.ts';
import { repeated } from '../repeated.ts';
import { NotThis, type Rule } from '../rule.ts';
import { readDedustAsset } from './dex-asset.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, type PeerSwap, swapBlock } from './jetton-swap.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

const NATIVE_SWAP = 0xea06185d;
const SWAP_PAYLOAD = 0xe3a0d482;
const SWAP_EXTERNAL = 0x61ee542d;
const SWAP_PEER = 0x72aca8aa;
const SWAP_LOG = 0x9c610de3;
/** A pool tells a vault to pay. */
export const DEDUST_PAY_OUT = 0xad4eb6f5;
/** The vault of TON pays. */
export const DEDUST_TON_PAYOUT = 0x474f86cf;

const log = call(SWAP_LOG, { optional: true });
const payout = call(DEDUST_PAY_OUT, { each: anyOf([blockOf('jetton_transfer'), call(DEDUST_TON_PAYOUT)]) });
const hop = anyOf([call(SWAP_PEER, { next: [log] }), call(SWAP_EXTERNAL, { next: [log] })]);

interface Given {
  readonly incoming: DexTransfer;
  /** A cursor at the first of the pools to go through. */
  readonly steps: Slice;
}

function readGiven(before: Block): Given {
  if (before.type === 'jetton_transfer') {
    const { request } = jettonTransferOf(before);
    const steps = request.payloadOpcode === SWAP_PAYLOAD ? request.payload() : undefined;
    if (!steps) throw new NotThis('not a transfer for a swap');
    steps.skip(32);
    return { incoming: dexTransferOf(before), steps };
  }
  const steps = before.bodyAfterOpcode();
  steps.uint64();
  const amount = steps.coins();
  const { source, destination } = before.message;
  const wallets = { sourceWallet: null, destinationWallet: null };
  return { incoming: { asset: null, amount, source, destination, ...wallets }, steps };
}

/** What a way through pools ends in. */
function wantedAsset(given: string | null, steps: Slice, interfaces: Interfaces): string | null {
  let asset = given;
  for (let step: Slice | undefined = steps; step; step = readNextStep(step)) {
    const pool = interfaces.dedustPool(readSomeAccount(step));
    if (!pool) throw new NotThis('the pool is not known');
    const other = pool.assets.find(({ isTon, address }) => (isTon ? null : address) !== asset);
    if (other) asset = other.isTon ? null : other.address;
  }
  return asset;
}

function readNextStep(step: Slice): Slice | undefined {
  step.boolean();
  step.coins();
  return readMaybeRef(step);
}

function outgoingOf(found: Found, sender: string | null): DexTransfer {
  const [order, ...more] = found.blocks.filter((block) => block.calls(DEDUST_PAY_OUT));
  if (!order || more.length > 0) throw new NotThis('more or less than one payment');
  const amount = readDedustPayOut(order);
  let outgoing: DexTransfer = {
    ...{ asset: null, amount, source: null, sourceWallet: null },
    ...{ destination: sender, destinationWallet: null },
  };
  for (const paid of order.next.filter((block) => found.blocks.includes(block))) {
    if (paid.type === 'jetton_transfer') outgoing = dexTransferOf(paid);
    else if (paid.calls(DEDUST_TON_PAYOUT)) {
      const { source, destination } = paid.message;
      outgoing = { ...outgoing, asset: null, source, destination };
    }
  }
  return outgoing;
}

/** How much a pool tells a vault to pay. */
export function readDedustPayOut(order: Block): bigint {
  const body = order.bodyAfterOpcode();
  body.uint64();
  body.refSlice();
  return body.coins();
}

function readLog(block: Block): PeerSwap {
  const body = block.bodyAfterOpcode();
  const assetIn = readDedustAsset(body);
  const assetOut = readDedustAsset(body);
  return { assetIn, assetOut, amountIn: body.coins(), amountOut: body.coins() };
}

/** Every pool that was asked to swap has said that it did. */
function isDone(blocks: readonly Block[]): boolean {
  const asked = blocks.filter((block) => block.calls(SWAP_EXTERNAL, SWAP_PEER));
  const logs = new Set(blocks.filter((block) => block.calls(SWAP_LOG)));
  return asked.every(({ next }) => next.some((one) => logs.has(one)));
}

/** A swap by DeDust, through one pool or several. */
export const dedustSwap: Rule = {
  name: 'DeDust swap',
  test: (block) => block.calls(SWAP_EXTERNAL),
  around: {
    next: [anyOf([payout, repeated(hop, payout)]), log],
    previous: anyOf([blockOf('jetton_transfer'), call(NATIVE_SWAP)]),
  },
  build(block, found, { interfaces }) {
    const { incoming, steps } = readGiven(block.previous!);
    const outgoing = outgoingOf(found, incoming.source);
    const destinationAsset = wantedAsset(incoming.asset, steps, interfaces);
    const logs = inOrderOfTime(found.blocks.filter((one) => one.calls(SWAP_LOG)));
    const peers = logs.map(readLog);
    const [first, last] = [peers[0], peers.at(-1)];
    const data = {
      dex: 'dedust' as const,
      sender: incoming.source,
      // What the pools say counts more than the messages.
      incoming: first ? { ...incoming, asset: first.assetIn, amount: first.amountIn } : incoming,
      outgoing: last ? { ...outgoing, asset: last.assetOut, amount: last.amountOut } : outgoing,
      peerSwaps: peers.length > 1 ? peers : [],
      sourceAsset: incoming.asset,
      destinationAsset,
    };
    const blocks = [block, ...found.blocks];
    compose(swapBlock(data, !isDone(blocks)), blocks);
  },
};
