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
import type { Finality, PendingTransaction } from './pending-traces.ts';

/** Transactions of one account that are searched for a message. */
const MAX_HISTORY = 64;
/** The same for an account of which nothing is known yet. */
const FIRST_HISTORY = 16;
/** Per check of a trace: accounts that are read, and rounds in which found transactions lead to further accounts. */
const MAX_ACCOUNTS = 16;
const MAX_ROUNDS = 8;
/** A longer trace is left to the index. */
const MAX_TRANSACTIONS = 512;

/** Finds the transaction that received an external message, among those of its account after a logical time. */
export async function findRootTransaction(
  chain: ChainReader,
  account: AccountId,
  normalizedHash: Buffer,
  span: { readonly newest: TransactionRef; readonly afterLt: bigint | undefined },
): Promise<OnChainTransaction | undefined> {
  const { newest, afterLt } = span;
  const limit = afterLt === undefined ? FIRST_HISTORY : MAX_HISTORY;
  const seen = await readTransactions(chain, account, newest, afterLt ?? 0n, limit);
  return seen.find(({ inHashNorm }) => inHashNorm?.equals(normalizedHash));
}

/** Whether it is certain that no transaction of an account after a logical time received an external message. */
export async function hasNoRootTransaction(
  chain: ChainReader,
  account: AccountId,
  normalizedHash: Buffer,
  { newest, afterLt }: { readonly newest: TransactionRef; readonly afterLt: bigint },
): Promise<boolean> {
  const seen = await readTransactions(chain, account, newest, afterLt, MAX_HISTORY);
  return seen.length < MAX_HISTORY && !seen.some(({ inHashNorm }) => inHashNorm?.equals(normalizedHash));
}

/** Adds the transactions that received messages of a trace; returns whether there were any. */
export async function followOnChain(chain: ChainReader, part: OnChainPart): Promise<boolean> {
  const before = part.transactions.length;
  for (let round = 0; round < MAX_ROUNDS && part.transactions.length < MAX_TRANSACTIONS; round++) {
    const count = part.transactions.length;
    const byAccount = Map.groupBy(part.open, ({ destination }) => accountName(destination));
    for (const messages of part.nextInTurn([...byAccount.values()], MAX_ACCOUNTS))
      await addReceiving(chain, part, messages);
    if (part.transactions.length === count) break;
  }
  return part.transactions.length > before;
}

/** Adds the transactions of one account that received messages to it. */
async function addReceiving(
  chain: ChainReader,
  part: OnChainPart,
  messages: readonly OpenMessage[],
): Promise<void> {
  const { destination } = messages[0]!;
  const newest = await chain.lastTransaction(destination);
  const afterLt = messages.reduce(
    (least, { checkedLt }) => (checkedLt < least ? checkedLt : least),
    newest.lt,
  );
  if (newest.lt <= afterLt) return;
  const mcSeqno = chain.headSeqno();
  const seen = await readTransactions(chain, destination, newest, afterLt, MAX_HISTORY);
  // Oldest first.
  for (const transaction of seen.reverse()) {
    const received = messages.find(({ hash }) => transaction.inHash?.equals(hash));
    if (received !== undefined) part.add(transaction, mcSeqno, received);
  }
  for (const message of messages) if (message.checkedLt < newest.lt) message.checkedLt = newest.lt;
}

async function readTransactions(
  chain: ChainReader,
  account: AccountId,
  newest: TransactionRef,
  afterLt: bigint,
  limit: number,
): Promise<OnChainTransaction[]> {
  const history = await chain.history(account, newest, afterLt, limit);
  return history.flatMap((listed) => {
    try {
      return readOnChainTransaction(listed, account.workchain);
    } catch (error) {
      // A server that is not verified may send something else than a transaction.
      if (error instanceof CellError) return [];
      throw error;
    }
  });
}

function accountName({ workchain, hash }: AccountId): string {
  return `${workchain}:${hash.toString('hex')}`;
}

/** A message that a transaction in a block sent, and whose receiving transaction was not found yet. */
interface OpenMessage {
  readonly hash: Buffer;
  readonly boc: Buffer;
  readonly destination: AccountId;
  /** Index of the transaction that sent it. */
  readonly parent: number;
  /** No transaction of its destination up to this logical time has received it. */
  checkedLt: bigint;
}

/** A transaction in a block, by the message that it received. */
interface OnChainTransaction {
  readonly listed: Pick<AccountTransaction, 'cells' | 'cell' | 'hash' | 'lt' | 'claimedBlock'>;
  readonly workchain: number;
  readonly inHash: Buffer | undefined;
  readonly inHashNorm: Buffer | undefined;
}

/** Reads a transaction of an account's history; throws CellError if it is malformed. */
function readOnChainTransaction(listed: AccountTransaction, workchain: number): OnChainTransaction {
  const { inMessage } = readTransaction(listed.cells, listed.cell, workchain);
  return { listed, workchain, inHash: inMessage?.hash, inHashNorm: inMessage && normalizedHash(inMessage) };
}

/** The transactions of blocks that no masterchain block has taken yet. */
export interface SignedTransactions {
  /** The one that received a message; an external message is given by its normalized hash. */
  receiving(message: Buffer): SignedTransaction | undefined;
}

export interface SignedTransaction extends OnChainTransaction {
  /** The masterchain block that its block was made on. */
  readonly mcSeqno: number;
}

/**
 * The part of a trace that is in blocks of the masterchain and, on top of that, in signed blocks; undefined if none of it
 * is. The masterchain may take other blocks in their place, so the given part stays as it is.
 */
