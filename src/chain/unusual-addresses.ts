import type { MsgAddress } from './tlb/msg-address.ts';

/** An address that no account of the index can have: outside the chain, or with an id of another length. */
export type UnusualAddress = Extract<MsgAddress, { readonly kind: 'extern' | 'var' }>;

/** The text of such an address: `ext$<bits>:<hex>` or `var$<workchain>:<bits>:<hex>`, in hex of whole bytes. */
export function formatUnusual(address: UnusualAddress): string {
  const { bits, value } = address;
  const end = `${bits}:${value.toString('hex').toUpperCase()}`;
  return address.kind === 'extern' ? `ext$${end}` : `var$${address.workchain}:${end}`;
}

const FORM = /^(?:ext\$|var\$(-?[0-9]{1,10}):)([0-9]{1,3}):((?:[0-9a-fA-F]{2})*)$/;
const MAX_BITS = 511;
const MIN_WORKCHAIN = -(2 ** 31);
const MAX_WORKCHAIN = 2 ** 31 - 1;

/** Whether a text is such an address: as many bytes as its bits need, with zeros behind them. */
export function isUnusual(text: string): boolean {
  const [, workchain = '0', length, hex] = FORM.exec(text) ?? [];
  if (hex === undefined) return false;
  const [bits, value] = [Number(length), Buffer.from(hex, 'hex')];
  if (bits > MAX_BITS || value.length !== Math.ceil(bits / 8)) return false;
  const unused = value.length * 8 - bits;
  const isPadded = unused === 0 || (value.at(-1)! & ((1 << unused) - 1)) === 0;
  return isPadded && Number(workchain) >= MIN_WORKCHAIN && Number(workchain) <= MAX_WORKCHAIN;
}
