import type { CopyRows } from '../../db/copy.ts';
import { partitionStart } from '../partitions.ts';
import { NO_SENDER, type TraceBatch } from './assemble-traces.ts';
import { type DecodedSeqno, IN_INTERNAL } from './decoded-seqno.ts';

interface BatchPlaces {
  /** Their positions, by seqno. */
  readonly positions: readonly Float64Array[];
  /** Seqnos per partition of the index. */
  readonly width: number;
}

/**
 * The rows of received internal messages that are stored, with their positions: messages whose sender is not in the index
 * (if it comes later, the message has two rows), and those whose sender is in an older partition, which is dropped before
 * the one of the receiver.
 */
export function receivedRows(
  seqnos: readonly DecodedSeqno[],
  { senderSeqnos }: Pick<TraceBatch, 'senderSeqnos'>,
  { positions, width }: BatchPlaces,
): CopyRows[] {
  return seqnos.flatMap(({ mcSeqno, traces: { count, inKinds }, received }, at) => {
    const { bytes, rowFrom, positionAt } = received;
    const partition = partitionStart(mcSeqno, width);
    const rows: CopyRows[] = [];
    for (let i = 0; i < count; i++) {
      if (inKinds[i] !== IN_INTERNAL) continue;
      const sender = senderSeqnos[at]![i]!;
      if (sender !== NO_SENDER && sender >= partition) continue;
      bytes.writeBigInt64BE(BigInt(positions[at]![i]!), positionAt[i]!);
      rows.push({ bytes: bytes.subarray(rowFrom[i]!, rowFrom[i + 1]!), count: 1 });
    }
    return rows;
  });
}
