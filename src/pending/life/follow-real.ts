import { CellFault } from '../../chain/boc/cell-fault.ts';
import type { TransactionPlace } from '../../lite/queries/get-transactions.ts';
import type { AccountPlace } from '../emulation-ground.ts';
import type { ChainEye } from './chain-eye.ts';
import { type OpenMessage, type RealPart, type SeenTransaction, seeTransaction } from './real-part.ts';

/** Transactions of one account that are looked through for a message, at most. */
const MAX_HISTORY = 64;
/** Of an account of which nothing is known so far. */
const FIRST_HISTORY = 16;
/** Accounts that are looked at for one trace, and how often what was found leads on, at one look. */
const MAX_ACCOUNTS = 16;
const MAX_ROUNDS = 8;
/** A trace that is longer is followed by the index alone. */
const MAX_TRANSACTIONS = 512;

/** The transaction that received an external message, if it is among those of its account after a logical time. */
export async function findRoot(
  eye: ChainEye,
  account: AccountPlace,
  normalizedHash: Buffer,
  span: { readonly newest: TransactionPlace; readonly afterLt: bigint | undefined },
): Promise<SeenTransaction | undefined> {
  const { newest, afterLt } = span;
  const most = afterLt === undefined ? FIRST_HISTORY : MAX_HISTORY;
  const seen = await readSeen(eye, account, newest, afterLt ?? 0n, most);
  return seen.find(({ inHashNorm }) => inHashNorm?.equals(normalizedHash));
}

/** Finds transactions that received messages of a trace; whether there were any. */
export async function followReal(eye: ChainEye, part: RealPart): Promise<boolean> {
  let hasFound = false;
  for (let round = 0; round < MAX_ROUNDS && part.transactions.length < MAX_TRANSACTIONS; round++) {
    const byAccount = Map.groupBy(part.open, ({ destination }) => nameOf(destination));
    let found = 0;
    for (const messages of part.inTurn([...byAccount.values()], MAX_ACCOUNTS))
      found += await findReceived(eye, part, messages);
    if (found === 0) break;
    hasFound = true;
  }
  return hasFound;
}

/** Looks for messages to one account among its transactions; how many were found. */
async function findReceived(
  eye: ChainEye,
  part: RealPart,
  messages: readonly OpenMessage[],
): Promise<number> {
  const { destination } = messages[0]!;
  const newest = await eye.newest(destination);
  const afterLt = messages.reduce((least, { seenLt }) => (seenLt < least ? seenLt : least), newest.lt);
  if (newest.lt <= afterLt) return 0;
  const mcSeqno = eye.headSeqno();
  const seen = await readSeen(eye, destination, newest, afterLt, MAX_HISTORY);
  let found = 0;
  // In the order in which they happened.
  for (const transaction of seen.reverse()) {
    const received = messages.find(({ hash }) => transaction.inHash?.equals(hash));
    if (received === undefined) continue;
    part.add(transaction, mcSeqno, received);
    found += 1;
  }
  for (const message of messages) if (message.seenLt < newest.lt) message.seenLt = newest.lt;
  return found;
}

async function readSeen(
  eye: ChainEye,
  account: AccountPlace,
  newest: TransactionPlace,
  afterLt: bigint,
  most: number,
): Promise<SeenTransaction[]> {
  const history = await eye.history(account, newest, afterLt, most);
  return history.flatMap((found) => {
    try {
      return seeTransaction(found, account.workchain);
    } catch (error) {
      // What a server may say without proof need not be a transaction.
      if (error instanceof CellFault) return [];
      throw error;
    }
  });
}

function nameOf({ workchain, hash }: AccountPlace): string {
  return `${workchain}:${hash.toString('hex')}`;
}
