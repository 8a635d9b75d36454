import type { BlockId } from '../../chain/block-id.ts';
import type { TransactionId3 } from '../../chain/tl/transaction-ids.ts';
import type { ListedTransaction } from '../../lite/proofs/block-transactions.ts';
import { type ListTransactions, readBlockTransactions } from '../../lite/queries/read-block-transactions.ts';
import type { V2Call } from '../call.ts';
import { findBlock, sessionSeqno, type WantedBlock } from './find-block.ts';
import { NO_SESSION, openSession } from './open-session.ts';
import { withoutBlame } from './without-blame.ts';

/** Which transactions of which block are wanted. */
export type WantedTransactions = WantedBlock & {
  readonly seqno: number;
  readonly limit: number;
  readonly after: TransactionId3 | undefined;
};

/** Reads transactions of a block by account and logical time; gives the block, and whether more may follow. */
export async function readTransactionsOf<T extends ListedTransaction>(
  call: V2Call,
  list: ListTransactions<T>,
  wanted: WantedTransactions,
  take: (transaction: T) => void,
): Promise<{ readonly block: BlockId; readonly incomplete: boolean }> {
  const { rootHash, fileHash, limit, after } = wanted;
  const session = await openSession(call, { seqno: sessionSeqno(call, wanted), refusalPrefix: NO_SESSION });
  const block = await session.run((target) => findBlock(call, target, wanted));
  const claimed = rootHash !== undefined && fileHash !== undefined;
  const incomplete = await readBlockTransactions(
    (part) =>
      session.run(({ query }) => {
        const page = list(query, block, part, call.ports.check);
        return claimed ? withoutBlame(page) : page;
      }),
    { limit, after },
    take,
  );
  // A block never changes, and this one is named by its number or by its hashes.
  call.lasting = true;
  return { block, incomplete };
}
