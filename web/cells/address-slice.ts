import type { AccountAddress } from '../show/address-forms.ts';
import { toBase64 } from '../show/address-forms.ts';
import { writeSingleCell } from './boc.ts';

const ADDRESS_BITS = 2 + 1 + 8 + 256;

/** An address as a slice for a get-method: a bag of cells in base64. */
export function addressSlice({ workchain, hex }: AccountAddress): string {
  const bits = `100${(workchain & 255).toString(2).padStart(8, '0')}${BigInt(`0x${hex}`).toString(2).padStart(256, '0')}`;
  const bytes = Uint8Array.from({ length: Math.ceil(ADDRESS_BITS / 8) }, (_, i) =>
    Number.parseInt(bits.slice(i * 8, i * 8 + 8).padEnd(8, '0'), 2),
  );
  return toBase64(writeSingleCell(bytes, ADDRESS_BITS));
}
