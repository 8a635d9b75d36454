import type { Cells } from '../../chain/boc/cells.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import type { AccountPlace } from '../emulation-ground.ts';

/** A message that has yet to be delivered; one that a transaction sent lies in the cells of that transaction. */
export type WaitingMessage = {
  readonly hash: Buffer;
  readonly to: AccountPlace;
  /** When it was sent; of no meaning for one from outside. */
  readonly lt: bigint;
  readonly isExternal: boolean;
  /** The place of the transaction that sent it; undefined for one that the emulation starts with. */
  readonly parent: number | undefined;
  /** Messages before it. */
  readonly depth: number;
} & ({ readonly boc: Uint8Array } | { readonly cells: Cells; readonly cell: number });

/** A message as a bag of cells. */
export function bocOf(message: WaitingMessage): Uint8Array {
  if ('boc' in message) return message.boc;
  return writeBoc({ cells: message.cells, roots: [message.cell] }, { order: 'core', crc: false });
}
