import type { Slice } from '../../../chain/boc/slice.ts';
import { type Block, insertBetween } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import {
  anyOf,
  blockOf,
  blockThat,
  call,
  lazyPattern,
  type Match,
  type Pattern,
} from '../../rules/pattern.ts';
import { someAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  assetOfWallet,
  type DepositSide,
  type DexTransfer,
  depositColumns,
  depositSide,
  dexTransferOf,
  incomingTransfer,
  inOrderOfTime,
  type PeerSwap,
  ptonAfter,
  readIncomingTransfer,
  readPtonTransfer,
  readRouterPayment,
  swapColumns,
  tonOrJetton,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { jetton } from '../jettons/layouts.ts';
import { type JettonTransferData, jettonBurnOf, jettonTransferOf } from '../jettons/rules.ts';
import { pton } from '../pton/layouts.ts';
import { stonfi, stonfiV2 } from './layouts.ts';

// Exit codes in the payment requests of pools.
const OK = 0xc64370e5;
const OK_REFERRAL = 0x45078540;
const NO_LIQUIDITY = 0x5ffe1295;
const RESERVE_ERROR = 0x38976e9b;

function readSwapRequest({ request }: JettonTransferData) {
  const swap = stonfi.swap_forward_payload.match(request.payload());
  return swap && tryRead(() => ({ wallet: someAccount(swap.token_wallet), user: swap.to_address }));
}

type V1Payment = ReturnType<typeof readV1Payment>;

function readV1Payment(block: Block) {
  const { exit_code, params } = stonfi.payment_request.read(block);
  const { amount0_out, token0_address, amount1_out, token1_address } = params;
  const isFirst = amount0_out > 0n;
  const wallet = isFirst ? token0_address : token1_address;
  if (wallet === null) throw new RuleMismatch('payment without a wallet');
  return { block, exit: exit_code, amount: isFirst ? amount0_out : amount1_out, wallet };
}

/** The payment to the swapper: the largest one, because the others are referral fees. */
function payoutOf(payments: readonly V1Payment[]): V1Payment {
  const own = payments.filter(({ exit }) => [OK, NO_LIQUIDITY, RESERVE_ERROR].includes(exit));
  if (own.length === 0) throw new RuleMismatch('no payout');
  return own.reduce((most, one) => (one.amount > most.amount ? one : most));
}

function outgoingOfV1(payout: V1Payment, receiver: string | null, interfaces: Interfaces): DexTransfer {
  const transfer = payout.block.next.find(({ type }) => type === 'jetton_transfer');
  if (!transfer) throw new RuleMismatch('no payout');
  const asset = interfaces.jettonWallet(payout.wallet)?.jetton ?? null;
  const side = { ...dexTransferOf(transfer), asset, amount: payout.amount };
  return jettonTransferOf(transfer).hasInternalTransfer
    ? side
    : { ...side, destination: receiver, destinationWallet: null };
}

/** A STON.fi v1 swap. TON is reported as pTON there. */
export const stonfiV1Swap: Rule = {
  type: 'jetton_swap',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    each: call(stonfi.swap, {
      each: call(stonfi.payment_request, { each: blockOf('jetton_transfer') }),
    }),
  },
  build(block, match, { interfaces }) {
    const swap = stonfi.swap.read(match.call(stonfi.swap)!);
    const tokenWallet = someAccount(swap.sender_address);
    const { from_user: user } = swap.addrs;
    const payments = match.blocks.filter((one) => one.calls(stonfi.payment_request)).map(readV1Payment);
    const payout = payoutOf(payments);
    const transfer = jettonTransferOf(block);
    const request = readSwapRequest(transfer);
    const dexWallet = interfaces.jettonWallet(tokenWallet);
    if (!dexWallet) throw new RuleMismatch('unknown DEX wallet');
    const destinationWallet = request?.wallet ?? payout.wallet;
    const columns = swapColumns({
      dex: 'stonfi',
      incoming: {
        asset: dexWallet.jetton,
        amount: swap.jetton_amount,
        source: user,
        sourceWallet: transfer.senderWallet,
        destination: dexWallet.owner,
        destinationWallet: tokenWallet,
      },
      outgoing: outgoingOfV1(payout, request ? request.user : swap.to_address, interfaces),
      destinationAsset: interfaces.jettonWallet(destinationWallet)?.jetton,
      destinationWallet,
    });
    const ofReferral = payments.filter(({ exit }) => exit === OK_REFERRAL);
    const notOurs = new Set(ofReferral.flatMap((payment) => [...payment.block.walk()]));
    const members = [block, ...match.blocks.filter((one) => !notOurs.has(one))];
    return { ...columns, success: payout.exit === OK, members };
  },
};

