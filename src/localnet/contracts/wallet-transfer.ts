import { type Builder, beginCell, type Cell, type MessageRelaxed, SendMode, storeOutList } from '@ton/core';
import { sign } from '@ton/crypto';
import { messageCell } from './message-parts.ts';
import { defaultWalletId, type WalletVersion } from './wallet.ts';

/** What a wallet is told to send, and the number and time that guard it. */
export interface WalletTransfer {
  readonly version: WalletVersion;
  /** 64 bytes. */
  readonly secretKey: Buffer;
  readonly seqno: number;
  readonly messages: readonly MessageRelaxed[];
  /** Unix time after which the wallet does not take it; wallets of v1 do not look. */
  readonly validUntil: number;
  readonly walletId?: number;
  readonly workchain?: number;
  /** Fees apart from the values, and a message that fails does not stop the wallet, unless said otherwise. */
  readonly mode?: number;
}

const DEFAULT_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;
const SIGNED_EXTERNAL = 0x7369676e;

/** The signed body of the external message with which a wallet sends: one message in v1, four up to v4, 255 in v5. */
export function walletTransfer(transfer: WalletTransfer): Cell {
  const { version, seqno, validUntil } = transfer;
  const unsigned = beginCell();
  const walletId = transfer.walletId ?? defaultWalletId(version, transfer.workchain);
  if (version === 'v5r1') {
    unsigned.storeUint(SIGNED_EXTERNAL, 32).storeUint(walletId, 32).storeUint(validUntil, 32);
    unsigned.storeUint(seqno, 32).store(storeActions(transfer));
    return beginCell().storeBuilder(unsigned).storeBuffer(signatureOf(unsigned, transfer)).endCell();
  }
  if (version.startsWith('v1')) unsigned.storeUint(seqno, 32);
  else if (version.startsWith('v2')) unsigned.storeUint(seqno, 32).storeUint(validUntil, 32);
  else unsigned.storeUint(walletId, 32).storeUint(validUntil, 32).storeUint(seqno, 32);
  // A simple send, not a change of plugins.
  if (version.startsWith('v4')) unsigned.storeUint(0, 8);
  for (const message of transfer.messages)
    unsigned.storeUint(transfer.mode ?? DEFAULT_MODE, 8).storeRef(messageCell(message));
  return beginCell().storeBuffer(signatureOf(unsigned, transfer)).storeBuilder(unsigned).endCell();
}

function storeActions({ messages, mode = DEFAULT_MODE }: WalletTransfer) {
  const actions = messages.map((outMsg) => ({ type: 'sendMsg' as const, mode, outMsg }));
  return (builder: Builder): void => {
    builder.storeMaybeRef(actions.length > 0 ? beginCell().store(storeOutList(actions)) : null);
    // No extended actions.
    builder.storeBit(0);
  };
}

function signatureOf(unsigned: Builder, { secretKey }: WalletTransfer): Buffer {
  return sign(unsigned.endCell().hash(), secretKey);
}
