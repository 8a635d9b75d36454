import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { type Message, readMessage } from '../../chain/tlb/message.ts';
import type { ExternalInInfo } from '../../chain/tlb/message-info.ts';
import { normalizedHash } from '../../chain/tlb/message-normalized-hash.ts';
import { Failure } from '../../lib/failure.ts';
import type { AcceptedMessage } from '../../pending/accepted-message.ts';

/** Twice as many as nodes take of a message by default; to hash and write a hundred thousand would hold up everybody. */
const MAX_CELLS = 16_384;
const TOO_LARGE =
  'LITE_SERVER_UNKNOWN: cannot apply external message to current state : external message too large, rejecting';

/** Checks that a cell is a message from outside and makes it ready to be sent; refusals are in the words of tonlib. */
export function readExternalMessage(bag: CellBag): AcceptedMessage {
  if (bag.count > MAX_CELLS) throw new Failure('lite_server', TOO_LARGE);
  try {
    return readyMessage(bag, readMessage(bag, bag.root));
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    throw new Failure('lite_server', 'Failed to unpack Message', { cause: error });
  }
}

function readyMessage(bag: CellBag, message: Message): AcceptedMessage {
  const { info } = message;
  if (info.kind !== 'external-in')
    throw new Failure('lite_server', 'CommonMsgInfo tag is not ext_in_msg_info');
  checkAddresses(info);
  return {
    // Written anew, so that nodes get neither an index nor cells that belong to nothing.
    boc: writeBoc({ cells: bag, roots: [bag.root] }, { order: 'tonlib', crc: false }),
    hash: Buffer.from(message.hash),
    normalizedHash: normalizedHash(message),
  };
}

/** Accounts do not write from outside, and only they are written to. */
function checkAddresses({ src, dest }: ExternalInInfo): void {
  if (src.kind === 'std' || src.kind === 'var') throw new CellFault('a message from an account');
  if (dest.kind === 'none' || dest.kind === 'extern') throw new CellFault('a message to no account');
}
