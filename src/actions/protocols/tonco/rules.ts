import type { Slice } from '../../../chain/boc/slice.ts';
import type { Block } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, EXCESS, lazyPattern, type Match, type Pattern } from '../../rules/pattern.ts';
import { someAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  assetOfWallet,
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  incomingTransfer,
  inOrderOfTime,
  type Payout,
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
import { jettonTransferOf } from '../jettons/rules.ts';
import { pton } from '../pton/layouts.ts';
import { tonco, toncoPayload } from './layouts.ts';

interface ToncoSide {
  readonly amount: bigint;
  /** The router wallet of the asset. */
  readonly wallet: string | null;
  readonly receiver: string | null;
}

/** A payout request of a pool. The sides are in pool order, and empty if the pool gives no amounts. */
function readToncoPayTo(block: Block) {
  const { reciever0, reciever1, exit_code, coinsinfo_cell: coins } = tonco.router_pay_to_normal.read(block);
  const sides: ToncoSide[] = [];
  if (coins) {
    sides.push({ amount: coins.amount0, wallet: coins.jetton0_address, receiver: reciever0 });
    sides.push({ amount: coins.amount1, wallet: coins.jetton1_address, receiver: reciever1 });
  }
  return { exit: exit_code, sides };
}

type SwapRequest = ReturnType<typeof toncoPayload.swap.open>;

/** Reads everything, so that a request that is cut short counts as none. */
function readSwapRequest(request: SwapRequest) {
  const { target_wallet: wallet, min_out: minOut, ok_payload: next } = request;
  return { wallet, minOut, next };
}

/** The finally requested asset, from the payload for the router. */
function readLastSwapRequest(payload: Slice) {
  let request = readSwapRequest(toncoPayload.swap.open(payload));
  let last = request;
  while (request.next) {
    const { next } = request;
    const nested = tryRead(() => {
      const inner = toncoPayload.swap.match(next);
      return inner && readSwapRequest(inner);
    });
    if (!nested) break;
    request = nested;
    if (request.wallet !== null) last = request;
  }
  return last;
}

const nextSwap = call(tonco.pool_swap, { each: lazyPattern(() => payout), as: 'swap' });

const payout: Pattern = call(tonco.router_pay_to_normal, {
  each: anyOf([
    // The router pays to itself for the next pool.
    blockOf('jetton_transfer', {
      each: call(pton.ton_transfer, { each: call(jetton.notify, { each: nextSwap }) }),
    }),
    blockOf('jetton_transfer', { each: nextSwap }),
    blockOf('jetton_transfer', { as: 'out' }),
  ]),
  as: 'payout',
});

interface Hop {
  /** The router wallet of the input asset. */
  readonly wallet: string | null;
  readonly isOk: boolean;
  /** The larger amount; none if the pool gives no amounts. */
  readonly paid: ToncoSide | undefined;
}

/** Inputs and payouts of the pools, in order. */
function readHops(first: Block, match: Match): Hop[] {
  const payouts = inOrderOfTime(match.allNamed('payout'));
  const swaps = inOrderOfTime([first, ...match.allNamed('swap')]);
  if (swaps.length !== payouts.length) throw new RuleMismatch('number of payments differs from swaps');
  return swaps.map((swap, number) => {
    const { source_wallet: wallet } = tonco.pool_swap.read(swap);
    const { exit, sides } = readToncoPayTo(payouts[number]!);
    const [paid] = sides.filter((side) => side.wallet !== null).sort((a, b) => Number(b.amount - a.amount));
    return { wallet, isOk: exit === 0 || exit === 200, paid };
  });
}

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
      asset_in: given.asset,
      amount_in: given.amount,
      asset_out: taken.asset,
      amount_out: taken.amount,
    });
    given = taken;
  }
  return peers;
}

/** The request of a failed swap. The action shows the input only if it was TON. */
function wantedOf(first: Block, assets: Assets, interfaces: Interfaces) {
  const payload = first.calls(pton.ton_transfer) ? readPtonTransfer(first).payload : undefined;
  const params = payload && tryRead(() => readLastSwapRequest(payload));
  if (!params) return {};
  const { wallet, minOut } = params;
  const asset = assets.get(wallet ?? '');
  return {
    destinationAsset: asset === undefined ? assetOfWallet(interfaces, wallet) : asset,
    minOutAmount: minOut,
  };
}

