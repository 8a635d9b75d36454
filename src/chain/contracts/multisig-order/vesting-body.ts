import { CellFault } from '../../boc/cell-fault.ts';
import type { AccountId } from '../../tl/names.ts';
import { readMessage } from '../../tlb/message.ts';
import { sliceOf } from '../../tlb/message-part.ts';
import { accountIn, type BodyReader, readText } from './body-reader.ts';

/** A request to a vesting wallet to send a message. */
export interface VestingBody {
  readonly type: 'vesting_internal_transfer';
  readonly queryId: bigint;
  readonly sendMode: number;
  readonly destination: AccountId | undefined;
  readonly value: bigint;
  /** A bag of cells. */
  readonly messageBody: Buffer;
  /** Empty unless the message is a text. */
  readonly comment: string;
}

const OPCODE_BITS = 32;

/** Reads a message that a vesting wallet is to send, after the opcode. */
export function readVestingTransfer(body: BodyReader): VestingBody {
  const queryId = body.queryId();
  const sendMode = body.uint(8);
  const { cells } = body.slice;
  const message = readMessage(cells, body.slice.ref());
  const { info } = message;
  if (info.kind !== 'internal') throw new CellFault('a message to the outside');
  return {
    type: 'vesting_internal_transfer',
    queryId,
    sendMode,
    destination: accountIn(info.dest),
    value: info.value.grams,
    messageBody: body.boc(message.body),
    comment: message.opcode === 0 ? commentOf(message) : '',
  };
}

function commentOf({ cells, body }: ReturnType<typeof readMessage>): string {
  const slice = sliceOf(cells, body);
  slice.skip(OPCODE_BITS);
  return readText(slice);
}
