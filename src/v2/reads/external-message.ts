import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { CellFault } from '../../chain/boc/cell-fault.ts';
import { writeBoc } from '../../chain/boc/write-boc.ts';
import { type Message, readMessage } from '../../chain/tlb/message.ts';
import type { ExternalInInfo } from '../../chain/tlb/message-info.ts';
import { normalizedHash } from '../../chain/tlb/message-normalized-hash.ts';
import { Failure } from '../../lib/failure.ts';
import type { AcceptedMessage } from '../../pending/accepted-message.ts';

/** Checks that a cell is a message from outside and makes it ready to be sent; refusals are in the words of tonlib. */
export function readExternalMessage(bag: CellBag): AcceptedMessage {
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
