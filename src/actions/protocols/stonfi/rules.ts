import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { type Block, compose, insertBetween } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import {
  anyOf,
  blockOf,
  blockThat,
  call,
  type Found,
  lazyPattern,
  type Pattern,
} from '../../rules/pattern.ts';
import { readAccount, readMaybeRef, readSomeAccount, tryRead } from '../../rules/read-body.ts';
import { type Rule, RuleMismatch } from '../../rules/rule.ts';
import {
  assetOfWallet,
  type DexTransfer,
  depositColumns,
  dexTransferOf,
  incomingTransfer,
  inOrderOfTime,
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
import {
  JETTON_INTERNAL_TRANSFER,
  JETTON_NOTIFICATION,
  type JettonTransferData,
  jettonBurnOf,
  jettonTransferOf,
} from '../jettons/rules.ts';

const STONFI_V1_SWAP = 0x25938561;
const STONFI_V1_PAYMENT_REQUEST = 0xf93bb43f;
const STONFI_V1_OK = 0xc64370e5;
const STONFI_V1_OK_REFERRAL = 0x45078540;
const STONFI_V1_NO_LIQUIDITY = 0x5ffe1295;
const STONFI_V1_RESERVE_ERROR = 0x38976e9b;

function readV1Swap(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const from = readAccount(body);
  const tokenWallet = readSomeAccount(body);
  const amount = body.coins();
  return { from, tokenWallet, amount, realUser: readAccount(body.refSlice()) };
}

/** The request in the payload of a transfer to the router. */
function readSwapRequest({ request }: JettonTransferData) {
  const payload = request.payloadOpcode === STONFI_V1_SWAP ? request.payload() : undefined;
  if (!payload) return undefined;
  return tryRead(() => {
    payload.skip(32);
    const wallet = readSomeAccount(payload);
    payload.coins();
    return { wallet, user: readAccount(payload) };
  });
}

interface V1Payment {
  readonly block: Block;
  readonly exit: number;
  readonly amount: bigint;
  readonly wallet: string;
}

function readV1Payment(block: Block): V1Payment {
  const body = block.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  const exit = body.uint(32);
  const sides = body.refSlice();
  const first = { amount: sides.coins(), wallet: readAccount(sides) };
  const second = { amount: sides.coins(), wallet: readAccount(sides) };
  const { amount, wallet } = first.amount > 0n ? first : second;
  if (wallet === null) throw new RuleMismatch('payment without a wallet');
  return { block, exit, amount, wallet };
}

/** The payment to the swapper: the largest one, because the others are referral fees. */
function payoutOf(payments: readonly V1Payment[]): V1Payment {
  const own = payments.filter(
    ({ exit }) =>
      exit === STONFI_V1_OK || exit === STONFI_V1_NO_LIQUIDITY || exit === STONFI_V1_RESERVE_ERROR,
  );
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
  name: 'STON.fi v1 swap',
  test: (block) => block.type === 'jetton_transfer',
  around: {
    each: call(STONFI_V1_SWAP, {
      each: call(STONFI_V1_PAYMENT_REQUEST, { each: blockOf('jetton_transfer') }),
    }),
  },
  build(block, found, { interfaces }) {
    const swap = readV1Swap(found.call(STONFI_V1_SWAP)!);
    const payments = found.blocks.filter((one) => one.calls(STONFI_V1_PAYMENT_REQUEST)).map(readV1Payment);
    const payout = payoutOf(payments);
    const transfer = jettonTransferOf(block);
    const request = readSwapRequest(transfer);
    const dexWallet = interfaces.jettonWallet(swap.tokenWallet);
    if (!dexWallet) throw new RuleMismatch('unknown DEX wallet');
    const destinationWallet = request?.wallet ?? payout.wallet;
    const data = {
      dex: 'stonfi' as const,
      sender: swap.realUser,
      incoming: {
        asset: dexWallet.jetton,
        amount: swap.amount,
        source: swap.realUser,
        sourceWallet: transfer.senderWallet,
        destination: dexWallet.owner,
        destinationWallet: swap.tokenWallet,
      },
      outgoing: outgoingOfV1(payout, request ? request.user : swap.from, interfaces),
      destinationAsset: interfaces.jettonWallet(destinationWallet)?.jetton,
      destinationWallet,
    };
    const ofReferral = payments.filter(({ exit }) => exit === STONFI_V1_OK_REFERRAL);
    const notOurs = new Set(ofReferral.flatMap((payment) => [...payment.block.walk()]));
    const members = found.blocks.filter((one) => !notOurs.has(one));
    compose(swapBlock(data, payout.exit !== STONFI_V1_OK), [block, ...members]);
  },
};

/** Swap request to a pool; in payloads the same opcode is the request to a router. */
const STONFI_V2_SWAP = 0x6664de2a;
/** Payout request of a pool to its router. */
const STONFI_V2_PAY_TO = 0x657b54f5;
const STONFI_V2_OK = 0xc64370e5;
const CROSS_SWAP = 0x69cf1a5b;

/** The router wallets of the requested assets, one per pool, from a request. */
function readRequestedWallets(swap: Block): string[] {
  const body = swap.bodyAfterOpcode();
  body.uint64();
  skipMsgAddress(body);
  body.coins();
  body.coins();
  const request = body.refSlice();
  request.skip(32);
  const wallets = [readAccount(request) ?? ''];
  let next = readNextRequest(request);
  while (next) {
    wallets.push(next.wallet);
    next = readNextRequest(next.rest);
  }
  return wallets;
}

/** The request to the next pool, after the wallet in the previous request. */
function readNextRequest(request: Slice): { readonly wallet: string; readonly rest: Slice } | undefined {
  return tryRead(() => {
    const terms = request.refSlice();
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
  /** The router wallet that pays. */
  readonly wallet: string;
}

/** The payout of a pool: the larger of two amounts, the other is zero. */
function readStonfiPayTo(block: Block): StonfiPayTo {
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

const payout: Pattern = call(STONFI_V2_PAY_TO, { each: lazyPattern(() => afterPayout), as: 'payout' });

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

/** Requests and payouts of the pools, in order. */
function readHops(first: Block, found: Found): Hop[] {
  const payouts = found.allNamed('payout');
  const swaps = inOrderOfTime([first, ...found.allNamed('swap')]);
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
    if (number > 0 && exit !== STONFI_V2_OK) continue;
    const asset = assets.get(wallet);
    if (asset === undefined) throw new RuleMismatch('unknown wallet');
    peers.push({ assetIn: given.asset, amountIn: given.amount, assetOut: asset, amountOut: amount });
    given = { asset, amount };
    if (exit !== STONFI_V2_OK) break;
  }
  return peers.length > 1 ? peers : [];
}

function outgoingOfV2(transfer: Block, pton: Block | undefined): DexTransfer {
  const side = dexTransferOf(transfer);
  if (!pton) {
    if (isPtonTransfer(transfer)) throw new RuleMismatch('no TON payout');
    return { ...side, asset: tonOrJetton(side.asset) };
  }
  const { amount } = readPtonTransfer(pton);
  return { ...side, asset: null, amount, destination: pton.message.destination, destinationWallet: null };
}

/** The asset requested from the last pool, or from the first if its wallet is unknown. */
function wantedAsset([first]: readonly Hop[], interfaces: Interfaces): string | null | undefined {
  const [nearest, last] = [first!.wallets[0]!, first!.wallets.at(-1)!];
  const asset = assetOfWallet(interfaces, last);
  return asset === undefined ? assetOfWallet(interfaces, nearest) : asset;
}

/** A STON.fi v2 swap through one or several pools. */
export const stonfiV2Swap: Rule = {
  name: 'STON.fi v2 swap',
  test: (block) => block.calls(STONFI_V2_SWAP),
  around: { each: payout, previous: incomingTransfer },
  build(block, found, { interfaces }) {
    const hops = readHops(block, found);
    const isOk = hops.every(({ exit }) => exit === STONFI_V2_OK);
    const incoming = readIncomingTransfer(found.named('in')!, block.message.source);
    const transfer = inOrderOfTime(found.allNamed('out')).at(-1);
    if (!transfer) throw new RuleMismatch('no payout');
    const pton = ptonAfter(transfer);
    const data = {
      dex: 'stonfi_v2' as const,
      sender: incoming.source,
      incoming,
      outgoing: outgoingOfV2(transfer, pton),
      peerSwaps: peerSwaps(hops, incoming, interfaces),
      destinationAsset: isOk ? undefined : wantedAsset(hops, interfaces),
    };
    compose(swapBlock(data, !isOk), [block, ...found.blocks, ...(pton ? [pton] : [])]);
  },
};

const PROVIDE = 0x37c096df;
/** The pool notifies the contract that collects both sides, which also returns refunds. */
const ADD_LIQUIDITY = 0x50c6a654;
const BOTH_SIDES = 0x06ecd527;

interface Side {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly wallet: string | null;
}

interface StonfiDepositData {
  readonly sender: string | null;
  readonly pool: string | null;
  readonly sides: readonly Side[];
  readonly minted: bigint | null;
}

function readProvide(block: Block) {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const sender = readAccount(body);
  const first = body.coins();
  const second = body.coins();
  return { sender, amount: first > 0n ? first : second };
}

function readMinted(internal: Block | undefined): bigint | null {
  if (!internal) return null;
  const body = internal.bodyAfterOpcode();
  body.uint64();
  return body.coins();
}

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

function describeDeposit({ sender, pool, sides: [first, second], minted }: StonfiDepositData) {
  return {
    source: sender,
    destination: pool,
    ...depositColumns({
      dex: 'stonfi_v2',
      asset1: first?.asset ?? null,
      amount1: first?.amount ?? null,
      asset2: second?.asset ?? null,
      amount2: second?.amount ?? null,
      user_jetton_wallet_1: first?.wallet ?? null,
      user_jetton_wallet_2: second?.wallet ?? null,
      lp_tokens_minted: minted,
    }),
  };
}

/** One side of a STON.fi v2 deposit, joined with the other if known. */
export const stonfiV2Deposit: Rule = {
  name: 'STON.fi v2 deposit',
  test: (block) => block.calls(PROVIDE),
  around: {
    each: call(ADD_LIQUIDITY, {
      each: call(BOTH_SIDES, {
        each: anyOf([
          call(JETTON_INTERNAL_TRANSFER, { as: 'minted' }),
          call(ADD_LIQUIDITY, { as: 'refund' }),
        ]),
        optional: true,
      }),
    }),
    previous: incomingTransfer,
  },
  build(block, found) {
    const { sender, amount } = readProvide(block);
    const first = found.named('in')!;
    const { asset, senderWallet: wallet } =
      first.type === 'jetton_transfer' ? jettonTransferOf(first) : { asset: null, senderWallet: null };
    const own: StonfiDepositData = {
      sender,
      pool: block.message.destination,
      sides: [{ asset, amount, wallet }],
      minted: readMinted(found.named('minted')),
    };
    const other = otherSide(first, own);
    const data = other ? joined(own, other.data as StonfiDepositData) : own;
    const content = {
      type: 'dex_deposit_liquidity',
      data,
      failed: found.named('refund') !== undefined,
      describe: () => describeDeposit(data),
    };
    const beside = other ? [insertBetween(first.previous!, [other, first]), other] : [];
    compose(content, [block, ...found.blocks, ...beside]);
  },
};

function joined(own: StonfiDepositData, other: StonfiDepositData): StonfiDepositData {
  return { ...own, sides: [...own.sides, ...other.sides], minted: own.minted ?? other.minted };
}

/** The pool refunds an incomplete deposit. */
const REFUND = 0x0f98e2b8;
const REQUEST_REFUND = 0x132b9a2c;
const BURNT = 0x297437cf;

function transfersOf(payout: Block): Block[] {
  return payout.next.filter(({ type }) => type === 'jetton_transfer');
}

/** A STON.fi v2 pool pays out both assets, for LP jettons or as the refund of an incomplete deposit. */
export const stonfiV2Withdraw: Rule = {
  name: 'STON.fi v2 withdrawal',
  test: (block) => block.calls(STONFI_V2_PAY_TO),
  around: {
    each: blockOf('jetton_transfer'),
    previous: anyOf([
      call(REFUND, { previous: call(REQUEST_REFUND, { as: 'refund request' }) }),
      call(BURNT, { previous: blockOf('jetton_burn', { as: 'burn' }) }),
    ]),
  },
  build(block, found) {
    const beside = block.previous!.next.filter((one) => one !== block && one.calls(STONFI_V2_PAY_TO));
    const payouts = [block, ...beside.filter((one) => transfersOf(one).length > 0)];
    const [first, ...others] = payouts.map((payout) => readRouterPayment(transfersOf(payout)[0]!));
    const paidOut = [first!, ...others.slice(-1)];
    const burnt = found.named('burn');
    const burn = burnt && jettonBurnOf(burnt);
    const describe = () => ({
      source: burn ? burn.owner : (found.named('refund request')?.message.source ?? null),
      source_secondary: burn?.wallet ?? null,
      destination: block.message.source,
      asset: burn?.asset ?? null,
      ...withdrawalColumns(paidOut, {
        dex: 'stonfi_v2',
        lp_tokens_burnt: burn?.amount ?? null,
        is_refund: burn === undefined,
      }),
    });
    const transfers = payouts.flatMap(transfersOf);
    const ptons = payouts.flatMap((payout) => ptonAfter(transfersOf(payout)[0]!) ?? []);
    compose({ type: 'dex_withdraw_liquidity', data: undefined, describe }, [
      ...payouts,
      ...found.blocks,
      ...transfers,
      ...ptons,
    ]);
  },
};
