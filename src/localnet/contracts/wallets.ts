import {
  type Address,
  type Builder,
  beginCell,
  Cell,
  type MessageRelaxed,
  SendMode,
  storeOutList,
} from '@ton/core';
import { signWithSeed } from '../../lib/ed25519.ts';
import { type ContractState, contractState, externalMessage, messageCell } from './contract.ts';
import walletCodes from './wallet-codes.json' with { type: 'json' };

/**
 * Code of a wallet that everybody knows by its hash, as its makers compiled it. Publicly given in the packages @ton/ton (v1
 * to v3, v4 r2, v5 r1) and tonweb (v4 r1, highload v3, vesting).
 */
export function walletCode(name: keyof typeof walletCodes): Cell {
  return Cell.fromBase64(walletCodes[name].boc);
}

/** Standard wallets: one key, sequential messages. */
export type WalletVersion = Exclude<keyof typeof walletCodes, 'highload_v3r1' | 'vesting'>;

interface WalletOptions {
  readonly version: WalletVersion;
  readonly publicKey: Buffer;
  readonly workchain?: number;
  /** Distinguishes wallets of one key, from v3 on; default `defaultWalletId`. */
  readonly walletId?: number;
}

const FIRST_WALLET_ID = 698983191;
const MAINNET_GLOBAL_ID = -239;

/** Wallet id that wallet apps use: from v5 on it depends on the network; unsigned 32 bits. */
export function defaultWalletId(
  version: WalletVersion,
  workchain = 0,
  networkGlobalId = MAINNET_GLOBAL_ID,
): number {
  if (version !== 'v5r1') return FIRST_WALLET_ID + workchain;
  // A bit for wallets of clients, the workchain, then the version and the subwallet, which are 0.
  const context = 0x8000_0000 | ((workchain & 0xff) << 23);
  return (context ^ networkGlobalId) >>> 0;
}

/** A standard wallet before its first message. */
export function wallet(options: WalletOptions): ContractState {
  return contractState(walletCode(options.version), walletData(options), options.workchain);
}

function walletData({ version, publicKey, workchain, walletId }: WalletOptions): Cell {
  const id = walletId ?? defaultWalletId(version, workchain);
  const data = beginCell();
  if (version === 'v5r1') data.storeBit(1);
  data.storeUint(0, 32);
  if (!version.startsWith('v1') && !version.startsWith('v2')) data.storeUint(id, 32);
  data.storeBuffer(publicKey, 32);
  // No plugins or extensions yet.
  if (version.startsWith('v4') || version === 'v5r1') data.storeBit(0);
  return data.endCell();
}

interface WalletTransfer {
  readonly version: WalletVersion;
  /** 64 bytes. */
  readonly secretKey: Buffer;
  readonly seqno: number;
  readonly messages: readonly MessageRelaxed[];
  /** Unix time after which the wallet rejects it; ignored by v1. */
  readonly validUntil: number;
  readonly walletId?: number;
  readonly workchain?: number;
  /** Default: fees are paid separately, and errors of one message are ignored. */
  readonly mode?: number;
}

/** How long an external message may wait for a block. */
export const VALID_SECONDS = 600;

const DEFAULT_MODE = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;
const SIGNED_EXTERNAL = 0x7369676e;

/** Signed body of a wallet's external message: one message in v1, four up to v4, 255 in v5. */
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

/** External message of a wallet, valid for ten minutes; `init` deploys it. */
export function walletMessage(
  {
    version,
    address,
    secretKey,
  }: Pick<WalletTransfer, 'version' | 'secretKey'> & { readonly address: Address },
  { now, ...transfer }: Pick<WalletTransfer, 'seqno' | 'messages'> & { readonly now: number },
  init?: ContractState['init'],
): Cell {
  const validUntil = now + VALID_SECONDS;
  const workchain = address.workChain;
  return externalMessage(
    { address, init },
    walletTransfer({ version, secretKey, ...transfer, validUntil, workchain }),
  );
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
  return signWithSeed(secretKey, unsigned.endCell().hash());
}

const HIGHLOAD_WALLET_ID = 0x10ad;
const HIGHLOAD_TIMEOUT_SECONDS = 3600;
const LAST_BIT = 1022;
const MAX_SHIFT = 2 ** 13 - 1;

/** How many query numbers a highload wallet tells apart. */
export const HIGHLOAD_QUERIES = (MAX_SHIFT + 1) * (LAST_BIT + 1);

/** A highload wallet (v3), which accepts messages in any order; basechain only. */
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
  return contractState(walletCode('highload_v3r1'), data);
}

/** Signed body of a highload wallet's external message. */
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
  return beginCell()
    .storeBuffer(signWithSeed(options.secretKey, unsigned.hash()))
    .storeRef(unsigned)
    .endCell();
}
