import { type Address, type Cell, internal, type MessageRelaxed } from '@ton/core';
import type { ContractState } from '../contracts/contract.ts';
import { type WalletVersion, walletMessage } from '../contracts/wallets.ts';
import type { FundedWallet } from '../genesis/keys.ts';
import { contractData, type DemoChain } from './demo-chain.ts';
import type { DemoWallet, DemoWallets, StakerWallets } from './demo-wallets.ts';

/**
 * When something happens: all that follows from the deeds of a round is delivered before the next begins. The bank gets
 * its money in round 0 and in round 1 hands it out and deploys what others need; in round 2 every other wallet sends
 * its first message, which deploys it. From round 5 on only stakers and bidders act.
 */
type Round = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

type Sends = readonly MessageRelaxed[] | ((chain: DemoChain) => readonly MessageRelaxed[]);

/** An act of a wallet; everything it does in a round goes out in one external message. */
export type WalletStep = Readonly<ReturnType<typeof step>>;

/** Declares an act of a wallet; `what` is one sentence for the reader of the plan. */
export function step(round: Round, by: DemoWallet, what: string, sends: Sends) {
  return { round, by, what, sends };
}

/** Something that has to happen before a round, by the passing of time. */
export type Wait = Readonly<ReturnType<typeof wait>>;

/** Declares a wait: the clock is moved to a unix time, then blocks are made until it is over. */
export function wait(
  round: Round,
  what: string,
  until: (chain: DemoChain) => number,
  isOver = (chain: DemoChain): boolean => chain.now() >= until(chain),
) {
  return { round, what, until, isOver };
}

/** Something that an external message triggers. */
export interface DemoStep {
  readonly what: string;
  /** Whether the chain shows that it was done. */
  isDone(chain: DemoChain): boolean;
  message(chain: DemoChain): Cell;
}

/** A step that is not sent by an ordinary demo wallet. */
export interface CustomStep extends DemoStep {
  readonly round: Round;
}

/** A part of the demo about one subject. */
export interface Story {
  /** Its contracts by name. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly steps: readonly (WalletStep | CustomStep)[];
  /** In this order before their rounds. */
  readonly waits?: readonly Wait[];
}

export interface StoryContext {
  readonly wallets: DemoWallets;
  readonly stakers: StakerWallets;
  /** Wallets funded in the zero state. */
  readonly faucets: { readonly basechain: FundedWallet; readonly masterchain: FundedWallet };
  /** Unix seconds. */
  readonly genesisTime: number;
}

/** A message to a contract; `ton` is in TON, as in the next ones. */
export function send(to: Address, ton: string, body?: Cell): MessageRelaxed {
  return internal({ to, value: ton, body });
}

/** A message that deploys a contract. */
export function deploy({ address, init }: ContractState, ton: string, body?: Cell): MessageRelaxed {
  return internal({ to: address, value: ton, init, body });
}

/** A payment to a wallet that need not be deployed yet. */
export function pay({ address }: { readonly address: Address }, ton: string, body?: Cell): MessageRelaxed {
  return internal({ to: address, value: ton, bounce: false, body });
}

/**
 * The act of a wallet with a message of a given number, its first being 0. The number makes that it happens once: a
 * wallet that has counted further has done it, however the demo was interrupted.
 */
export function walletStep(
  wallet: DemoWallet,
  seqno: number,
  what: string,
  sends: readonly Sends[],
): DemoStep {
  const max = maxMessages(wallet.version);
  return {
    what,
    isDone: (chain) => seqnoOf(chain, wallet) > seqno,
    message(chain) {
      const { secretKey } = wallet.keys;
      const messages = sends.flatMap((some) => (typeof some === 'function' ? some(chain) : some));
      if (messages.length > max)
        throw new Error(`${wallet.name} sends ${messages.length} messages at once, of at most ${max}`);
      const transfer = { seqno, messages, now: chain.now() };
      return walletMessage({ ...wallet, secretKey }, transfer, seqno === 0 ? wallet.init : undefined);
    },
  };
}

/** Seqno that a wallet expects next: 0 before it is deployed. */
export function seqnoOf(
  chain: DemoChain,
  { address, version }: Pick<DemoWallet, 'address' | 'version'>,
): number {
  const data = contractData(chain, address)?.beginParse();
  // The first bit of v5 data says that signatures are allowed.
  return data?.skip(version === 'v5r1' ? 1 : 0).loadUint(32) ?? 0;
}

function maxMessages(version: WalletVersion): number {
  if (version === 'v5r1') return 255;
  return version.startsWith('v1') ? 1 : 4;
}

/** Sends something from a faucet. Faucets are used by everybody, so their seqnos prove nothing. */
export function faucetStep(
  faucet: FundedWallet,
  message: MessageRelaxed,
  { what, isDone }: Pick<CustomStep, 'what' | 'isDone'>,
): CustomStep {
  return {
    round: 0,
    what,
    isDone,
    message: (chain) =>
      walletMessage(faucet, { seqno: seqnoOf(chain, faucet), messages: [message], now: chain.now() }),
  };
}
