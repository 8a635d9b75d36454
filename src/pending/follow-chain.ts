import type { AccountId } from '../chain/address.ts';
import { CellError, type Cells } from '../chain/boc/cells.ts';
import { writeBoc } from '../chain/boc/writer.ts';
import { normalizedHash } from '../chain/tlb/message.ts';
import { accountOf } from '../chain/tlb/msg-address.ts';
import { readTransaction } from '../chain/tlb/transaction.ts';
import { getAccountStatePruned } from '../lite/methods/accounts.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import {
  type AccountTransaction,
  getTransactions,
  readHistory,
  type TransactionRef,
} from '../lite/methods/transactions.ts';
import type { LitePool } from '../lite/pool.ts';
import type { PendingTransaction } from './pending-traces.ts';

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
export async function findRootTransaction(
  eye: ChainReader,
  account: AccountId,
  normalizedHash: Buffer,
  span: { readonly newest: TransactionRef; readonly afterLt: bigint | undefined },
): Promise<SeenTransaction | undefined> {
  const { newest, afterLt } = span;
  const most = afterLt === undefined ? FIRST_HISTORY : MAX_HISTORY;
  const seen = await readSeen(eye, account, newest, afterLt ?? 0n, most);
  return seen.find(({ inHashNorm }) => inHashNorm?.equals(normalizedHash));
}

