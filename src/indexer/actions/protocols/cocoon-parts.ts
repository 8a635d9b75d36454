import { formatRaw } from '../../../chain/address/format-address.ts';
import type { Slice } from '../../../chain/boc/slice.ts';
import { readMsgAddress } from '../../../chain/tlb/msg-address.ts';
import { call, type Pattern } from '../pattern.ts';
import { NotThis } from '../rule.ts';

const EXCESS = 0x2565934c;
const PAYOUT = 0xc59a7cd3;
const CLIENT_TO_PROXY = 0x65448ff4;

/** What is left over, sent back. */
export const excess = call(EXCESS);

/** The same where it may be missing. */
export const someExcess = call(EXCESS, { optional: true });

/** Money for the owner of a contract. */
export const payout = call(PAYOUT, { as: 'payout' });

/** A client's contract tells the proxy something, which answers in this way. */
export function toldProxy(...answers: readonly Pattern[]): Pattern {
  return call(CLIENT_TO_PROXY, { as: 'told', next: answers });
}

/** An address of any kind as text: one outside the chain is its number of bits and their value. */
export function readAnyAddress(slice: Slice): string | null {
  const address = readMsgAddress(slice);
  switch (address.kind) {
    case 'none':
      return null;
    case 'std':
      return formatRaw({ workchain: address.workchain, hash: address.hash }, 'upper');
    case 'extern': {
      const value = BigInt(`0x0${address.value.toString('hex')}`) >> BigInt(-address.bits & 7);
      return `${address.bits};${value.toString(16)}`;
    }
    default:
      throw new NotThis('an address of a kind that nobody uses');
  }
}
