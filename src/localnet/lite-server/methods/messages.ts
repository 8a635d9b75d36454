import { CellError } from '../../../chain/boc/cells.ts';
import { configParam, readSizeLimits } from '../../../chain/tlb/config.ts';
import { readMcStateExtra } from '../../../chain/tlb/masterchain-state.ts';
import { beginsAsExternalIn, readMessage } from '../../../chain/tlb/message.ts';
import type { ChainStore } from '../../store/chain-store.ts';
import { headState } from '../../store/head-state.ts';
import { LiteRefusal, type MethodHandlers, readRequestBoc, refuse, refusePlainly } from './method-context.ts';

const ACCEPTED = 1;

export const messageMethods = {
  async sendMessage({ store, recentMessages, sendMessage }, { body }) {
    if (!recentMessages.add(body)) refusePlainly('cannot send external message : duplicate message');
    try {
      checkExternalMessage(store, body);
      if (sendMessage === undefined) refuse('this network is a recording and takes no messages');
      // A copy: the bytes are a view of the client's packet.
      await sendMessage(Buffer.from(body));
    } catch (error) {
      recentMessages.delete(body);
      if (!(error instanceof LiteRefusal)) throw error;
      throw new LiteRefusal(error.code, `cannot apply external message to current state : ${error.message}`);
    }
    return { status: ACCEPTED };
  },
} satisfies Partial<MethodHandlers>;

const SIZE_LIMITS = 43;
/** The limits of nodes without this config param. */
const DEFAULT_LIMITS = { maxExtMsgSize: 65535, maxExtMsgDepth: 512 };

/** Rejects anything but an external message, with the error texts of a node; the destination account is not run. */
export function checkExternalMessage(store: ChainStore, message: Buffer): void {
  const limits = sizeLimits(store);
  if (message.length > limits.maxExtMsgSize) refusePlainly('external message too large, rejecting');
  const bag = readRequestBoc(message, refusePlainly);
  if (bag.roots.length !== 1) refusePlainly('external message is not a valid bag of cells');
  const { root } = bag;
  if (bag.levelMask(root) !== 0) refusePlainly('external message must have zero level');
  if (bag.depth(root) >= limits.maxExtMsgDepth) refusePlainly('external message is too deep');
  if (!beginsAsExternalIn(bag, root)) refusePlainly('external message must begin with ext_in_msg_info$10');
  try {
    readMessage(bag, root);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    refusePlainly('external message is not a (Message Any) according to automated checks');
  }
}

function sizeLimits(store: ChainStore): typeof DEFAULT_LIMITS {
  const { cells, state } = headState(store);
  const cell = configParam(cells, readMcStateExtra(cells, state.custom).config, SIZE_LIMITS);
  return cell < 0 ? DEFAULT_LIMITS : readSizeLimits(cells, cell);
}