export function withSigned(
  part: OnChainPart | undefined,
  normalizedHash: Buffer,
  { receiving }: SignedTransactions,
): OnChainPart | undefined {
  const root = part === undefined ? receiving(normalizedHash) : undefined;
  if (part === undefined && root === undefined) return undefined;
  const joined = part?.copy() ?? new OnChainPart();
  if (root !== undefined) joined.add(root, root.mcSeqno, undefined, 'confirmed');
  for (let next = nextSigned(joined, receiving); next !== undefined; next = nextSigned(joined, receiving)) {
    const transaction = receiving(next.hash)!;
    joined.add(transaction, transaction.mcSeqno, next, 'confirmed');
  }
  return joined;
}

/** The next message of a part that was received in a signed block. */
export function nextSigned(
  { open, transactions }: OnChainPart,
  receiving: SignedTransactions['receiving'],
): OpenMessage | undefined {
  if (transactions.length >= MAX_TRANSACTIONS) return undefined;
  return open.find(({ hash }) => receiving(hash) !== undefined);
}

/** The part of a trace that is in blocks, and its open messages. */
export class OnChainPart {
  readonly transactions: PendingTransaction[] = [];
  open: OpenMessage[] = [];
  #turn = 0;

  copy(): OnChainPart {
    const copy = new OnChainPart();
    copy.transactions.push(...this.transactions);
    copy.open = this.open;
    return copy;
  }

  /** Up to `count` of a list; the next call continues with the others. */
  nextInTurn<T>(all: readonly T[], count: number): readonly T[] {
    if (all.length <= count) return all;
    const first = (this.#turn++ * count) % all.length;
    return [...all.slice(first), ...all.slice(0, first)].slice(0, count);
  }

  /** Adds the root transaction, or one that received an open message. */
  add(
    { listed, workchain }: OnChainTransaction,
    mcSeqno: number,
    received?: OpenMessage,
    finality: Finality = 'finalized',
  ): void {
    const { cells, cell, hash, lt, claimedBlock } = listed;
    const { account, inMessage, outMessages } = readTransaction(cells, cell, workchain);
    const at = this.transactions.length;
    this.transactions.push({
      account: copyAccount(account),
      boc: bagOf(cells, cell),
      hash: Buffer.from(hash),
      lt,
      inMessageHash: Buffer.from(inMessage!.hash),
      parent: received?.parent,
      emulated: false,
      finality,
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
        destination: copyAccount({ workchain: info.dest.workchain, hash: accountOf(info.dest) }),
        checkedLt: info.createdLt,
      });
    }
  }
}

/** A copy: the hash is a view of a much larger buffer, which it would keep in memory. */
function copyAccount({ workchain, hash }: AccountId): AccountId {
  return { workchain, hash: Buffer.from(hash) };
}

function bagOf(cells: Cells, cell: number): Buffer {
  return writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false });
}

interface LastTransaction extends TransactionRef {
  readonly mcSeqno: number;
}

/** Reads accounts at the newest block from lite servers. */
export interface ChainReader {
  /** Seqno of the head; 0 before there is one. */
  headSeqno(): number;
  onHead(listener: () => void): () => void;
  /** The last transaction of an account; with logical time 0 if it has none. */
  lastTransaction(account: AccountId): Promise<LastTransaction>;
  /** Transactions of an account from one back to a logical time, exclusive; newest first, up to `limit`. */
  history(
    account: AccountId,
    from: TransactionRef,
    toLt: bigint,
    limit: number,
  ): Promise<readonly AccountTransaction[]>;
}

interface ChainReaderOptions {
  readonly pool: Pick<LitePool, 'session' | 'head' | 'onHead'>;
  readonly check: CheckOptions;
}

/** For one read. */
const BUDGET_MS = 5000;
const MAX_CACHED = 10_000;

/** Creates a reader that queries once per head: many messages have the same destination. */
export function createChainReader({ pool, check }: ChainReaderOptions): ChainReader {
  const cached = new Map<string, Promise<unknown>>();
  let cachedAt: unknown;

  function once<T>(key: string, load: () => Promise<T>): Promise<T> {
    if (cachedAt !== pool.head || cached.size >= MAX_CACHED) cached.clear();
    cachedAt = pool.head;
    const existing = cached.get(key) as Promise<T> | undefined;
    if (existing !== undefined) return existing;
    const loading = load();
    cached.set(key, loading);
    // Failures are not cached.
    loading.catch(() => cached.get(key) === loading && cached.delete(key));
    return loading;
  }

  async function lastTransaction(account: AccountId): Promise<LastTransaction> {
    const session = await pool.session({ budgetMs: BUDGET_MS });
    return session.run(async ({ query, reference }) => {
      const { lastTransLt, lastTransHash } = await getAccountStatePruned(query, reference, account, check);
      return { lt: lastTransLt, hash: lastTransHash, mcSeqno: reference.seqno };
    });
  }

  async function history(
    account: AccountId,
    from: TransactionRef,
    toLt: bigint,
    limit: number,
  ): Promise<readonly AccountTransaction[]> {
    const session = await pool.session({ budgetMs: BUDGET_MS });
    const transactions: AccountTransaction[] = [];
    await readHistory(
      (position, count) =>
        session.run(({ query }) => getTransactions(query, account, position, count, check)),
      { from, limit, toLt },
      (transaction) => void transactions.push(transaction),
    );
    return transactions;
  }

  return {
    headSeqno: () => pool.head?.seqno ?? 0,
    onHead: (listener) => pool.onHead(() => listener()),
    lastTransaction: (account) => once(accountName(account), () => lastTransaction(account)),
    history: (account, from, toLt, limit) =>
      once(`${accountName(account)} ${from.lt} ${toLt} ${limit}`, () => history(account, from, toLt, limit)),
  };
}
