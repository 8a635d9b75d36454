import type { ActionData } from '../action.ts';
import type { Block, BlockContent } from '../block.ts';
import { jettonTransferOf } from './jetton-transfer.ts';

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
    ...{ asset, amount, source: sender, sourceWallet: senderWallet },
    ...{ destination: receiver, destinationWallet: receiverWallet },
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
    ...{ amount, asset, source, destination },
    source_jetton_wallet: transfer.sourceWallet,
    destination_jetton_wallet: transfer.destinationWallet,
  };
}

function peerColumns({ assetIn, amountIn, assetOut, amountOut }: PeerSwap): ActionData {
  return { asset_in: assetIn, amount_in: amountIn, asset_out: assetOut, amount_out: amountOut };
}