/** A TONCO swap through one or several pools. */
export const toncoSwap: Rule = {
  type: 'jetton_swap',
  calls: [tonco.pool_swap],
  around: { each: payout, previous: incomingTransfer },
  build(block, match, { interfaces }) {
    const hops = readHops(block, match);
    const isOk = hops.every((hop) => hop.isOk);
    const first = match.named('in')!;
    const incoming = readIncomingTransfer(first, block.message.source);
    const transfer = inOrderOfTime(match.allNamed('out')).at(-1);
    if (!transfer) throw new RuleMismatch('no payout');
    const paidOut = dexTransferOf(transfer);
    const outgoing = { ...paidOut, asset: tonOrJetton(paidOut.asset) };
    const assets = walletAssets(hops, outgoing, interfaces);
    const columns = swapColumns({
      dex: 'tonco',
      incoming,
      outgoing,
      peerSwaps: peerSwaps(hops, incoming, assets),
      minOutAmount: outgoing.amount,
      ...(isOk ? {} : wantedOf(first, assets, interfaces)),
    });
    return { ...columns, success: isOk, members: [block, ...match.blocks, ptonAfter(transfer)] };
  },
};

function paid(as: string): Pattern {
  return blockOf('jetton_transfer', {
    each: call(pton.ton_transfer, { optional: true }),
    optional: true,
    as,
  });
}

function readPosition(mint: Block) {
  const { liquidity, old_fee_cell } = tonco.position_nft_init.read(mint);
  return { liquidity, index: old_fee_cell.nft_index, address: mint.message.destination };
}

function readGiven(notification: Block, interfaces: Interfaces) {
  const { amount, sender, forward_payload } = jetton.notify.read(notification);
  const deposit = tonco.pool_fund_account_payload.match(forward_payload);
  if (!deposit) throw new RuleMismatch('not a deposit transfer');
  return {
    sender,
    amount,
    asset: assetOfWallet(interfaces, notification.message.source) ?? null,
    otherAsset: assetOfWallet(interfaces, someAccount(deposit.other_jetton_wallet)) ?? null,
  };
}

const ROUTER_PTON_WALLET = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17';

/** A side without a transfer, from the log of the pool. */
function payoutFromLog(side: ToncoSide, payTo: Block, interfaces: Interfaces): Payout {
  return {
    asset: assetOfWallet(interfaces, side.wallet) ?? null,
    amount: side.amount,
    source: payTo.message.source,
    sourceWallet: side.wallet,
    destinationWallet: side.receiver,
  };
}

function readCreatePool(block: Block) {
  const request = tonco.router_create_pool.read(block);
  const { jetton0_minter, jetton1_minter } = request.minter_cell;
  return {
    jetton0_router_wallet: request.jetton_wallet0,
    jetton1_router_wallet: request.jetton_wallet1,
    tick_spacing: request.tick_spacing,
    initial_price_x96: request.initial_price_x96,
    protocol_fee: request.protocol_fee,
    lp_fee_base: request.lp_fee_base,
    lp_fee_current: request.lp_fee_current,
    jetton0_minter,
    jetton1_minter,
  };
}

