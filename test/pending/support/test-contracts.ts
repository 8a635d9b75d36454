import { beginCell, Cell, type MessageRelaxed, toNano } from '@ton/core';
import {
  type ContractState,
  contractState,
  externalMessage,
  libraryReference,
} from '../../../src/localnet/contracts/contract.ts';
import { VALID_SECONDS, walletTransfer } from '../../../src/localnet/contracts/wallets.ts';
import { createDemoChain } from '../../../src/localnet/demo/demo-chain.ts';
import type { DemoWallet } from '../../../src/localnet/demo/demo-wallets.ts';
import { seqnoOf } from '../../../src/localnet/demo/story.ts';
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
// CONT { NEWC, ENDC, DROP }, AGAIN: a cell costs much gas and little time.
const BURN_ALL = '93C8C930EA';
// c4 PUSH, CTOS, PLDREF, CTOS, DROP
const READ_DATA = 'ED44D0D74CD030';

function made(hex: string, data: Cell = new Cell()): ContractState {
  return contractState(beginCell().storeBuffer(Buffer.from(hex, 'hex')).endCell(), data);
}

/** Contracts that accept any message. None is deployed on the chain, where its first message would not end either. */
export const CONTRACTS = {
  /** Sends two messages to itself for each message. */
  bomb: made(`${BEGIN}${MESSAGE_TO_SELF}${DUP}${SEND}${SEND}`),
  /** Sends one. */
  chain: made(`${BEGIN}${MESSAGE_TO_SELF}${SEND}`),
  /** Sends one after using much gas. */
  toil: made(`${BEGIN}${BURN_SOME}${MESSAGE_TO_SELF}${SEND}`),
  /** Uses up its gas. */
  burner: made(`${BEGIN}${BURN_ALL}`),
} as const;

/** A contract that reads what its data refer to, which is a library. */
export function libraryReader(library: Cell): ContractState {
  return made(`${BEGIN}${READ_DATA}`, beginCell().storeRef(libraryReference(library)).endCell());
}

/** The external message that deploys and calls a contract. */
export function wake(contract: ContractState): Buffer {
  return externalMessage(contract, new Cell()).toBoc();
}

/** The next external message of a demo wallet. */
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

/** Initial balance of each contract. */
export const FORTUNE = toNano('100');
