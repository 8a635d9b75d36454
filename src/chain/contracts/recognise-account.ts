import { CellFault } from '../boc/cell-fault.ts';
import type { Cells } from '../boc/cells.ts';
import { Slice } from '../boc/slice.ts';
import { type AccountKind, accountKindOf } from './account-kinds.ts';
import { type PaymentChannel, readPaymentChannel } from './payment-channel.ts';
import { type RestrictedWallet, readRestrictedWallet } from './restricted-wallet.ts';

/** An account as clients of v2 see it, with what its data says. */
export type RecognisedAccount = { readonly revision: number } & (
  | { readonly kind: 'uninited' | 'raw' }
  | {
      readonly kind: 'wallet.v3' | 'wallet.v4' | 'wallet.highload.v1';
      readonly walletId: number;
      readonly seqno: number;
    }
  | { readonly kind: 'wallet.highload.v2' | 'dns'; readonly walletId: number }
  | { readonly kind: 'rwallet'; readonly wallet: RestrictedWallet }
  | { readonly kind: 'pchan'; readonly channel: PaymentChannel }
);

const UNINITED: RecognisedAccount = Object.freeze({ kind: 'uninited', revision: 0 });
const RAW: RecognisedAccount = Object.freeze({ kind: 'raw', revision: 0 });

/**
 * Tells what an account is by its code, and reads its data; cells are numbers, -1 where there is none. An account with
 * data that does not fit its code is shown raw.
 */
export function recogniseAccount(cells: Cells, code: number, data: number): RecognisedAccount {
  if (code < 0) return UNINITED;
  const known = accountKindOf(cells.hash(code, 0));
  if (known === undefined) return RAW;
  try {
    return readKnown(known, cells, data);
  } catch (error) {
    if (error instanceof CellFault) return RAW;
    throw error;
  }
}

function readKnown({ kind, revision }: AccountKind, cells: Cells, data: number): RecognisedAccount {
  if (kind === 'wallet.highload.v2' || kind === 'dns')
    return { kind, revision, walletId: data < 0 ? 0 : new Slice(cells, data).uint(32) };
  if (data < 0) return RAW;
  if (kind === 'rwallet') return { kind, revision, wallet: readRestrictedWallet(cells, data) };
  if (kind === 'pchan') return { kind, revision, channel: readPaymentChannel(cells, data) };
  const slice = new Slice(cells, data);
  const seqno = slice.uint(32);
  return { kind, revision, walletId: slice.uint(32), seqno };
}
