import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import type { WalletLayout } from './wallet-codes.ts';

/** What a wallet's data says; what this kind of wallet does not keep is undefined. */
export interface WalletData {
  readonly seqno: number | undefined;
  /** Unsigned; some answers show it as a signed number of 32 bits. */
  readonly walletId: number | undefined;
  readonly signatureAllowed: boolean | undefined;
  readonly publicKey: Buffer;
}

/** Reads the data of a wallet; undefined if it is too short or not there (-1), so that the account is no wallet. */
export function readWallet(layout: WalletLayout, cells: Cells, data: number): WalletData | undefined {
  if (data < 0) return undefined;
  try {
    const slice = new Slice(cells, data);
    const at = (bit: number): Slice => {
      slice.bit = bit;
      return slice;
    };
    const { signatureAllowed, seqno, walletId, publicKey } = layout;
    return {
      seqno: seqno === undefined ? undefined : at(seqno).uint(32),
      walletId: walletId === undefined ? undefined : at(walletId).uint(32),
      signatureAllowed: signatureAllowed === undefined ? undefined : at(signatureAllowed).boolean(),
      publicKey: at(publicKey).hash(),
    };
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}
