import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, compose } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, EXCESS, type Found, lazyPattern, type Pattern } from '../../rules/pattern.ts';
import { readAccount, readMaybeRef, readSomeAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  assetOfWallet,
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  excessColumns,
  incomingTransfer,
  inOrderOfTime,
  type Payout,
  type PeerSwap,
  PTON_TRANSFER,
  ptonAfter,
  readIncomingTransfer,
  readPtonTransfer,
  readRouterPayment,
  swapBlock,
  tonOrJetton,
  withdrawalColumns,
} from '../dex/transfers.ts';
import { JETTON_NOTIFICATION, jettonTransferOf } from '../jettons/rules.ts';

/** Payout request of a pool to the router. */
const TONCO_PAY_TO = 0xa1daa96d;
/** Swap request to a pool; in payloads the same opcode is the request to the router. */
const TONCO_SWAP = 0xa7fb58f8;

/** An amount of one of the two assets of a pool. */
interface ToncoSide {
  readonly amount: bigint;
  /** The router wallet of the asset. */
  readonly wallet: string | null;
  readonly receiver: string | null;
}

interface ToncoPayTo {
  readonly exit: number;
  /** In pool order; empty if the pool gives no amounts. */
  readonly sides: readonly ToncoSide[];
}

/** A payout request of a pool. */
function readToncoPayTo(block: Block): ToncoPayTo {
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

interface ToncoSwapParams {
  /** The router wallet of the requested asset. */
  readonly wallet: string | null;
  readonly minOut: bigint;
  readonly next: Slice | undefined;
}

function readSwapParams(payload: Slice): ToncoSwapParams {
  payload.skip(32);
  const wallet = readAccount(payload);
  payload.skip(160);
  const minOut = payload.coins();
  skipMsgAddress(payload);
  return { wallet, minOut, next: readMaybeRef(payload) };
}

/** The finally requested asset, from the payload for the router. */
function readLastSwapParams(payload: Slice): Pick<ToncoSwapParams, 'wallet' | 'minOut'> {
  let params = readSwapParams(payload);
  let last = params;
  while (params.next) {
    const { next } = params;
    const nested = tryRead(() => (next.peek(32) === TONCO_SWAP ? readSwapParams(next) : undefined));
    if (!nested) break;
    params = nested;
    if (params.wallet !== null) last = params;
  }
  return last;
}

const nextSwap = call(TONCO_SWAP, { each: lazyPattern(() => payout), as: 'swap' });

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
  /** The router wallet of the input asset. */
  readonly wallet: string | null;
  readonly isOk: boolean;
  /** The larger amount; none if the pool gives no amounts. */
  readonly paid: ToncoSide | undefined;
}

/** Inputs and payouts of the pools, in order. */
function readHops(first: Block, found: Found): Hop[] {
  const payouts = inOrderOfTime(found.allNamed('payout'));
  const swaps = inOrderOfTime([first, ...found.allNamed('swap')]);
  if (swaps.length !== payouts.length) throw new RuleMismatch('number of payments differs from swaps');
  return swaps.map((swap, number) => {
    const body = swap.bodyAfterOpcode();
    body.uint64();
    skipMsgAddress(body);
    const wallet = readAccount(body);
    const { exit, sides } = readToncoPayTo(payouts[number]!);
    const known = sides.filter((side) => side.wallet !== null);
    const paid =
      known.length > 0 ? known.reduce((most, one) => (one.amount > most.amount ? one : most)) : undefined;
    return { wallet, isOk: exit === 0 || exit === 200, paid };
  });
}

/** The known assets of the wallets involved. */
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

/** The request of a failed swap. The action shows the input only if it was TON. */
function wantedOf(first: Block, assets: Assets, interfaces: Interfaces) {
  const payload = first.calls(PTON_TRANSFER) ? readPtonTransfer(first).payload : undefined;
  const params = payload && tryRead(() => readLastSwapParams(payload));
  if (!params) return {};
  const { wallet, minOut } = params;
  const known = assets.get(wallet ?? '');
  return {
    destinationAsset: known === undefined ? assetOfWallet(interfaces, wallet) : known,
    minOutAmount: minOut,
  };
}