/** The router wallets of the requested assets, one per pool, from a request. */
function readRequestedWallets(swap: Block): string[] {
  const first = stonfiV2.swap_request.open(stonfiV2.pool_swap.read(swap).request);
  const wallets = [first.token_wallet1 ?? ''];
  let next = readNextRequest(first);
  while (next) {
    wallets.push(next.wallet);
    next = readNextRequest(next.request);
  }
  return wallets;
}

function readNextRequest(before: { readonly next: Slice | undefined }) {
  return tryRead(() => {
    const { next } = before;
    const request = stonfiV2.swap_request.match(next) ?? stonfiV2.cross_swap_request.match(next);
    return request && { wallet: request.token_wallet1 ?? '', request };
  });
}

/** The payout of a pool with the router wallet that pays: the larger of two amounts, the other is zero. */
function readStonfiPayTo(block: Block) {
  const { exit_code, amount0_out, token0_address, amount1_out, token1_address } =
    stonfi.pay_to_v2.read(block);
  const paid =
    amount1_out > amount0_out
      ? { amount: amount1_out, wallet: token1_address ?? '' }
      : { amount: amount0_out, wallet: token0_address ?? '' };
  return { exit: exit_code, ...paid };
}

const payout: Pattern = call(stonfi.pay_to_v2, { each: lazyPattern(() => afterPayout), as: 'payout' });

const nextSwap = call(stonfi.swap_v2, { each: payout, optional: true, as: 'swap' });

