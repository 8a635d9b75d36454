import { beginCell, Cell, type MessageRelaxed, SendMode, storeMessageRelaxed } from '@ton/core';
import { sign } from '@ton/crypto';
import {
  type ContractState,
  contractState,
  externalMessage,
} from '../../../src/localnet/contracts/contract.ts';
import walletCodes from '../../../src/localnet/contracts/wallet-codes.json' with { type: 'json' };

const SUBWALLET_ID = 0x10ad;
const TIMEOUT_SECONDS = 7200;

/** A highload wallet v3: it remembers queries instead of counting them. */
export function highloadWallet(publicKey: Buffer): ContractState {
  const data = beginCell()
    .storeBuffer(publicKey)
    .storeUint(SUBWALLET_ID, 32)
    // No queries yet, of the present and the last period, and the time of the last clean-up.
    .storeBit(0)
    .storeBit(0)
    .storeUint(0, 64)
    .storeUint(TIMEOUT_SECONDS, 22)
    .endCell();
  return contractState(Cell.fromBase64(walletCodes.highload_v3r1.boc), data);
}

interface HighloadTransfer {
  readonly secretKey: Buffer;
  readonly queryId: number;
  /** Unix seconds, not after the block that takes the message. */
  readonly createdAt: number;
  readonly message: MessageRelaxed;
}

/** The external message that deploys a highload wallet, if it is not yet, and sends one message from it. */
export function highloadTransfer(
  wallet: ContractState,
  { secretKey, queryId, createdAt, message }: HighloadTransfer,
): Cell {
  const inner = beginCell()
    .storeUint(SUBWALLET_ID, 32)
    .storeRef(beginCell().store(storeMessageRelaxed(message)))
    .storeUint(SendMode.PAY_GAS_SEPARATELY, 8)
    .storeUint(queryId, 23)
    .storeUint(createdAt, 64)
    .storeUint(TIMEOUT_SECONDS, 22)
    .endCell();
  const body = beginCell().storeBuffer(sign(inner.hash(), secretKey)).storeRef(inner).endCell();
  return externalMessage(wallet, body);
}
