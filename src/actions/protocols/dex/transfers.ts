import type { ActionColumns, ActionData, ActionValue } from '../../rules/action.ts';
import type { AdditionalAction } from '../../rules/additional.ts';
import type { Block } from '../../rules/block.ts';
import type { Interfaces } from '../../rules/classifier-input.ts';
import { anyOf, blockOf, call, type Pattern } from '../../rules/pattern.ts';
import { jetton } from '../jettons/layouts.ts';
import { jettonTransferOf, PTON_MASTERS } from '../jettons/rules.ts';
import { pton } from '../pton/layouts.ts';

/** A transfer of jettons or TON into or out of a DEX. TON is a null asset. */
export interface DexTransfer {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly source: string | null;
  readonly sourceWallet: string | null;
  readonly destination: string | null;
  readonly destinationWallet: string | null;
}

/** The swap of one pool, as columns. */
export type PeerSwap = Readonly<Record<'asset_in' | 'asset_out', string | null>> &
  Readonly<Record<'amount_in' | 'amount_out', bigint>>;

type Dex = 'stonfi' | 'stonfi_v2' | 'dedust' | 'dedust_v2' | 'tonco' | 'coffee';
/** Exchanges that only we know. */
type AdditionalDex = 'bidask' | 'megaton' | 'moon';

/** A transfer whose amount may be unknown. */
type SwapSide = Omit<DexTransfer, 'amount'> & { readonly amount: bigint | null };

interface JettonSwap {
  readonly dex: Dex | AdditionalDex;
  readonly incoming: DexTransfer;
  readonly outgoing: SwapSide;
  readonly peerSwaps?: readonly PeerSwap[];
  /** The input, if it may differ from the logs of the pools. */
  readonly sourceAsset?: string | null;
  /** The requested asset, if it may differ from the payout. */
  readonly destinationAsset?: string | null | undefined;
  /** The DEX wallet of the requested asset, where the action shows it. */
  readonly destinationWallet?: string;
  readonly minOutAmount?: bigint | null;
}

/** A jetton transfer as a side of a swap. */
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

/** A message that brings TON as a side of a swap. */
export function tonSide({ message: { source, destination } }: Block, amount: bigint): DexTransfer {
  return { asset: null, amount, source, sourceWallet: null, destination, destinationWallet: null };
}

export function inOrderOfTime(blocks: readonly Block[]): Block[] {
  return blocks.toSorted((a, b) => Number(a.minLt - b.minLt));
}

export function swapColumns(swap: JettonSwap): ActionColumns {
  const { dex, incoming, outgoing, peerSwaps = [], destinationAsset, minOutAmount = null } = swap;
  return {
    source: incoming.source,
    source_secondary: incoming.sourceWallet,
    destination: outgoing.destination,
    destination_secondary: swap.destinationWallet ?? outgoing.destinationWallet,
    asset: swap.sourceAsset === undefined ? incoming.asset : swap.sourceAsset,
    asset2: destinationAsset === undefined ? outgoing.asset : destinationAsset,
    data: {
      jetton_swap_data: {
        dex,
        sender: incoming.source,
        dex_incoming_transfer: transferColumns(incoming),
        dex_outgoing_transfer: transferColumns(outgoing),
        peer_swaps: peerSwaps,
        min_out_amount: minOutAmount,
      },
    },
  };
}

/** A swap on an exchange that the reference does not know. */
export function additionalSwap(
  swap: JettonSwap & { readonly dex: AdditionalDex },
  members: readonly Block[],
): AdditionalAction {
  return { ...swapColumns(swap), type: 'dex_swap', success: true, members };
}

function transferColumns(transfer: SwapSide): ActionData {
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
  /** Null for TONCO, which has no refunds. */
  is_refund: null,
  burned_nft_index: null,
  burned_nft_address: null,
  tick_lower: null,
  tick_upper: null,
};

/** A part of a deposit that the DEX returned. */
export type Excess = Pick<DexTransfer, 'asset' | 'amount'>;

export interface DepositSide {
  readonly asset: string | null;
  readonly amount: bigint | null;
  /** The jetton wallet of the user. */
  readonly wallet: string | null;
}

