import { Address, BitString, type Builder, beginCell, ExternalAddress } from '@ton/core';

/** Where chance comes from: a whole number from 0 to `limit - 1`. */
export type Below = (limit: number) => number;

/** How values are chosen: plain ones are small, so that everything fits into its cell. */
export interface Choice {
  readonly below: Below;
  readonly plain: boolean;
}

/** A number of so many bits: often one at the edge of what fits. */
export function makeNumber({ below }: Choice, bits: number): bigint {
  const limit = 1n << BigInt(bits);
  const edge = below(6);
  if (edge === 0) return 0n;
  if (edge === 1) return limit - 1n;
  let value = 0n;
  for (let left = bits; left > 0; left -= 16) value = (value << 16n) | BigInt(below(65536));
  return value % limit;
}

/** Stores a signed number, and gives it. */
export function putInt(builder: Builder, choice: Choice, bits: number): string {
  const value = BigInt.asIntN(bits, makeNumber(choice, bits));
  builder.storeInt(value, bits);
  return String(value);
}

/** Stores bits, and gives them in hex. */
export function putBits(builder: Builder, choice: Choice, bits: number): string {
  const bytes = Buffer.from(Array.from({ length: Math.ceil(bits / 8) }, () => choice.below(256)));
  const value = new BitString(bytes, 0, bits);
  builder.storeBits(value);
  return value.toString();
}

/** Stores a number of whole bytes after its length. */
export function putVarUint(builder: Builder, choice: Choice, lengthBits: number): object {
  const bytes = choice.plain ? choice.below(3) : choice.below(2 ** lengthBits);
  // The length need not be the least possible.
  const value = makeNumber(choice, bytes * 8);
  builder.storeUint(bytes, lengthBits).storeUint(value, bytes * 8);
  return { '@type': 'var_uint', len: String(bytes), value: String(value) };
}

/** Stores an address of an allowed kind. */
export function putAddress(
  builder: Builder,
  choice: Choice,
  allowed: 'any' | 'internal' | 'external',
): object {
  const { below, plain } = choice;
  const kinds = {
    any: ['none', 'external', 'std', 'var'],
    internal: ['std', 'var'],
    external: ['none', 'external'],
  };
  const kind = plain
    ? allowed === 'external'
      ? 'none'
      : 'std'
    : kinds[allowed][below(kinds[allowed].length)];
  if (kind === 'none') {
    builder.storeAddress(null);
    return { '@type': 'addr_none' };
  }
  if (kind === 'external') {
    const bits = below(100);
    const value = makeNumber(choice, bits);
    builder.storeAddress(new ExternalAddress(value, bits));
    const shown = beginCell().storeUint(value, bits).endCell().bits.toString();
    return { '@type': 'addr_external', len: String(bits), external_address: shown };
  }
  if (kind === 'std' && (plain || below(3) > 0)) {
    const [workchain, hash] = [below(3) - 1, Buffer.from(Array.from({ length: 32 }, () => below(256)))];
    builder.storeAddress(new Address(workchain, hash));
    const address = hash.toString('hex').toUpperCase();
    return { '@type': 'addr_std', anycast: NOTHING, workchain_id: String(workchain), address };
  }
  builder.storeUint(kind === 'std' ? 0b10 : 0b11, 2);
  const anycast = putAnycast(builder, choice);
  if (kind === 'std')
    return {
      '@type': 'addr_std',
      anycast,
      workchain_id: putInt(builder, choice, 8),
      address: putBits(builder, choice, 256),
    };
  const bits = below(80);
  builder.storeUint(bits, 9);
  return {
    ...{ '@type': 'addr_var', anycast, addr_len: String(bits) },
    workchain_id: putInt(builder, choice, 32),
    address: putBits(builder, choice, bits),
  };
}

export const NOTHING = { '@type': 'nothing_from_maybe' };

function putAnycast(builder: Builder, choice: Choice): object {
  const depth = choice.below(31);
  builder.storeBit(depth > 0);
  if (depth === 0) return NOTHING;
  builder.storeUint(depth, 5);
  const value = {
    '@type': 'anycast_info',
    depth: String(depth),
    rewrite_pfx: putBits(builder, choice, depth),
  };
  return { '@type': 'something_from_maybe', value };
}
