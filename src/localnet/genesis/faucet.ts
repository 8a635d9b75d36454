import type { Address } from '@ton/core';
import { mnemonicToPrivateKey } from '@ton/crypto';
import type { ContractState } from '../contracts/contract-state.ts';
import { wallet } from '../contracts/wallet.ts';

/**
 * The words of the wallets that have money from the start. They are public on purpose: everybody may use that money,
 * which is worth nothing. Never send anything of value to these addresses on another network.
 */
const FAUCET_MNEMONIC: readonly string[] = [
  ...['debate', 'loan', 'output', 'since', 'marble', 'move', 'plate', 'shop', 'profit', 'face', 'whale'],
  ...['danger', 'enlist', 'ride', 'between', 'pumpkin', 'segment', 'fiscal', 'vote', 'speak', 'smart'],
  ...['coin', 'tiger', 'index'],
];

/** A wallet that has money from the start. */
export interface FundedWallet {
  readonly version: 'v4r2';
  readonly mnemonic: readonly string[];
  readonly publicKey: Buffer;
  /** 64 bytes. */
  readonly secretKey: Buffer;
  readonly address: Address;
  readonly init: ContractState['init'];
}

/** The wallets of the public words: in the basechain, and in the masterchain the one that has an extra currency. */
export async function openFaucets(): Promise<{ basechain: FundedWallet; masterchain: FundedWallet }> {
  const { publicKey, secretKey } = await mnemonicToPrivateKey([...FAUCET_MNEMONIC]);
  const open = (workchain: number): FundedWallet => ({
    version: 'v4r2',
    mnemonic: FAUCET_MNEMONIC,
    publicKey,
    secretKey,
    ...wallet({ version: 'v4r2', publicKey, workchain }),
  });
  return { basechain: open(0), masterchain: open(-1) };
}
