import { beginCell, type Cell } from '@ton/core';
import { codeCell } from './compiled-code.ts';
import { type ContractState, contractState } from './contract-state.ts';
import { KNOWN_WALLET_CODES } from './known-wallet-codes.ts';

/** The ordinary wallets: one key, one message after another. */
export type WalletVersion =
  | 'v1r1'
  | 'v1r2'
  | 'v1r3'
  | 'v2r1'
  | 'v2r2'
  | 'v3r1'
  | 'v3r2'
  | 'v4r1'
  | 'v4r2'
  | 'v5r1';

/** What makes an ordinary wallet. */
export interface WalletOptions {
  readonly version: WalletVersion;
  readonly publicKey: Buffer;
  readonly workchain?: number;
  /** Tells wallets of one key apart, from v3 on; `defaultWalletId` unless said otherwise. */
  readonly walletId?: number;
}

const FIRST_WALLET_ID = 698983191;
const MAINNET_GLOBAL_ID = -239;

/** The wallet id that wallet apps use: from v5 on it depends on the network, as unsigned 32 bits. */
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

/** An ordinary wallet before its first message. */
export function wallet(options: WalletOptions): ContractState {
  return contractState(codeCell(KNOWN_WALLET_CODES[options.version]), walletData(options), options.workchain);
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
