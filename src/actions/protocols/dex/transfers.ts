import type { Slice } from '../../../chain/boc/slice.ts';
import type { ActionColumns, ActionData, ActionValue } from '../../rules/action.ts';
import type { Block, BlockContent } from '../../rules/block.ts';
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

/** The swap of one pool. */
export interface PeerSwap {
  readonly assetIn: string | null;
  readonly amountIn: bigint;
  readonly assetOut: string | null;
  readonly amountOut: bigint;
}

interface JettonSwapData {
  readonly dex: 'stonfi' | 'stonfi_v2' | 'dedust' | 'dedust_v2' | 'tonco' | 'coffee';
  readonly sender: string | null;
  readonly incoming: DexTransfer;
  readonly outgoing: DexTransfer;
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

/** Blocks in order of time. */
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
  /** Null for TONCO, which has no refunds. */
  is_refund: null,
  burned_nft_index: null,
  burned_nft_address: null,
  tick_lower: null,
  tick_upper: null,
};

/** What a DEX returned of a deposit. */
export interface Excess {
  readonly asset: string | null;
  readonly amount: bigint;
}

/** The columns of a liquidity deposit; unknown ones are null. */
export function depositColumns(
  known: Partial<Record<keyof typeof NO_DEPOSIT, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = { ...NO_DEPOSIT, ...known };
  return { type: 'dex_deposit_liquidity', data: { dex_deposit_liquidity_data: columns } };
}

/** Excesses as columns. */
export function excessColumns(excesses: readonly Excess[]): ActionData[] {
  return excesses.map(({ asset, amount }) => ({ asset, amount }));
}

/** One of the two assets paid out by a pool. */
export interface Payout {
  readonly asset: string | null;
  readonly amount: bigint;
  readonly dexWallet: string | null;
  readonly dexJettonWallet: string | null;
  readonly userJettonWallet: string | null;
}

/** The columns of a liquidity withdrawal; unknown ones are null. */
export function withdrawalColumns(
  [first, second]: readonly Payout[],
  known: Partial<Record<keyof typeof NO_WITHDRAWAL, ActionValue>>,
): Pick<ActionColumns, 'type' | 'data'> {
  const columns: ActionData = {
    ...NO_WITHDRAWAL,
    ...known,
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
    [`user_jetton_wallet_${side}`]: paid.userJettonWallet,
    [`dex_jetton_wallet_${side}`]: paid.dexJettonWallet,
    [`dex_wallet_${side}`]: paid.dexWallet,
  };
}

interface PtonTransfer {
  readonly amount: bigint;
  readonly payload: Slice | undefined;
}

/** Amount and payload of a pTON transfer. */
export function readPtonTransfer(block: Block): PtonTransfer {
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
  const { asset, amount, sender, senderWallet, receiverWallet } = jettonTransferOf(transfer);
  const payout = ptonAfter(transfer);
  const paid = payout ? { asset: null, amount: readPtonTransfer(payout).amount } : { asset, amount };
  return { ...paid, dexWallet: sender, dexJettonWallet: senderWallet, userJettonWallet: receiverWallet };
}

/** The asset of a jetton master: null (TON) for pTON. */
export function tonOrJetton(jetton: string | null): string | null {
  return jetton !== null && PTON_MASTERS.has(jetton) ? null : jetton;
}

/** The asset of a wallet; undefined if unknown. */
export function assetOfWallet(interfaces: Interfaces, wallet: string | null): string | null | undefined {
  const known = wallet ? interfaces.jettonWallet(wallet) : undefined;
  return known && tonOrJetton(known.jetton);
}

/** A transfer of jettons or TON to a router. The block that starts it is named `in`. */
export const incomingTransfer: Pattern = anyOf([
  blockOf('jetton_transfer', { as: 'in' }),
  call(jetton.notify, { previous: call(pton.ton_transfer, { as: 'in' }) }),
]);

/** Reads the incoming transfer of a router. */
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