/** The side of a deposit that starts with this block: a jetton transfer, or TON. */
export function depositSide(first: Block, amount: bigint): DepositSide {
  if (first.type !== 'jetton_transfer') return { asset: null, amount, wallet: null };
  const { asset, senderWallet } = jettonTransferOf(first);
  return { asset, amount, wallet: senderWallet };
}

/** The columns of a liquidity deposit; others are null. */
export function depositColumns(
  [first, second]: readonly (DepositSide | undefined)[],
  excesses: readonly Excess[] | null,
  others: Partial<Record<keyof typeof NO_DEPOSIT, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = {
    ...NO_DEPOSIT,
    ...(first && { asset1: first.asset, amount1: first.amount, user_jetton_wallet_1: first.wallet }),
    ...(second && { asset2: second.asset, amount2: second.amount, user_jetton_wallet_2: second.wallet }),
    vault_excesses: excesses?.map(({ asset, amount }) => ({ asset, amount })) ?? null,
    ...others,
  };
  return { type: 'dex_deposit_liquidity', data: { dex_deposit_liquidity_data: columns } };
}

/** One of the two assets paid out by a pool. */
export type Payout = Omit<DexTransfer, 'destination'>;

/** The columns of a liquidity withdrawal; others are null. */
export function withdrawalColumns(
  [first, second]: readonly Payout[],
  others: Partial<Record<keyof typeof NO_WITHDRAWAL, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = {
    ...NO_WITHDRAWAL,
    ...others,
    ...paidOutColumns(first, 1),
    ...paidOutColumns(second, 2),
  };
  return { type: 'dex_withdraw_liquidity', data: { dex_withdraw_liquidity_data: columns } };
}

function paidOutColumns(paid: Payout | undefined, side: 1 | 2): ActionData {
  if (!paid) return {};
  return {
    [`amount${side}`]: paid.amount,
    [`asset${side}_out`]: paid.asset,
    [`user_jetton_wallet_${side}`]: paid.destinationWallet,
    [`dex_jetton_wallet_${side}`]: paid.sourceWallet,
    [`dex_wallet_${side}`]: paid.source,
  };
}

/** Amount and payload of a pTON transfer. */
export function readPtonTransfer(block: Block) {
  const transfer = pton.ton_transfer.read(block);
  const { ton_amount: amount, forward_payload } = transfer;
  const isInCell = !transfer.sliceAt('forward_payload').boolean();
  return { amount, payload: isInCell && forward_payload.refsLeft === 0 ? undefined : forward_payload };
}

/** The TON payout after a pTON transfer. */
export function ptonAfter(transfer: Block): Block | undefined {
  return transfer.next.find((block) => block.calls(pton.ton_transfer));
}

/** The payment of a router: TON if a pTON payout follows. */
export function readRouterPayment(transfer: Block): Payout {
  const payout = ptonAfter(transfer);
  const inTon = payout && { asset: null, amount: readPtonTransfer(payout).amount };
  return { ...dexTransferOf(transfer), ...inTon };
}

/** The asset of a jetton master: null (TON) for pTON. */
export function tonOrJetton(jetton: string | null): string | null {
  return jetton !== null && PTON_MASTERS.has(jetton) ? null : jetton;
}

/** The asset of a wallet; undefined if unknown. */
export function assetOfWallet(interfaces: Interfaces, wallet: string | null): string | null | undefined {
  const record = wallet ? interfaces.jettonWallet(wallet) : undefined;
  return record && tonOrJetton(record.jetton);
}

/** A transfer of jettons or TON to a router. The block that starts it is named `in`. */
export const incomingTransfer: Pattern = anyOf([
  blockOf('jetton_transfer', { as: 'in' }),
  call(jetton.notify, { previous: call(pton.ton_transfer, { as: 'in' }) }),
]);

export function readIncomingTransfer(first: Block, router: string | null): DexTransfer {
  if (first.type === 'jetton_transfer') {
    const transfer = dexTransferOf(first);
    return { ...transfer, asset: tonOrJetton(transfer.asset) };
  }
  const side = tonSide(first, readPtonTransfer(first).amount);
  return { ...side, destination: router, destinationWallet: side.destination };
}
