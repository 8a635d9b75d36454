import { bocFaultText } from '../../chain/boc/boc-fault-text.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readBoc } from '../../chain/boc/read-boc.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readSizeLimits } from '../../chain/tlb/config-size-limits.ts';
import { readMcStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { readMessage } from '../../chain/tlb/message.ts';
import type { ChainStore } from '../store/chain-store.ts';
import { headState } from './head-state.ts';
import { LiteRefusal, PLAIN_ERROR } from './lite-refusal.ts';

const SIZE_LIMITS = 43;
/** What holds where the configuration does not say it. */
const DEFAULT_LIMITS = { maxExtMsgSize: 65535, maxExtMsgDepth: 512 };
const EXTERNAL_IN = 0b10;

/** Refuses what is not an external message, in the words of a node; what its receiver does with it is not asked. */
export function checkExternalMessage(store: ChainStore, message: Buffer): void {
  const limits = sizeLimits(store);
  if (message.length > limits.maxExtMsgSize) reject('external message too large, rejecting');
  const bag = readBag(message);
  if (bag.roots.length !== 1) reject('external message is not a valid bag of cells');
  const { root } = bag;
  if (bag.levelMask(root) !== 0) reject('external message must have zero level');
  if (bag.depth(root) >= limits.maxExtMsgDepth) reject('external message is too deep');
  const start = bag.bits[root]! < 2 || bag.isExotic(root) ? -1 : bag.bytes[bag.starts[root]!]! >> 6;
  if (start !== EXTERNAL_IN) reject('external message must begin with ext_in_msg_info$10');
  try {
    readMessage(bag, root);
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    reject('external message is not a (Message Any) according to automated checks');
  }
}

function readBag(message: Buffer): CellBag {
  try {
    return readBoc(message);
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    reject(bocFaultText(message, error));
  }
}

function sizeLimits(store: ChainStore): typeof DEFAULT_LIMITS {
  const { cells, state } = headState(store);
  const cell = configParam(cells, readMcStateExtra(cells, state.custom).config, SIZE_LIMITS);
  return cell < 0 ? DEFAULT_LIMITS : readSizeLimits(cells, cell);
}

function reject(text: string): never {
  throw new LiteRefusal(PLAIN_ERROR, text);
}
