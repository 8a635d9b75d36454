import { type Cell, Dictionary } from '@ton/core';
import { type ChainMessage, readChainMessage } from './chain-message.ts';
import { type Amount, readAmount, readBytes } from './core-readers.ts';

const STATUSES = ['uninit', 'frozen', 'active', 'nonexist'] as const;

/** A transaction as the chain has it; what happened in it is read where it is compared. */
export interface ChainTransaction {
  readonly hash: Buffer;
  readonly address: Buffer;
  readonly lt: bigint;
  readonly prevHash: Buffer;
  readonly prevLt: bigint;
  readonly now: number;
  readonly origStatus: string;
  readonly endStatus: string;
  readonly totalFees: Amount;
  readonly stateBefore: Buffer;
  readonly stateAfter: Buffer;
  readonly inMessage: ChainMessage | undefined;
  readonly outMessages: readonly ChainMessage[];
  readonly description: Cell;
}

/** Reads a transaction. */
export function readChainTransaction(cell: Cell): ChainTransaction {
  const slice = cell.beginParse();
  if (slice.loadUint(4) !== 7) throw new Error('not a transaction');
  const address = readBytes(slice);
  const lt = slice.loadUintBig(64);
  const prevHash = readBytes(slice);
  const prevLt = slice.loadUintBig(64);
  const now = slice.loadUint(32);
  const outCount = slice.loadUint(15);
  const [origStatus, endStatus] = [STATUSES[slice.loadUint(2)]!, STATUSES[slice.loadUint(2)]!];
  const messages = slice.loadRef().beginParse();
  const inMessage = messages.loadMaybeRef();
  const out = messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell());
  const totalFees = readAmount(slice);
  const update = slice.loadRef().beginParse();
  update.skip(8);
  return {
    ...{ hash: cell.hash(), address, lt, prevHash, prevLt, now, origStatus, endStatus, totalFees },
    ...{ stateBefore: readBytes(update), stateAfter: readBytes(update) },
    inMessage: inMessage === null ? undefined : readChainMessage(inMessage),
    outMessages: Array.from({ length: outCount }, (_, i) => readChainMessage(out.get(i)!)),
    description: slice.loadRef(),
  };
}
