import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, blockThat, call, type Found, type Pattern } from '../pattern.ts';
import { tryRead } from '../read-body.ts';
import { later } from '../repeated.ts';
import { NotThis, type Rule } from '../rule.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, type PeerSwap, swapBlock } from './jetton-swap.ts';
import { JETTON_NOTIFICATION, jettonTransferOf } from './jetton-transfer.ts';
import {
  assetOfWallet,
  cameIn,
  PTON_TRANSFER,
  ptonAfter,
  readCameIn,
  readPtonTransfer,
  tonOrJetton,
} from './pton.ts';
import {
  readStonfiPayTo,
  readWantedWallets,
  STONFI_V2_OK,
  STONFI_V2_PAY_TO,
  STONFI_V2_SWAP,
} from './stonfi-v2-bodies.ts';

const payout: Pattern = call(STONFI_V2_PAY_TO, { each: later(() => afterPayout), as: 'payout' });

const nextSwap = call(STONFI_V2_SWAP, { each: payout, optional: true, as: 'swap' });

/** TON that the router pays to itself for the next pool. */
const ptonForNextSwap = blockThat((block) => block.calls(PTON_TRANSFER) && carriesSwap(block), {
  each: call(JETTON_NOTIFICATION, { each: nextSwap }),
  optional: true,
});

const afterPayout = anyOf([
  blockThat(isPtonTransfer, { each: ptonForNextSwap, as: 'out' }),
  blockOf('jetton_transfer', { each: nextSwap, as: 'out' }),
  nextSwap,
]);

function isPtonTransfer(block: Block): boolean {
  return block.type === 'jetton_transfer' && !jettonTransferOf(block).hasInternalTransfer;
}

function carriesSwap(block: Block): boolean {
  const { previous } = block;
  if (!previous || !isPtonTransfer(previous)) return false;
  if (jettonTransferOf(previous).receiver !== block.message.destination) return false;
  return tryRead(() => readPtonTransfer(block).payload?.uint(32)) === STONFI_V2_SWAP;
}

interface Hop {
  readonly wallets: readonly string[];
  readonly exit: number;
  readonly amount: bigint;
  readonly wallet: string;
}

/** What the pools were asked for and what they paid, in order. */
function readHops(first: Block, found: Found): Hop[] {
  const payouts = found.allNamed('payout');
  const swaps = inOrderOfTime([first, ...found.allNamed('swap')]);
  return swaps.map((swap) => {
    const [payTo, ...more] = payouts.filter(({ previous }) => previous === swap);
    if (!payTo || more.length > 0) throw new NotThis('a swap with more or less than one payment');
    return { wallets: readWantedWallets(swap), ...readStonfiPayTo(payTo) };
  });
}

function peerSwaps(hops: readonly Hop[], incoming: DexTransfer, interfaces: Interfaces): PeerSwap[] {
  if (hops.length < 2) return [];
  const assets = new Map<string, string | null>();
  for (const { wallets } of hops) {
    const asset = assetOfWallet(interfaces, wallets[0]!);
    if (asset === undefined) break;
    assets.set(wallets[0]!, asset);
  }
  const peers: PeerSwap[] = [];
  let given: Pick<DexTransfer, 'asset' | 'amount'> = incoming;
  for (const [number, { exit, amount, wallet }] of hops.entries()) {
    if (number > 0 && exit !== STONFI_V2_OK) continue;
    const asset = assets.get(wallet);
    if (asset === undefined) throw new NotThis('the wallet is not known');
    peers.push({ assetIn: given.asset, amountIn: given.amount, assetOut: asset, amountOut: amount });
    given = { asset, amount };
    if (exit !== STONFI_V2_OK) break;
  }
  return peers.length > 1 ? peers : [];
}

function outgoingOf(transfer: Block, pton: Block | undefined): DexTransfer {
  const side = dexTransferOf(transfer);
  if (!pton) {
    if (isPtonTransfer(transfer)) throw new NotThis('TON is not paid out');
    return { ...side, asset: tonOrJetton(side.asset) };
  }
  const { amount } = readPtonTransfer(pton);
  return { ...side, asset: null, amount, destination: pton.message.destination, destinationWallet: null };
}

/** What was wanted of the last pool; where its wallet is not known, of the first. */
function wantedAsset([first]: readonly Hop[], interfaces: Interfaces): string | null | undefined {
  const [nearest, last] = [first!.wallets[0]!, first!.wallets.at(-1)!];
  const asset = assetOfWallet(interfaces, last);
  return asset === undefined ? assetOfWallet(interfaces, nearest) : asset;
}

/** A swap by the second version of STON.fi, through one pool or several. */
export const stonfiV2Swap: Rule = {
  name: 'STON.fi v2 swap',
  test: (block) => block.calls(STONFI_V2_SWAP),
  around: { each: payout, previous: cameIn },
  build(block, found, { interfaces }) {
    const hops = readHops(block, found);
    const isOk = hops.every(({ exit }) => exit === STONFI_V2_OK);
    const incoming = readCameIn(found.named('in')!, block.message.source);
    const transfer = inOrderOfTime(found.allNamed('out')).at(-1);
    if (!transfer) throw new NotThis('nothing is paid out');
    const pton = ptonAfter(transfer);
    const data = {
      dex: 'stonfi_v2' as const,
      sender: incoming.source,
      incoming,
      outgoing: outgoingOf(transfer, pton),
      peerSwaps: peerSwaps(hops, incoming, interfaces),
      destinationAsset: isOk ? undefined : wantedAsset(hops, interfaces),
    };
    compose(swapBlock(data, !isOk), [block, ...found.blocks, ...(pton ? [pton] : [])]);
  },
};
