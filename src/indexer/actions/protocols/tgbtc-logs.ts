import type { Block } from '../block.ts';
import { readAccount, tryRead } from '../read-body.ts';

export const MINT_LOG = 0x77a80ef3;
export const BURN_LOG = 0xca444ce6;
export const NEW_KEY_LOG = 0x27756729;
export const KEY_MADE_LOG = 0x453443a6;

/** Bitcoins arrived, and jettons were made for them. */
export interface MintLog {
  readonly amount: bigint;
  readonly recipient: string | null;
  /** The transaction of Bitcoin as its explorers write it. */
  readonly txid: string;
}

/** Reads the log of a mint. */
export function readMintLog(log: Block): MintLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  const recipient = readAccount(body);
  return { amount, recipient, txid: body.hash().reverse().toString('hex') };
}

/** Jettons were destroyed, to be paid out as bitcoins. */
export interface BurnLog {
  readonly amount: bigint;
  readonly sender: string | null;
  /** The contract that pays the bitcoins out. */
  readonly pegout: string | null;
}

/** Reads the log of a burn; an address that is not one of an account is left out. */
export function readBurnLog(log: Block): BurnLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  const sender = tryRead(() => readAccount(body)) ?? null;
  return { amount, sender, pegout: tryRead(() => readAccount(body)) ?? null };
}

/** The bitcoins go to a new key. */
export interface NewKeyLog {
  readonly amount: bigint;
  readonly key: string;
  readonly pegout: string | null;
}

/** Reads the log of a new key. */
export function readNewKeyLog(log: Block): NewKeyLog {
  const body = log.bodyAfterOpcode();
  const amount = body.coins();
  return { amount, key: body.bigUint(256).toString(16), pegout: readAccount(body) };
}

/** The signers have made a key together. */
export interface KeyMadeLog {
  readonly time: bigint;
  readonly key: string;
}

/** Reads the log of a key that was made. */
export function readKeyMadeLog(log: Block): KeyMadeLog {
  const body = log.bodyAfterOpcode();
  return { time: body.uint64(), key: body.bigUint(256).toString(16) };
}
