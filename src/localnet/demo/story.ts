import { type Address, beginCell, type Cell, external, type MessageRelaxed, storeMessage } from '@ton/core';
import type { ContractState } from '../contracts/contract.ts';
import { type WalletVersion, walletTransfer } from '../contracts/wallets.ts';
import type { FundedWallet } from '../genesis/keys.ts';
import { contractData, type DemoChain } from './demo-chain.ts';
import type { DemoWallet, DemoWallets } from './demo-wallets.ts';

/**
 * When something happens: all that follows from the deeds of a round is delivered before the next begins. The bank gets
 * its money in round 0 and in round 1 hands it out and deploys what others need; in round 2 every other wallet sends
 * its first message, which deploys it.
 */
type Round = 0 | 1 | 2 | 3 | 4;

/** What a wallet does; all that one does in a round goes out in one message from outside. */
export interface WalletStep {
  readonly round: Round;
  /** One sentence. */
  readonly what: string;
  readonly by: DemoWallet;
  readonly sends: readonly MessageRelaxed[];
}

/** Something that a message from outside sets off. */
export interface DemoStep {
  /** One sentence or more. */
  readonly what: string;
  /** Whether the chain shows that it happened. */
  isDone(chain: DemoChain): boolean;
  /** The message from outside. */
  message(chain: DemoChain): Cell;
}

/** Something that is not done by an ordinary wallet of the demo. */
export interface CustomStep extends DemoStep {
  readonly round: Round;
}

/** A part of the demo about one thing. */
export interface Story {
  /** Its contracts by their names. */
  readonly contracts: Readonly<Record<string, Address>>;
  readonly steps: readonly (WalletStep | CustomStep)[];
}

/** What a story is made from. */
export interface StoryContext {
  readonly wallets: DemoWallets;
  /** The wallets that have money from the start. */
  readonly faucets: { readonly basechain: FundedWallet; readonly masterchain: FundedWallet };
  /** Unix seconds at which the chain began. */
  readonly genesisTime: number;
}

/** How long a message from outside may wait for a block. */
export const VALID_SECONDS = 600;

/**
 * What a wallet does with a message of a given number, its first being 0. The number makes that it happens once: a
 * wallet that has counted further has done it, however the demo was interrupted.
 */
export function walletStep(
  wallet: DemoWallet,
  seqno: number,
  what: string,
  messages: readonly MessageRelaxed[],
): DemoStep {
  const { version, keys, address, init } = wallet;
  const max = maxMessages(version);
  if (messages.length > max)
    throw new Error(`${wallet.name} sends ${messages.length} messages at once, of at most ${max}`);
  return {
    what,
    isDone: (chain) => seqnoOf(chain, wallet) > seqno,
    message(chain) {
      const { secretKey } = keys;
      const validUntil = chain.now() + VALID_SECONDS;
      const body = walletTransfer({ version, secretKey, seqno, messages, validUntil });
      return externalMessage({ address, init: seqno === 0 ? init : undefined }, body);
    },
  };
}

/** The number that a wallet expects next: 0 before it is deployed. */
export function seqnoOf(
  chain: DemoChain,
  { address, version }: Pick<DemoWallet, 'address' | 'version'>,
): number {
  const data = contractData(chain, address)?.beginParse();
  // The first bit of v5 says that signatures are allowed.
  return data?.skip(version === 'v5r1' ? 1 : 0).loadUint(32) ?? 0;
}

/** The cell of a message from outside, with the first state of a contract that is not there yet. */
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

/** Gives something away that is there from the start. Faucets are used by everybody, so their numbers tell nothing. */
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
