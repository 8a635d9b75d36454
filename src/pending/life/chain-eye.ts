import type { LitePool } from '../../lite/pool.ts';
import type { AccountTransaction } from '../../lite/proofs/account-transactions.ts';
import type { CheckOptions } from '../../lite/proofs/proof-scope.ts';
import { getAccountStatePruned } from '../../lite/queries/get-account-state-pruned.ts';
import { getTransactions, type TransactionPlace } from '../../lite/queries/get-transactions.ts';
import { readHistory } from '../../lite/queries/read-history.ts';
import type { AccountPlace } from '../emulation-ground.ts';

/** What is seen of accounts at the newest block, through lite servers. */
export interface ChainEye {
  /** The newest masterchain block; 0 before the first. */
  headSeqno(): number;
  onHead(listener: () => void): () => void;
  /** The last transaction of an account; a logical time of zero where there is none. */
  newest(account: AccountPlace): Promise<TransactionPlace>;
  /** Transactions of an account back from one to a logical time, which is left out; newest first, so many at most. */
  history(
    account: AccountPlace,
    from: TransactionPlace,
    toLt: bigint,
    most: number,
  ): Promise<readonly AccountTransaction[]>;
}

interface ChainEyeOptions {
  readonly pool: Pick<LitePool, 'session' | 'head' | 'onHead'>;
  readonly check: CheckOptions;
}

/** Time for one look. */
const BUDGET_MS = 5000;
const MAX_SEEN = 10_000;

/** Opens an eye on the chain. What it sees of an account is asked for once a block: many messages are for the same. */
export function createChainEye({ pool, check }: ChainEyeOptions): ChainEye {
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

  async function newest(account: AccountPlace): Promise<TransactionPlace> {
    const session = await pool.session({ budgetMs: BUDGET_MS });
    const { lastTransLt: lt, lastTransHash: hash } = await session.run(({ query, reference }) =>
      getAccountStatePruned(query, reference, account, check),
    );
    return { lt, hash };
  }

  async function history(
    account: AccountPlace,
    from: TransactionPlace,
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
    newest: (account) => once(nameOf(account), () => newest(account)),
    history: (account, from, toLt, most) =>
      once(`${nameOf(account)} ${from.lt} ${toLt} ${most}`, () => history(account, from, toLt, most)),
  };
}

function nameOf({ workchain, hash }: AccountPlace): string {
  return `${workchain}:${hash.toString('latin1')}`;
}
