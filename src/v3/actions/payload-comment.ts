import { CellFault } from '../../chain/boc/cell-fault.ts';
import { readRootBoc } from '../../chain/boc/read-root-boc.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readSnake } from '../../chain/contracts/snake.ts';

/** What a payload says to people; the text is null where it says nothing to them. */
export interface PayloadComment {
  readonly text: string | null;
  readonly isEncrypted: boolean;
}

const [PLAIN, ENCRYPTED, KIND_BITS] = [0, 0x2167da4b, 32];
// More than a snake of the deepest cells has.
const MAX_COMMENT_BYTES = 256 * 1024;

/** Reads the comment in a payload, which is a bag of cells in base64; undefined when it is none that can be read. */
export function readPayloadComment(payload: string): PayloadComment | undefined {
  try {
    const bag = readRootBoc(Buffer.from(payload, 'base64'));
    return readComment(new Slice(bag, bag.root));
  } catch (error) {
    if (error instanceof CellFault) return undefined;
    throw error;
  }
}

function readComment(slice: Slice): PayloadComment {
  const none = { text: null, isEncrypted: false };
  const kind = slice.bitsLeft < KIND_BITS ? undefined : slice.uint(KIND_BITS);
  if (kind !== PLAIN && kind !== ENCRYPTED) return none;
  const bytes = readSnake(slice, MAX_COMMENT_BYTES);
  if (bytes === undefined) return none;
  if (kind === ENCRYPTED) return { text: bytes.toString('base64'), isEncrypted: true };
  return { text: bytes.toString('utf8').replaceAll('\0', ''), isEncrypted: false };
}