/** Finds transactions that received messages of a trace; whether there were any. */
export async function followOnChain(eye: ChainReader, part: OnChainPart): Promise<boolean> {
  let hasFound = false;
  for (let round = 0; round < MAX_ROUNDS && part.transactions.length < MAX_TRANSACTIONS; round++) {
    const byAccount = Map.groupBy(part.open, ({ destination }) => accountName(destination));
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
  eye: ChainReader,
  part: OnChainPart,
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
  eye: ChainReader,
  account: AccountId,
  newest: TransactionRef,
  afterLt: bigint,
  most: number,
): Promise<SeenTransaction[]> {
  const history = await eye.history(account, newest, afterLt, most);
  return history.flatMap((found) => {
    try {
      return readSeenTransaction(found, account.workchain);
    } catch (error) {
      // What a server may say without proof need not be a transaction.
      if (error instanceof CellError) return [];
      throw error;
    }
  });
}

function accountName({ workchain, hash }: AccountId): string {
  return `${workchain}:${hash.toString('hex')}`;
}

/** A message that a transaction of a block sent, and that was not seen to arrive. */
interface OpenMessage {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly destination: AccountId;
  /** The place of the transaction that sent it. */
  readonly parent: number;
  /** Transactions of its destination up to here did not receive it. */
  seenLt: bigint;
}

/** A transaction of a block, as far as it matters here. */
interface SeenTransaction {
  readonly found: AccountTransaction;
  readonly workchain: number;
  readonly inHash: Buffer | undefined;
  readonly inHashNorm: Buffer | undefined;
}

/** Reads a transaction that an account's history has; throws CellFault for what is none. */
function readSeenTransaction(found: AccountTransaction, workchain: number): SeenTransaction {
  const { inMessage } = readTransaction(found.cells, found.cell, workchain);
  return { found, workchain, inHash: inMessage?.hash, inHashNorm: inMessage && normalizedHash(inMessage) };
}

/** The part of a trace that is in blocks, and the messages that lead out of it. */
export class OnChainPart {
  readonly transactions: PendingTransaction[] = [];
  open: OpenMessage[] = [];
  #turn = 0;

  /** So many of a list as are looked at together; the others have their turn later. */
  inTurn<T>(all: readonly T[], count: number): readonly T[] {
    if (all.length <= count) return all;
    const first = (this.#turn++ * count) % all.length;
    return [...all.slice(first), ...all.slice(0, first)].slice(0, count);
  }

  /** Adds the first transaction, or the one that received an open message. */
  add({ found, workchain }: SeenTransaction, mcSeqno: number, received?: OpenMessage): void {
    const { cells, cell, hash, lt, claimedBlock } = found;
    const { account, inMessage, outMessages } = readTransaction(cells, cell, workchain);
    const at = this.transactions.length;
    this.transactions.push({
      account: place(account),
      boc: bagOf(cells, cell),
      hash: Buffer.from(hash),
      lt,
      inMessageHash: Buffer.from(inMessage!.hash),
      parent: received?.parent,
      emulated: false,
      finality: 'finalized',
      mcSeqno,
      block: { workchain: claimedBlock.workchain, shard: claimedBlock.shard, seqno: claimedBlock.seqno },
    });
    this.open = this.open.filter((message) => message !== received);
    for (const { info, cell: messageCell, hash: messageHash } of outMessages) {
      if (info.kind !== 'internal' || info.dest.kind !== 'std') continue;
      this.open.push({
        hash: Buffer.from(messageHash),
        boc: bagOf(cells, messageCell),
        parent: at,
        destination: place({ workchain: info.dest.workchain, hash: accountOf(info.dest) }),
        seenLt: info.createdLt,
      });
    }
  }
}

/** Copies: what it is read from is much larger and would be kept with it. */
function place({ workchain, hash }: AccountId): AccountId {
  return { workchain, hash: Buffer.from(hash) };
}

function bagOf(cells: Cells, cell: number): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
}

/** What is seen of accounts at the newest block, through lite servers. */
export interface ChainReader {
  /** The newest masterchain block; 0 before the first. */
  headSeqno(): number;
  onHead(listener: () => void): () => void;
  /** The last transaction of an account; a logical time of zero where there is none. */
  newest(account: AccountId): Promise<TransactionRef>;
  /** Transactions of an account back from one to a logical time, which is left out; newest first, so many at most. */
  history(
    account: AccountId,
    from: TransactionRef,
    toLt: bigint,
    most: number,
  ): Promise<readonly AccountTransaction[]>;
}

interface ChainReaderOptions {
  readonly pool: Pick<LitePool, 'session' | 'head' | 'onHead'>;
  readonly check: CheckOptions;
}

/** Time for one look. */
const BUDGET_MS = 5000;
const MAX_SEEN = 10_000;

/** Opens an eye on the chain. What it sees of an account is asked for once a block: many messages are for the same. */
export function createChainReader({ pool, check }: ChainReaderOptions): ChainReader {
  const seen = new Map<string, Promise<unknown>>();
  let seenAt: unknown;

  function once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    if (seenAt !== pool.head || seen.size >= MAX_SEEN) seen.clear();
    seenAt = pool.head;
    const known = seen.get(key) as Promise<T> | undefined;
    if (known !== undefined) return known;
    const asked = ask();
    seen.set(key, asked);
    // A failure is asked for again.
    asked.catch(() => seen.get(key) === asked && seen.delete(key));
    return asked;
  }

  async function newest(account: AccountId): Promise<TransactionRef> {
    const session = await pool.session({ budgetMs: BUDGET_MS });
    const { lastTransLt: lt, lastTransHash: hash } = await session.run(({ query, reference }) =>
      getAccountStatePruned(query, reference, account, check),
    );
    return { lt, hash };
  }

  async function history(
    account: AccountId,
    from: TransactionRef,
    toLt: bigint,
    most: number,
  ): Promise<readonly AccountTransaction[]> {
    const session = await pool.session({ budgetMs: BUDGET_MS });
    const found: AccountTransaction[] = [];
    await readHistory(
      (place, count) => session.run(({ query }) => getTransactions(query, account, place, count, check)),
      { from, limit: most, toLt },
      (transaction) => void found.push(transaction),
    );
    return found;
  }

  return {
    headSeqno: () => pool.head?.seqno ?? 0,
    onHead: (listener) => pool.onHead(() => listener()),
    newest: (account) => once(seenKey(account), () => newest(account)),
    history: (account, from, toLt, most) =>
      once(`${seenKey(account)} ${from.lt} ${toLt} ${most}`, () => history(account, from, toLt, most)),
  };
}

function seenKey({ workchain, hash }: AccountId): string {
  return `${workchain}:${hash.toString('latin1')}`;
}
