import { formatRaw } from '../../../chain/address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { skipMsgAddress } from '../../../chain/tlb/msg-address.ts';
import type { ActionColumns, ActionData, ActionValue } from '../action.ts';
import type { Block, BlockContent } from '../block.ts';
import type { Interfaces } from '../classifier-input.ts';
import { anyOf, blockOf, call, type Pattern } from '../pattern.ts';
import { readMaybeRef } from '../read-body.ts';
import { RuleMismatch } from '../rule.ts';
import { JETTON_NOTIFICATION, jettonTransferOf, PTON_MASTERS } from './jetton.ts';

/** Jettons or TON on the way into an exchange or out of it. TON is null among assets. */
export interface DexTransfer {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly source: string | null;
  readonly sourceWallet: string | null;
  readonly destination: string | null;
  readonly destinationWallet: string | null;
}

/** What one pool did. */
export interface PeerSwap {
  readonly assetIn: string | null;
  readonly amountIn: bigint;
  readonly assetOut: string | null;
  readonly amountOut: bigint;
}

interface JettonSwapData {
  readonly dex: 'stonfi' | 'stonfi_v2' | 'dedust' | 'tonco' | 'coffee';
  readonly sender: string | null;
  readonly incoming: DexTransfer;
  readonly outgoing: DexTransfer;
  readonly peerSwaps?: readonly PeerSwap[];
  /** What was given, where the pool may say otherwise. */
  readonly sourceAsset?: string | null;
  /** What was wanted, where it may not be what was paid out. */
  readonly destinationAsset?: string | null | undefined;
  /** The exchange's wallet of what was wanted, where clients are told that one. */
  readonly destinationWallet?: string;
  readonly minOutAmount?: bigint | null;
}

/** A transfer of jettons as a side of a swap. */
export function dexTransferOf(block: Block): DexTransfer {
  const { asset, amount, sender, senderWallet, receiver, receiverWallet } = jettonTransferOf(block);
  return {
    asset,
    amount,
    source: sender,
    sourceWallet: senderWallet,
    destination: receiver,
    destinationWallet: receiverWallet,
  };
}

/** Blocks as they came one after the other. */
export function inOrderOfTime(blocks: readonly Block[]): Block[] {
  return blocks.toSorted((a, b) => Number(a.minLt - b.minLt));
}

/** The block of a swap. */
export function swapBlock(data: JettonSwapData, failed: boolean): BlockContent<JettonSwapData> {
  const { dex, sender, incoming, outgoing, peerSwaps = [], destinationAsset, minOutAmount = null } = data;
  const describe = () => ({
    source: incoming.source,
    source_secondary: incoming.sourceWallet,
    destination: outgoing.destination,
    destination_secondary: data.destinationWallet ?? outgoing.destinationWallet,
    asset: data.sourceAsset === undefined ? incoming.asset : data.sourceAsset,
    asset2: destinationAsset === undefined ? outgoing.asset : destinationAsset,
    data: {
      jetton_swap_data: {
        dex,
        sender,
        dex_incoming_transfer: transferColumns(incoming),
        dex_outgoing_transfer: transferColumns(outgoing),
        peer_swaps: peerSwaps.map(peerColumns),
        min_out_amount: minOutAmount,
      },
    },
  });
  return { type: 'jetton_swap', data, failed, describe };
}

function transferColumns(transfer: DexTransfer): ActionData {
  const { amount, asset, source, destination } = transfer;
  return {
    amount,
    asset,
    source,
    destination,
    source_jetton_wallet: transfer.sourceWallet,
    destination_jetton_wallet: transfer.destinationWallet,
  };
}

function peerColumns({ assetIn, amountIn, assetOut, amountOut }: PeerSwap): ActionData {
  return { asset_in: assetIn, amount_in: amountIn, asset_out: assetOut, amount_out: amountOut };
}

const NO_DEPOSIT = {
  dex: null,
  amount1: null,
  amount2: null,
  asset1: null,
  asset2: null,
  user_jetton_wallet_1: null,
  user_jetton_wallet_2: null,
  lp_tokens_minted: null,
  target_asset_1: null,
  target_asset_2: null,
  target_amount_1: null,
  target_amount_2: null,
  vault_excesses: null,
  tick_lower: null,
  tick_upper: null,
  nft_index: null,
  nft_address: null,
};

const NO_WITHDRAWAL = {
  dex: null,
  amount1: null,
  amount2: null,
  asset1_out: null,
  asset2_out: null,
  user_jetton_wallet_1: null,
  user_jetton_wallet_2: null,
  dex_jetton_wallet_1: null,
  dex_jetton_wallet_2: null,
  dex_wallet_1: null,
  dex_wallet_2: null,
  lp_tokens_burnt: null,
  burned_nft_index: null,
  burned_nft_address: null,
  tick_lower: null,
  tick_upper: null,
};

/** What an exchange gave back of a deposit. */
export interface Excess {
  readonly asset: string | null;
  readonly amount: bigint;
}