export const toncoPools: readonly Rule[] = [
  // One side of a TONCO deposit; the side that completes it mints the position NFT.
  {
    type: 'tonco_deposit_liquidity',
    calls: [tonco.account_add_liquidity],
    around: {
      each: call(tonco.pool_mint_and_refund, {
        next: [
          call(tonco.router_pay_to_normal, { next: [paid('back'), paid('back')], optional: true }),
          blockOf('nft_mint', { as: 'position' }),
          call(EXCESS, { optional: true }),
        ],
        optional: true,
      }),
      previous: call(tonco.pool_fund_account, {
        previous: anyOf([
          call(jetton.notify, { previous: call(pton.ton_transfer), as: 'TON' }),
          blockOf('jetton_transfer', { as: 'jettons' }),
        ]),
      }),
    },
    build(block, match, { interfaces }) {
      const { new_amount0, new_enough0, new_enough1, tick_lower, tick_upper } =
        tonco.account_add_liquidity.read(block);
      const isFirst = new_amount0 > 0n;
      const mint = match.named('position');
      const position = mint && readPosition(mint);
      const transfer = match.named('jettons');
      const notification =
        match.named('TON') ?? transfer?.children.find((child) => child.calls(jetton.notify));
      if (!notification) throw new RuleMismatch('no router notification');
      const { sender, amount, asset, otherAsset } = readGiven(notification, interfaces);
      const wallet = transfer ? jettonTransferOf(transfer).senderWallet : null;
      const excesses = match.allNamed('back').map(readRouterPayment);
      return {
        source: sender,
        source_secondary: wallet,
        destination: block.message.source,
        destination_secondary: block.message.destination,
        ...depositColumns([{ asset, amount, wallet: isFirst ? wallet : null }], excesses, {
          dex: 'tonco',
          user_jetton_wallet_2: isFirst ? null : wallet,
          target_asset_1: isFirst ? asset : otherAsset,
          target_amount_1: new_enough0,
          target_asset_2: isFirst ? otherAsset : asset,
          target_amount_2: new_enough1,
          tick_lower,
          tick_upper,
          nft_index: position?.index ?? null,
          nft_address: position?.address ?? null,
          lp_tokens_minted: position?.liquidity ?? null,
        }),
      };
    },
  },
  // Deploys a TONCO pool.
  {
    type: 'tonco_deploy_pool',
    calls: [tonco.router_create_pool],
    around: {
      each: call(tonco.pool_init, { each: call(EXCESS, { optional: true, as: 'excess' }), as: 'pool' }),
    },
    build(block, match) {
      const pool = match.named('pool')!;
      const data = { ...readCreatePool(block), pool_active: tonco.pool_init.read(pool).pool_active };
      const { source, destination } = block.message;
      return {
        source,
        destination,
        destination_secondary: pool.message.destination,
        data: { tonco_deploy_pool_data: data },
        members: [block, pool, match.named('excess')],
      };
    },
  },
  // Withdraws part or all of a TONCO position.
  {
    type: 'tonco_withdraw_liquidity',
    calls: [tonco.pool_start_burn],
    around: {
      each: call(tonco.position_nft_burn, {
        each: call(tonco.pool_burn, {
          each: call(tonco.router_pay_to_normal, { next: [paid('first'), paid('second')], as: 'pay to' }),
          as: 'pool',
        }),
        as: 'position',
      }),
    },
    build(block, match, { interfaces }) {
      const { burned_index, liquidity_to_burn, tick_lower, tick_upper } = tonco.pool_start_burn.read(block);
      const position = match.named('position')!;
      const payTo = match.named('pay to')!;
      const { exit, sides } = readToncoPayTo(payTo);
      if (sides.length === 0 || sides.some(({ wallet }) => wallet === null))
        throw new RuleMismatch('no amounts');
      const named = sides.map((one) => (one.wallet === ROUTER_PTON_WALLET ? { ...one, wallet: null } : one));
      const transfers = [match.named('first'), match.named('second')];
      const paidOut = named.map((side, at) => {
        const transfer = transfers[at];
        return transfer ? readRouterPayment(transfer) : payoutFromLog(side, payTo, interfaces);
      });
      if (paidOut[0]!.sourceWallet !== named[0]!.wallet) paidOut.reverse();
      const burn = match.named('pool')!;
      const burntIndex = tryRead(() => tonco.pool_burn.read(burn).burned_index) || burned_index;
      return {
        source: tonco.position_nft_burn.read(position).nft_owner,
        destination: block.message.destination,
        ...withdrawalColumns(paidOut, {
          dex: 'tonco',
          lp_tokens_burnt: liquidity_to_burn,
          tick_lower,
          tick_upper,
          burned_nft_index: burntIndex,
          burned_nft_address: position.message.destination,
        }),
        success: !(exit !== 0 && exit !== 201),
      };
    },
  },
];
