import { type Address, beginCell, type Cell, external, type MessageRelaxed, storeMessage } from '@ton/core';
import type { ContractState } from '../contracts/contract.ts';
import { type WalletVersion, walletTransfer } from '../contracts/wallets.ts';
import type { FundedWallet } from '../genesis/keys.ts';
import { contractData, type DemoChain } from './demo-chain.ts';
import type { DemoWallet, DemoWallets, StakerWallets } from './demo-wallets.ts';

/**
 * When something happens: all that follows from the deeds of a round is delivered before the next begins. The bank gets
 * its money in round 0 and in round 1 hands it out and deploys what others need; in round 2 every other wallet sends
 * its first message, which deploys it. From round 5 on only stakers and bidders act.
 */
type Round = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11;

/** Messages of a wallet, which may depend on the chain. */
type Sends = readonly MessageRelaxed[] | ((chain: DemoChain) => readonly MessageRelaxed[]);

/** An act of a wallet; everything it does in a round goes out in one external message. */
export interface WalletStep {
  readonly round: Round;
  /** One sentence, for the reader of the plan. */
  readonly what: string;
  readonly by: DemoWallet;
  readonly sends: Sends;
}

/** Declares an act of a wallet. */
export function step(round: Round, by: DemoWallet, what: string, sends: Sends): WalletStep {
  return { round, by, what, sends };
}

/** Something that has to happen before a round, by the passing of time. */
export interface Wait {
  readonly round: Round;
  /** The event, one sentence. */
  readonly what: string;
  /** The unix time that the chain's clock is moved to first. */
  until(chain: DemoChain): number;
  /** Blocks are made until this is so. */
  isOver(chain: DemoChain): boolean;
}

/** Something that an external message triggers. */
export interface DemoStep {
  /** One sentence or more, for the reader of the plan. */
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

/** Inputs of a story. */
export interface StoryContext {
  readonly wallets: DemoWallets;
  readonly stakers: StakerWallets;
  /** Wallets funded in the zero state. */
  readonly faucets: { readonly basechain: FundedWallet; readonly masterchain: FundedWallet };
  /** Unix seconds of the genesis. */
  readonly genesisTime: number;
}

/** How long an external message may wait for a block. */
export const VALID_SECONDS = 600;

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
  const { version, keys, address, init } = wallet;
  const max = maxMessages(version);
  return {
    what,
    isDone: (chain) => seqnoOf(chain, wallet) > seqno,
    message(chain) {
      const { secretKey } = keys;
      const validUntil = chain.now() + VALID_SECONDS;
      const messages = sends.flatMap((some) => (typeof some === 'function' ? some(chain) : some));
      if (messages.length > max)
        throw new Error(`${wallet.name} sends ${messages.length} messages at once, of at most ${max}`);
      const workchain = address.workChain;
      const body = walletTransfer({ version, secretKey, seqno, messages, validUntil, workchain });
      return externalMessage({ address, init: seqno === 0 ? init : undefined }, body);
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

/** Cell of an external message, with the state init of a contract that is not deployed yet. */
export function externalMessage(
  { address, init }: { address: ContractState['address']; init?: ContractState['init'] | undefined },
  body: Cell,
): Cell {
  return beginCell()
    .store(storeMessage(external({ to: address, init, body })))
    .endCell();
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
  const { address, version, secretKey } = faucet;
  return {
    round: 0,
    what,
    isDone,
    message(chain) {
      const body = walletTransfer({
        version,
        secretKey,
        seqno: seqnoOf(chain, faucet),
        messages: [message],
        validUntil: chain.now() + VALID_SECONDS,
        workchain: address.workChain,
      });
      return externalMessage({ address }, body);
    },
  };
}
