import type { Address, Cell, MessageRelaxed } from '@ton/core';
import type { FundedWallet } from '../genesis/faucet.ts';
import type { DemoChain } from './demo-chain.ts';
import type { DemoWallet, DemoWallets } from './demo-wallet.ts';

/**
 * When something happens: all that follows from the deeds of a round is delivered before the next begins. The bank gets
 * its money in round 0 and in round 1 hands it out and deploys what others need; in round 2 every other wallet sends
 * its first message, which deploys it.
 */
export type Round = 0 | 1 | 2 | 3 | 4;

/** What a wallet does; all that one does in a round goes out in one message from outside. */
export interface WalletDeed {
  readonly round: Round;
  /** One sentence. */
  readonly what: string;
  readonly by: DemoWallet;
  readonly sends: readonly MessageRelaxed[];
}

/** Something that a message from outside sets off. */
export interface Act {
  /** One sentence or more. */
  readonly what: string;
  /** Whether the chain shows that it happened. */
  isDone(chain: DemoChain): boolean;
  /** The message from outside. */
  message(chain: DemoChain): Cell;
}

/** Something that is not done by an ordinary wallet of the demo. */
export interface OtherDeed extends Act {
  readonly round: Round;
}

/** A part of the demo about one thing. */
export interface Story {
  /** Its contracts by their names. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly deeds: readonly (WalletDeed | OtherDeed)[];
}

/** What a story is made from. */
export interface Scene {
  readonly wallets: DemoWallets;
  /** The wallets that have money from the start. */
  readonly faucets: { readonly basechain: FundedWallet; readonly masterchain: FundedWallet };
  /** Unix seconds at which the chain began. */
  readonly beginning: number;
}
