import { hash } from 'node:crypto';
import { Address, beginCell } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { type ContractState, contractState } from '../../src/localnet/contracts/contract.ts';
import { jettonMinter, jettonWallet } from '../../src/localnet/contracts/jetton.ts';
import { wallet } from '../../src/localnet/contracts/wallets.ts';

/** How much there is on the chain: cold questions are cold only while there are more accounts than answers a block. */
const WALLETS = 2048;
const JETTON_WALLETS = 2048;
export const PAYMENTS = 1000;
const TAKERS = 64;

/** SETCP0 ACCEPT: takes every message from outside. */
const TAKE_ALL = beginCell().storeBuffer(Buffer.from('FF00F800', 'hex')).endCell();

/** What the benchmark asks about. */
export interface Content {
  readonly wallets: readonly ContractState[];
  readonly minter: ContractState;
  readonly jettonWallets: readonly ContractState[];
  /** Has a long history of payments. */
  readonly shop: ContractState;
  /** Contracts that take every message from outside. */
  readonly takers: readonly ContractState[];
}

/** The keys of the wallet from which everything is paid. */
export const PAYER_KEYS = keyPairFromSeed(digest('payer'));
export const PAYER = wallet({ version: 'v5r1', publicKey: PAYER_KEYS.publicKey });

/** The same contracts in every process. */
export function createContent(): Content {
  const minter = jettonMinter({ admin: null, content: beginCell().endCell() });
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));
  return {
    wallets: many(WALLETS, (index) => wallet({ version: 'v4r2', publicKey: digest(`wallet ${index}`) })),
    minter,
    jettonWallets: many(JETTON_WALLETS, (index) =>
      jettonWallet({ minter: minter.address, owner: ownerOf(index) }),
    ),
    shop: wallet({ version: 'v4r2', publicKey: digest('shop') }),
    takers: many(TAKERS, (index) => contractState(TAKE_ALL, beginCell().storeUint(index, 32).endCell())),
  };
}

/** An address that is never the same for two numbers. */
export function ownerOf(index: number): Address {
  return new Address(0, digest(`owner ${index}`));
}

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
