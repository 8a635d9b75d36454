import type { Cells } from '../../chain/boc/cells.ts';
import { Slice } from '../../chain/boc/slice.ts';
import { readInMsg } from '../../chain/tlb/in-msg.ts';
import { readMasterchainExtra, readMasterchainMessages } from '../../chain/tlb/masterchain-extra.ts';

/**
 * Hashes, in hex, of the transactions that received a message which no account sent: fees that are paid out and
 * currencies that are made. By the sender they cannot be told, -1:00…00 may be the address of a contract too. `extra`
 * is the McBlockExtra, -1 in shard blocks.
 */
export function systemTransactions(cells: Cells, extra: number): ReadonlySet<string> {
  if (extra < 0) return NONE;
  const { recoverCreateMsg, mintMsg } = readMasterchainMessages(
    cells,
    readMasterchainExtra(cells, extra).messages,
  );
  if (recoverCreateMsg < 0 && mintMsg < 0) return NONE;
  return new Set(
    [recoverCreateMsg, mintMsg].flatMap((cell) => {
      if (cell < 0) return [];
      const message = readInMsg(new Slice(cells, cell));
      return 'transaction' in message ? [cells.hash(message.transaction, 0).toString('hex')] : [];
    }),
  );
}

const NONE: ReadonlySet<string> = new Set();
