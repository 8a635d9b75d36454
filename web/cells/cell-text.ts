import { toHex } from '../show/address-forms.ts';
import { shortened } from '../show/hash.tsx';
import type { Cell } from './boc.ts';

const MAX_HEX_CHARS = 64;

export function cellText({ bits, bitLength, refs, isExotic }: Cell): string {
  const more =
    refs.length === 0 ? '' : refs.length === 1 ? ' and 1 reference' : ` and ${refs.length} references`;
  if (bitLength === 0) return refs.length === 0 ? 'empty cell' : `no bits${more}`;
  const hex = shortened(toHex(bits), MAX_HEX_CHARS / 2, MAX_HEX_CHARS / 2);
  return `${isExotic ? 'exotic ' : ''}${bitLength} bits: ${hex}${more}`;
}
