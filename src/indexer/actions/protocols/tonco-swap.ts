import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { Block } from '../block.ts';
import { compose } from '../compose.ts';
import type { Interfaces } from '../interfaces.ts';
import { anyOf, blockOf, call, type Found, type Pattern } from '../pattern.ts';
import { readAccount, tryRead } from '../read-body.ts';
import { later } from '../repeated.ts';
import { NotThis, type Rule } from '../rule.ts';
import { type DexTransfer, dexTransferOf, inOrderOfTime, type PeerSwap, swapBlock } from './jetton-swap.ts';
import { JETTON_NOTIFICATION } from './jetton-transfer.ts';
import {
  assetOfWallet,
  cameIn,
  PTON_TRANSFER,
  ptonAfter,
  readCameIn,
  readPtonTransfer,
  tonOrJetton,
} from './pton.ts';
import { readLastWish, readToncoPayTo, TONCO_PAY_TO, TONCO_SWAP, type ToncoSide } from './tonco-bodies.ts';

const nextSwap = call(TONCO_SWAP, { each: later(() => payout), as: 'swap' });

const payout: Pattern = call(TONCO_PAY_TO, {
  each: anyOf([
    // The router pays to itself for the next pool.
    blockOf('jetton_transfer', {
      each: call(PTON_TRANSFER, { each: call(JETTON_NOTIFICATION, { each: nextSwap }) }),
    }),
    blockOf('jetton_transfer', { each: nextSwap }),
    blockOf('jetton_transfer', { as: 'out' }),
  ]),
  as: 'payout',
});

interface Hop {
  /** The router's wallet of what is given. */
  readonly wallet: string | null;
  readonly isOk: boolean;
  /** The larger of what is paid; none where the pool does not say. */
  readonly paid: ToncoSide | undefined;
}

/** What the pools were given and what they paid, in order. */
function readHops(first: Block, found: Found): Hop[] {
  const payouts = inOrderOfTime(found.allNamed('payout'));
  const swaps = inOrderOfTime([first, ...found.allNamed('swap')]);
  if (swaps.length !== payouts.length) throw new NotThis('not as many payments as swaps');
  return swaps.map((swap, number) => {
    const body = swap.bodyAfterOpcode();
    body.uint64();
    skipMsgAddress(body);
    const wallet = readAccount(body);
    const { exit, sides } = readToncoPayTo(payouts[number]!);
    const told = sides.filter((side) => side.wallet !== null);
    const paid =
      told.length > 0 ? told.reduce((most, one) => (one.amount > most.amount ? one : most)) : undefined;
    return { wallet, isOk: exit === 0 || exit === 200, paid };
  });
}

/** The assets of the wallets that took part, as far as they are known. */
function walletAssets(hops: readonly Hop[], outgoing: DexTransfer, interfaces: Interfaces) {
  const assets = new Map<string, string | null>();
  for (const { wallet } of hops) {
    const asset = assetOfWallet(interfaces, wallet);
    if (wallet !== null && asset !== undefined) assets.set(wallet, asset);
  }
  for (const wallet of [outgoing.sourceWallet, outgoing.destinationWallet]) {
    if (wallet !== null) assets.set(wallet, outgoing.asset);
  }
  return assets;
}

type Assets = ReturnType<typeof walletAssets>;

function peerSwaps(hops: readonly Hop[], incoming: DexTransfer, assets: Assets): PeerSwap[] {
  const peers: PeerSwap[] = [];
  let given: Pick<DexTransfer, 'asset' | 'amount'> = incoming;
  for (const [number, { isOk, paid }] of hops.length > 1 ? hops.entries() : []) {
    const asset = assets.get(paid?.wallet ?? '');
    if (number === 0 && (!paid || asset === undefined)) return [];
    if (!paid || (number > 0 && !isOk)) continue;
    const taken = { asset: asset ?? null, amount: paid.amount };
    peers.push({
      assetIn: given.asset,
      amountIn: given.amount,
      assetOut: taken.asset,
      amountOut: taken.amount,
    });
    given = taken;
  }
  return peers;
}

/** What a swap that failed was for. Only of TON that was given, clients are told. */
function wantedOf(first: Block, assets: Assets, interfaces: Interfaces) {
  const payload = first.calls(PTON_TRANSFER) ? readPtonTransfer(first).payload : undefined;
  const wish = payload && tryRead(() => readLastWish(payload));
  if (!wish) return {};
  const { wallet, minOut } = wish;
  const known = assets.get(wallet ?? '');
  return {
    destinationAsset: known === undefined ? assetOfWallet(interfaces, wallet) : known,
    minOutAmount: minOut,
  };
}

/** A swap by TONCO, through one pool or several. */
export const toncoSwap: Rule = {
  name: 'TONCO swap',
  test: (block) => block.calls(TONCO_SWAP),
  around: { each: payout, previous: cameIn },
  build(block, found, { interfaces }) {
    const hops = readHops(block, found);
    const isOk = hops.every((hop) => hop.isOk);
    const first = found.named('in')!;
    const incoming = readCameIn(first, block.message.source);
    const transfer = inOrderOfTime(found.allNamed('out')).at(-1);
    if (!transfer) throw new NotThis('nothing is paid out');
    const paidOut = dexTransferOf(transfer);
    const outgoing = { ...paidOut, asset: tonOrJetton(paidOut.asset) };
    const assets = walletAssets(hops, outgoing, interfaces);
    const data = {
      dex: 'tonco' as const,
      sender: incoming.source,
      incoming,
      outgoing,
      peerSwaps: peerSwaps(hops, incoming, assets),
      minOutAmount: outgoing.amount,
      ...(isOk ? {} : wantedOf(first, assets, interfaces)),
    };
    const pton = ptonAfter(transfer);
    compose(swapBlock(data, !isOk), [block, ...found.blocks, ...(pton ? [pton] : [])]);
  },
};