/** The columns of a deposit of liquidity; those that are not told are null. */
export function depositColumns(
  told: Partial<Record<keyof typeof NO_DEPOSIT, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = { ...NO_DEPOSIT, ...told };
  return { type: 'dex_deposit_liquidity', data: { dex_deposit_liquidity_data: columns } };
}

/** Excesses as columns have them. */
export function excessColumns(excesses: readonly Excess[]): ActionData[] {
  return excesses.map(({ asset, amount }) => ({ asset, amount }));
}

/** One of the two assets that a pool paid out. */
export interface PaidOut {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly dexWallet: string | null;
  readonly dexJettonWallet: string | null;
  readonly userJettonWallet: string | null;
}

/** The columns of a withdrawal of liquidity; those that are not told are null. */
export function withdrawalColumns(
  [first, second]: readonly PaidOut[],
  told: Partial<Record<keyof typeof NO_WITHDRAWAL, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = {
    ...NO_WITHDRAWAL,
    ...told,
    ...paidOutColumns(first, 1),
    ...paidOutColumns(second, 2),
  };
  return { type: 'dex_withdraw_liquidity', data: { dex_withdraw_liquidity_data: columns } };
}

function paidOutColumns(paid: PaidOut | undefined, side: 1 | 2): ActionData {
  if (!paid) return {};
  return {
    [`amount${side}`]: paid.amount,
    [`asset${side}_out`]: paid.asset,
    [`user_jetton_wallet_${side}`]: paid.userJettonWallet,
    [`dex_jetton_wallet_${side}`]: paid.dexJettonWallet,
    [`dex_wallet_${side}`]: paid.dexWallet,
  };
}

/** An asset as DeDust writes it: null for TON, else the jetton's master. */
export function readDedustAsset(slice: Slice): string | null {
  return slice.uint(4) === 0 ? null : readMaster(slice);
}

/** An asset as swap.coffee writes it: null for TON, else the jetton's master. Extra currencies are not for us. */
export function readCoffeeAsset(slice: Slice): string | null {
  const kind = slice.uint(2);
  if (kind > 1) throw new RuleMismatch('not TON and not a jetton');
  return kind === 0 ? null : readMaster(slice);
}

function readMaster(slice: Slice): string {
  return formatRaw({ workchain: slice.int(8), hash: slice.hash() }, 'upper');
}

/** The wallet of TON in the form of a jetton is given TON, or gives it. */
export const PTON_TRANSFER = 0x01f3835d;

interface PtonTransfer {
  readonly amount: bigint;
  readonly payload: Slice | undefined;
}

/** How much TON a message of such a wallet means, and what for. */
export function readPtonTransfer(block: Block): PtonTransfer {
  const body = block.bodyAfterOpcode();
  body.uint64();
  const amount = body.coins();
  skipMsgAddress(body);
  return { amount, payload: readMaybeRef(body) ?? (body.refsLeft > 0 ? body : undefined) };
}

/** The message that pays TON out, after a transfer of TON in the form of a jetton. */
export function ptonAfter(transfer: Block): Block | undefined {
  return transfer.next.find((block) => block.calls(PTON_TRANSFER));
}

/** What a router paid: TON where that follows its form of a jetton. */
export function readRouterPayment(transfer: Block): PaidOut {
  const { asset, amount, sender, senderWallet, receiverWallet } = jettonTransferOf(transfer);
  const pton = ptonAfter(transfer);
  const paid = pton ? { asset: null, amount: readPtonTransfer(pton).amount } : { asset, amount };
  return { ...paid, dexWallet: sender, dexJettonWallet: senderWallet, userJettonWallet: receiverWallet };
}

/** The asset that a jetton stands for: null, TON, for the forms of TON. */
export function tonOrJetton(jetton: string | null): string | null {
  return jetton !== null && PTON_MASTERS.has(jetton) ? null : jetton;
}

/** The asset of a wallet; undefined where it is not known. */
export function assetOfWallet(interfaces: Interfaces, wallet: string | null): string | null | undefined {
  const known = wallet ? interfaces.jettonWallet(wallet) : undefined;
  return known && tonOrJetton(known.jetton);
}

/** What brings jettons or TON to a router. The block that starts it has the name `in`. */
export const incomingTransfer: Pattern = anyOf([
  blockOf('jetton_transfer', { as: 'in' }),
  call(JETTON_NOTIFICATION, { previous: call(PTON_TRANSFER, { as: 'in' }) }),
]);

/** What came to a router. */
export function readIncomingTransfer(first: Block, router: string | null): DexTransfer {
  if (first.type === 'jetton_transfer') {
    const transfer = dexTransferOf(first);
    return { ...transfer, asset: tonOrJetton(transfer.asset) };
  }
  return {
    asset: null,
    amount: readPtonTransfer(first).amount,
    source: first.message.source,
    sourceWallet: null,
    destination: router,
    destinationWallet: first.message.destination,
  };
}
