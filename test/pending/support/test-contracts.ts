import { beginCell, Cell, type MessageRelaxed, toNano } from '@ton/core';
import {
  type ContractState,
  contractState,
  libraryReference,
} from '../../../src/localnet/contracts/contract.ts';
import { walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { DemoWallet } from '../../../src/localnet/demo/demo-wallets.ts';
import { externalMessage, seqnoOf, VALID_SECONDS } from '../../../src/localnet/demo/story.ts';
import type { EmulatorContext } from './emulator-context.ts';

// SETCP0, ACCEPT
const BEGIN = 'FF00F800';
// A message to itself that is worth 2^25 nanotons: NEWC and the flags, MYADDR STSLICER, 25 PUSHPOW2 STGRAMS, 107 bits
// of nothing, ENDC.
const MESSAGE_TO_SELF = '8010C8CB05F828CF168318FA027001806BCF01C9';
// PUSHINT 0, SENDRAWMSG
const SEND = '70FB00';
const DUP = '20';
// 2^13 times NOP: PUSHPOW2, CONT { NOP }, REPEAT
const BURN_SOME = '830C9100E4';
// CONT { NOP }, AGAIN
const BURN_ALL = '9100EA';
// c4 PUSH, CTOS, PLDREF, CTOS, DROP
const READ_DATA = 'ED44D0D74CD030';

function made(hex: string, data: Cell = new Cell()): ContractState {
  return contractState(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell(), data);
}

/** Contracts that take any message; none is ever on the chain, because its first message would not end there either. */
export const CONTRACTS = {
  /** Sends two messages to itself for each that it gets. */
  bomb: made(`${BEGIN}${MESSAGE_TO_SELF}${DUP}${SEND}${SEND}`),
  /** Sends one. */
  chain: made(`${BEGIN}${MESSAGE_TO_SELF}${SEND}`),
  /** Sends one, after much work. */
  toil: made(`${BEGIN}${BURN_SOME}${MESSAGE_TO_SELF}${SEND}`),
  /** Works until its gas is gone. */
  burner: made(`${BEGIN}${BURN_ALL}`),
} as const;

/** A contract that reads what its data refer to, which is a library. */
export function libraryReader(library: Cell): ContractState {
  return made(`${BEGIN}${READ_DATA}`, beginCell().storeRef(libraryReference(library)).endCell());
}

/** The message from outside that brings a contract and wakes it. */
export function wake(contract: ContractState): Buffer {
  return externalMessage(contract, new Cell()).toBoc();
}

/** What a wallet of the demo is told to do next, as a message from outside. */
export function order(
  { localnet }: Pick<EmulatorContext, 'localnet'>,
  wallet: DemoWallet,
  messages: readonly MessageRelaxed[],
  other: { readonly seqno?: number; readonly secretKey?: Buffer; readonly mode?: number } = {},
): Cell {
  const { version, keys, address } = wallet;
  const chain = createDemoChain(localnet);
  const body = walletTransfer({
    version,
    secretKey: keys.secretKey,
    seqno: seqnoOf(chain, wallet),
    messages,
    validUntil: chain.now() + VALID_SECONDS,
    ...other,
  });
  return externalMessage({ address }, body);
}

/** What each of the made contracts gets to live on. */
export const FORTUNE = toNano('100');