/** A TONCO swap through one or several pools. */
export const toncoSwap: Rule = {
  name: 'TONCO swap',
  test: (block) => block.calls(TONCO_SWAP),
  around: { each: payout, previous: incomingTransfer },
  build(block, found, { interfaces }) {
    const hops = readHops(block, found);
    const isOk = hops.every((hop) => hop.isOk);
    const first = found.named('in')!;
    const incoming = readIncomingTransfer(first, block.message.source);
    const transfer = inOrderOfTime(found.allNamed('out')).at(-1);
    if (!transfer) throw new RuleMismatch('no payout');
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

const ADD_LIQUIDITY = 0x3ebe5431;
/** Deposit of the router to the pool; in payloads the same opcode is the request to the router. */
const FUND_ACCOUNT = 0x4468de77;
const MINT_AND_REFUND = 0x81702ef8;

const back = blockOf('jetton_transfer', {
  each: call(PTON_TRANSFER, { optional: true }),
  optional: true,
  as: 'back',
});

function readAddLiquidity(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const isFirst = body.coins() > 0n;
  body.coins();
  const targets = [body.coins(), body.coins()] as const;
  body.skip(128);
  return { isFirst, targets, tickLower: body.int(24), tickUpper: body.int(24) };
}

interface Position {
  readonly liquidity: bigint;
  readonly index: bigint;
  readonly address: string | null;
}

/** The position NFT. */
function readPosition(mint: Block): Position {
  const body = mint.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  const liquidity = body.bigUint(128);
  const fees = body.refSlice();
  fees.skip(2 * 256);
  return { liquidity, index: fees.uint64(), address: mint.message.destination };
}

interface Given {
  readonly sender: string | null;
  readonly amount: bigint;
  readonly asset: string | null;
  readonly otherAsset: string | null;
}

function readGiven(notification: Block, interfaces: Interfaces): Given {
  const body = notification.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  const sender = readAccount(body);
  const payload = readMaybeRef(body) ?? body;
  if (payload.uint(32) !== FUND_ACCOUNT) throw new RuleMismatch('not a deposit transfer');
  const otherWallet = readSomeAccount(payload);
  return {
    sender,
    amount,
    asset: assetOfWallet(interfaces, notification.message.source) ?? null,
    otherAsset: assetOfWallet(interfaces, otherWallet) ?? null,
  };
}

/** One side of a TONCO deposit; the side that completes it mints the position NFT. */
export const toncoDeposit: Rule = {
  name: 'TONCO deposit',
  test: (block) => block.calls(ADD_LIQUIDITY),
  around: {
    each: call(MINT_AND_REFUND, {
      next: [
        call(TONCO_PAY_TO, { next: [back, back], optional: true }),
        blockOf('nft_mint', { as: 'position' }),
        call(EXCESS, { optional: true }),
      ],
      optional: true,
    }),
    previous: call(FUND_ACCOUNT, {
      previous: anyOf([
        call(JETTON_NOTIFICATION, { previous: call(PTON_TRANSFER), as: 'TON' }),
        blockOf('jetton_transfer', { as: 'jettons' }),
      ]),
    }),
  },
  build(block, found, { interfaces }) {
    const { isFirst, targets, tickLower, tickUpper } = readAddLiquidity(block);
    const mint = found.named('position');
    const position = mint && readPosition(mint);
    const transfer = found.named('jettons');
    const notification =
      found.named('TON') ?? transfer?.children.find((child) => child.calls(JETTON_NOTIFICATION));
    if (!notification) throw new RuleMismatch('no router notification');
    const { sender, amount, asset, otherAsset } = readGiven(notification, interfaces);
    const wallet = transfer ? jettonTransferOf(transfer).senderWallet : null;
    const excesses = found.allNamed('back').map(readRouterPayment);
    const { source: pool, destination: contract } = block.message;
    const describe = () => ({
      source: sender,
      source_secondary: wallet,
      destination: pool,
      destination_secondary: contract,
      ...depositColumns({
        dex: 'tonco',
        asset1: asset,
        amount1: amount,
        ...(isFirst ? { user_jetton_wallet_1: wallet } : { user_jetton_wallet_2: wallet }),
        target_asset_1: isFirst ? asset : otherAsset,
        target_amount_1: targets[0],
        target_asset_2: isFirst ? otherAsset : asset,
        target_amount_2: targets[1],
        tick_lower: tickLower,
        tick_upper: tickUpper,
        nft_index: position?.index ?? null,
        nft_address: position?.address ?? null,
        lp_tokens_minted: position?.liquidity ?? null,
        vault_excesses: excessColumns(excesses),
      }),
    });
    compose({ type: 'tonco_deposit_liquidity', data: undefined, describe }, [block, ...found.blocks]);
  },
};

const START_BURN = 0x530b5f2c;
const POSITION_BURN = 0x46ca335a;
const POOL_BURN = 0xd73ac09d;
/** The pTON wallet of the router. */
const ROUTER_PTON_WALLET = '0:871DA9215B14902166F0EA2A16DB56278D528108377F8158C5F4CCFDFDD22E17';

function paid(as: string): Pattern {
  return blockOf('jetton_transfer', { each: call(PTON_TRANSFER, { optional: true }), optional: true, as });
}

function readStartBurn(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const index = body.uint64();
  const liquidity = body.bigUint(128);
  return { index, liquidity, tickLower: body.int(24), tickUpper: body.int(24) };
}

function readOwner(positionBurn: Block): string | null {
  const body = positionBurn.bodyAfterOpcode();
  body.uint64();
  return readAccount(body);
}

function readBurntIndex(poolBurn: Block): bigint | undefined {
  return tryRead(() => {
    const body = poolBurn.bodyAfterOpcode();
    body.uint64();
    skipMsgAddress(body);
    return body.uint64();
  });
}

/** A side without a transfer, from the log of the pool. */
function payoutFromLog(side: ToncoSide, payTo: Block, interfaces: Interfaces): Payout {
  return {
    asset: assetOfWallet(interfaces, side.wallet) ?? null,
    amount: side.amount,
    dexWallet: payTo.message.source,
    dexJettonWallet: side.wallet,
    userJettonWallet: side.receiver,
  };
}

/** Withdraws part or all of a TONCO position. */
export const toncoWithdraw: Rule = {
  name: 'TONCO withdrawal',
  test: (block) => block.calls(START_BURN),
  around: {
    each: call(POSITION_BURN, {
      each: call(POOL_BURN, {
        each: call(TONCO_PAY_TO, { next: [paid('first'), paid('second')], as: 'pay to' }),
        as: 'pool',
      }),
      as: 'position',
    }),
  },
  build(block, found, { interfaces }) {
    const { index, liquidity, tickLower, tickUpper } = readStartBurn(block);
    const position = found.named('position')!;
    const payTo = found.named('pay to')!;
    const { exit, sides } = readToncoPayTo(payTo);
    if (sides.length === 0 || sides.some(({ wallet }) => wallet === null))
      throw new RuleMismatch('no amounts');
    const known = sides.map((one) => (one.wallet === ROUTER_PTON_WALLET ? { ...one, wallet: null } : one));
    const transfers = [found.named('first'), found.named('second')];
    const paidOut = known.map((side, at) => {
      const transfer = transfers[at];
      return transfer ? readRouterPayment(transfer) : payoutFromLog(side, payTo, interfaces);
    });
    if (paidOut[0]!.dexJettonWallet !== known[0]!.wallet) paidOut.reverse();
    const owner = readOwner(position);
    const burntIndex = readBurntIndex(found.named('pool')!) || index;
    const { destination: pool } = block.message;
    const describe = () => ({
      source: owner,
      destination: pool,
      ...withdrawalColumns(paidOut, {
        dex: 'tonco',
        lp_tokens_burnt: liquidity,
        tick_lower: tickLower,
        tick_upper: tickUpper,
        burned_nft_index: burntIndex,
        burned_nft_address: position.message.destination,
      }),
    });
    const failed = exit !== 0 && exit !== 201;
    compose({ type: 'tonco_withdraw_liquidity', data: undefined, failed, describe }, [
      block,
      ...found.blocks,
    ]);
  },
};

const CREATE_POOL = 0x2e3034ef;
const INIT_POOL = 0x441c39ed;

function readCreatePool(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const wallets = { jetton0_router_wallet: readAccount(body), jetton1_router_wallet: readAccount(body) };
  const terms = {
    tick_spacing: body.int(24),
    initial_price_x96: body.bigUint(160),
    protocol_fee: body.uint(16),
    lp_fee_base: body.uint(16),
    lp_fee_current: body.uint(16),
  };
  body.refSlice();
  body.refSlice();
  const minters = body.refSlice();
  return {
    ...wallets,
    ...terms,
    jetton0_minter: readAccount(minters),
    jetton1_minter: readAccount(minters),
  };
}

function readIsActive(init: Block): boolean {
  const body = init.bodyAfterOpcode();
  body.uint64();
  body.skip(2);
  skipMsgAddress(body);
  body.skip(1);
  skipMsgAddress(body);
  body.skip(1 + 24 + 1 + 160 + 1);
  return body.boolean();
}

/** Deploys a TONCO pool. */
export const toncoDeployPool: Rule = {
  name: 'TONCO pool',
  test: (block) => block.calls(CREATE_POOL),
  around: { each: call(INIT_POOL, { each: call(EXCESS, { optional: true, as: 'excess' }), as: 'pool' }) },
  build(block, found) {
    const pool = found.named('pool')!;
    const data = { ...readCreatePool(block), pool_active: readIsActive(pool) };
    const { source, destination } = block.message;
    const describe = () => ({
      source,
      destination,
      destination_secondary: pool.message.destination,
      data: { tonco_deploy_pool_data: data },
    });
    const excess = found.named('excess');
    compose({ type: 'tonco_deploy_pool', data: undefined, describe }, [
      block,
      pool,
      ...(excess ? [excess] : []),
    ]);
  },
};
