import { accountOf, type MsgAddress } from '../tlb/msg-address.ts';

/** Bytes of an account: its workchain as one signed byte, then its hash. */
export const ACCOUNT_BYTES = 33;

/** An account as 33 bytes. */
export function accountKey(workchain: number, hash: Uint8Array): Buffer {
  const key = Buffer.allocUnsafe(ACCOUNT_BYTES);
  key[0] = workchain;
  for (let i = 0; i < 32; i++) key[1 + i] = hash[i]!;
  return key;
}

/** The account that an address means; undefined for no address, one outside the chain, or one of another length. */
export function accountKeyOf(address: MsgAddress): Buffer | undefined {
  return address.kind === 'std' ? accountKey(address.workchain, accountOf(address)) : undefined;
}