/** TON that the router pays to itself for the next pool. */
const ptonForNextSwap = blockThat((block) => block.calls(pton.ton_transfer) && carriesSwap(block), {
  each: call(jetton.notify, { each: nextSwap }),
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
  return tryRead(() => readPtonTransfer(block).payload?.uint(32)) === stonfi.swap_v2.opcode;
}

type Hop = ReturnType<typeof readHops>[number];

/** Requests and payouts of the pools, in order. */
function readHops(first: Block, match: Match) {
  const payouts = match.allNamed('payout');
  const swaps = inOrderOfTime([first, ...match.allNamed('swap')]);
  return swaps.map((swap) => {
    const [payTo, ...more] = payouts.filter(({ previous }) => previous === swap);
    if (!payTo || more.length > 0) throw new RuleMismatch('exactly one payment expected');
    return { wallets: readRequestedWallets(swap), ...readStonfiPayTo(payTo) };
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
    if (number > 0 && exit !== OK) continue;
    const asset = assets.get(wallet);
    if (asset === undefined) throw new RuleMismatch('unknown wallet');
    peers.push({ asset_in: given.asset, amount_in: given.amount, asset_out: asset, amount_out: amount });
    given = { asset, amount };
    if (exit !== OK) break;
  }
  return peers.length > 1 ? peers : [];
}

function outgoingOfV2(transfer: Block, tonPayout: Block | undefined): DexTransfer {
  const side = dexTransferOf(transfer);
  if (!tonPayout) {
    if (isPtonTransfer(transfer)) throw new RuleMismatch('no TON payout');
    return { ...side, asset: tonOrJetton(side.asset) };
  }
  const { amount } = readPtonTransfer(tonPayout);
  const { destination } = tonPayout.message;
  return { ...side, asset: null, amount, destination, destinationWallet: null };
}

/** The asset requested from the last pool, or from the first if its wallet is unknown. */
function wantedAsset([first]: readonly Hop[], interfaces: Interfaces): string | null | undefined {
  const [nearest, last] = [first!.wallets[0]!, first!.wallets.at(-1)!];
  const asset = assetOfWallet(interfaces, last);
  return asset === undefined ? assetOfWallet(interfaces, nearest) : asset;
}

/** A STON.fi v2 swap through one or several pools. */
export const stonfiV2Swap: Rule = {
  type: 'jetton_swap',
  calls: [stonfi.swap_v2],
  around: { each: payout, previous: incomingTransfer },
  build(block, match, { interfaces }) {
    const hops = readHops(block, match);
    const isOk = hops.every(({ exit }) => exit === OK);
    const incoming = readIncomingTransfer(match.named('in')!, block.message.source);
    const transfer = inOrderOfTime(match.allNamed('out')).at(-1);
    if (!transfer) throw new RuleMismatch('no payout');
    const tonPayout = ptonAfter(transfer);
    const columns = swapColumns({
      dex: 'stonfi_v2',
      incoming,
      outgoing: outgoingOfV2(transfer, tonPayout),
      peerSwaps: peerSwaps(hops, incoming, interfaces),
      destinationAsset: isOk ? undefined : wantedAsset(hops, interfaces),
    });
    return { ...columns, success: isOk, members: [block, ...match.blocks, tonPayout] };
  },
};

interface StonfiDepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  readonly sides: readonly DepositSide[];
  readonly minted: bigint | null;
}

const NO_OTHER: Pick<StonfiDepositData, 'sides' | 'minted'> = { sides: [], minted: null };

/** The other side of a deposit, sent in parallel to the same pool; one of the two got the LP jettons. */
function otherSide(first: Block, { sender, pool, minted }: StonfiDepositData): Block | undefined {
  return first.previous?.next.find((block) => {
    if (block.type !== 'dex_deposit_liquidity') return false;
    const other = block.data as StonfiDepositData;
    return (
      other.sides.length === 1 && other.sender === sender && other.pool === pool && other.minted !== minted
    );
  });
}

function transfersOf(payout: Block): Block[] {
  return payout.next.filter(({ type }) => type === 'jetton_transfer');
}

export const stonfiV2Liquidity: readonly Rule[] = [
  // One side of a STON.fi v2 deposit, joined with the other if known.
  {
    type: 'dex_deposit_liquidity',
    calls: [stonfi.provide_lp_v2],
    around: {
      each: call(stonfi.add_liquidity_v2, {
        each: call(stonfi.cb_add_liquidity_v2, {
          each: anyOf([
            call(jetton.internal_transfer, { as: 'minted' }),
            call(stonfi.add_liquidity_v2, { as: 'refund' }),
          ]),
          optional: true,
        }),
      }),
      previous: incomingTransfer,
    },
    build(block, match) {
      const { from_user: sender, left_amount, right_amount } = stonfi.provide_lp_v2.read(block);
      const amount = left_amount > 0n ? left_amount : right_amount;
      const minted = match.named('minted');
      const first = match.named('in')!;
      const own: StonfiDepositData = {
        sender,
        pool: block.message.destination,
        sides: [depositSide(first, amount)],
        minted: minted ? jetton.internal_transfer.read(minted).amount : null,
      };
      const other = otherSide(first, own);
      const { sides: otherSides, minted: otherMinted } = (other?.data as StonfiDepositData) ?? NO_OTHER;
      const blockData = {
        ...own,
        sides: [...own.sides, ...otherSides],
        minted: own.minted ?? otherMinted,
      };
      const beside = other ? [insertBetween(first.previous!, [other, first]), other] : [];
      return {
        source: sender,
        destination: own.pool,
        ...depositColumns(blockData.sides, null, { dex: 'stonfi_v2', lp_tokens_minted: blockData.minted }),
        success: !match.named('refund'),
        blockData,
        members: [block, ...match.blocks, ...beside],
      };
    },
  },
  // A STON.fi v2 pool pays out both assets, for LP jettons or as the refund of an incomplete deposit.
  {
    type: 'dex_withdraw_liquidity',
    calls: [stonfi.pay_to_v2],
    around: {
      each: blockOf('jetton_transfer'),
      previous: anyOf([
        call(stonfiV2.refund, { previous: call(stonfiV2.request_refund, { as: 'refund request' }) }),
        call(stonfi.burn_notification_ext_v2, { previous: blockOf('jetton_burn', { as: 'burn' }) }),
      ]),
    },
    build(block, match) {
      const beside = block.previous!.next.filter((one) => one !== block && one.calls(stonfi.pay_to_v2));
      const payouts = [block, ...beside.filter((one) => transfersOf(one).length > 0)];
      const [first, ...others] = payouts.map((payout) => readRouterPayment(transfersOf(payout)[0]!));
      const paidOut = [first!, ...others.slice(-1)];
      const burnt = match.named('burn');
      const burn = burnt && jettonBurnOf(burnt);
      const transfers = payouts.flatMap(transfersOf);
      const ptons = payouts.map((payout) => ptonAfter(transfersOf(payout)[0]!));
      return {
        source: burn ? burn.owner : (match.named('refund request')?.message.source ?? null),
        source_secondary: burn?.wallet ?? null,
        destination: block.message.source,
        asset: burn?.asset ?? null,
        ...withdrawalColumns(paidOut, {
          dex: 'stonfi_v2',
          lp_tokens_burnt: burn?.amount ?? null,
          is_refund: burn === undefined,
        }),
        members: [...payouts, ...match.blocks, ...transfers, ...ptons],
      };
    },
  },
];
