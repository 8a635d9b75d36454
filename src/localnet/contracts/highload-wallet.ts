import { beginCell, type Cell, type MessageRelaxed, SendMode } from '@ton/core';
import { sign } from '@ton/crypto';
import { codeCell } from './compiled-code.ts';
import { type ContractState, contractState } from './contract-state.ts';
import { KNOWN_WALLET_CODES } from './known-wallet-codes.ts';
import { messageCell } from './message-parts.ts';

const HIGHLOAD_WALLET_ID = 0x10ad;
const HIGHLOAD_TIMEOUT_SECONDS = 3600;
const LAST_BIT = 1022;

/** A highload wallet (v3), which takes messages in any order; in the basechain only. */
export function highloadWallet(options: {
  readonly publicKey: Buffer;
  readonly walletId?: number;
  readonly timeoutSeconds?: number;
}): ContractState {
  const data = beginCell()
    .storeBuffer(options.publicKey, 32)
    .storeUint(options.walletId ?? HIGHLOAD_WALLET_ID, 32)
    // No queries yet, old or new.
    .storeUint(0, 2)
    .storeUint(0, 64)
    .storeUint(options.timeoutSeconds ?? HIGHLOAD_TIMEOUT_SECONDS, 22)
    .endCell();
  return contractState(codeCell(KNOWN_WALLET_CODES.highload_v3r1), data);
}

/** The signed body of the external message with which a highload wallet sends. */
export function highloadTransfer(options: {
  /** 64 bytes. */
  readonly secretKey: Buffer;
  /** From 0 on, each once within the timeout. */
  readonly queryNumber: number;
  /** Unix time, at most the timeout ago and in the past. */
  readonly createdAt: number;
  readonly message: MessageRelaxed;
  readonly mode?: number;
  readonly walletId?: number;
  readonly timeoutSeconds?: number;
}): Cell {
  const shift = Math.floor(options.queryNumber / (LAST_BIT + 1));
  const unsigned = beginCell()
    .storeUint(options.walletId ?? HIGHLOAD_WALLET_ID, 32)
    .storeRef(messageCell(options.message))
    .storeUint(options.mode ?? SendMode.PAY_GAS_SEPARATELY, 8)
    .storeUint(shift, 13)
    .storeUint(options.queryNumber % (LAST_BIT + 1), 10)
    .storeUint(options.createdAt, 64)
    .storeUint(options.timeoutSeconds ?? HIGHLOAD_TIMEOUT_SECONDS, 22)
    .endCell();
  return beginCell().storeBuffer(sign(unsigned.hash(), options.secretKey)).storeRef(unsigned).endCell();
}
