import type { AddrVar, MsgAddress } from './tlb/msg-address.ts';

/** An address that no account of the index can have: outside the chain, or with an id of another length. */
export type UnusualAddress = Extract<MsgAddress, { readonly kind: 'extern' | 'var' }>;

/**
 * The text of such an address: `ext$<bits>:<hex>` or `var$<workchain>:<bits>:<hex>`, in hex of whole bytes, with its anycast
 * prefix applied.
 */
export function formatUnusual(address: UnusualAddress): string {
  if (address.kind === 'extern') return `ext$${lengthAndHex(address.bits, address.value)}`;
  return `var$${address.workchain}:${lengthAndHex(address.bits, rewritten(address))}`;
}

function lengthAndHex(bits: number, value: Buffer): string {
  return `${bits}:${value.toString('hex').toUpperCase()}`;
}

function rewritten({ value, anycast }: AddrVar): Buffer {
  if (anycast === undefined) return value;
  const { depth, prefix } = anycast;
  const changed = Buffer.from(value);
  for (let bit = 0; bit < depth; bit++) {
    const mask = 0x80 >> (bit & 7);
    const isSet = ((prefix >>> (depth - 1 - bit)) & 1) === 1;
    changed[bit >> 3] = isSet ? changed[bit >> 3]! | mask : changed[bit >> 3]! & ~mask;
  }
  return changed;
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
