import type { BlockId } from '../../chain/block-id.ts';
import { LiteBudgetSpent, NoLiteServer } from '../../lite/errors.ts';
import { failureClassOf } from '../../lite/failure-class.ts';
import type { CheckOptions } from '../../lite/proofs/proof-scope.ts';
import type { LiteTarget } from '../../lite/session.ts';
import type { FetchPool } from '../fetch/fetch-context.ts';
import { FetchGate } from '../fetch/fetch-gate.ts';
import type { BatchScope } from './batch-scope.ts';
import type { CountedFigures } from './detection-figures.ts';

/** A question about the chain at a block. */
type Question<T> = (query: LiteTarget['query'], block: BlockId, check: CheckOptions) => Promise<T>;

interface LiteAskerOptions {
  readonly pool: Pick<FetchPool, 'session'>;
  readonly check: CheckOptions;
  readonly figures: CountedFigures;
}

const AT_ONCE = 8;
/** After so many questions in a row without an answer nobody is asked any more in this batch. */
const MOST_SILENT = 4;

/** Asks lite servers for one batch. */
export class LiteAsker {
  readonly #options: LiteAskerOptions;
  readonly #scope: BatchScope;
  readonly #gate = new FetchGate(AT_ONCE);
  #silent = 0;

  constructor(options: LiteAskerOptions, scope: BatchScope) {
    this.#options = options;
    this.#scope = scope;
  }

  /** Asks about a block, or the head if it is left out. Throws what servers say, or Undecided if they say nothing. */
  ask<T>(block: BlockId | undefined, question: Question<T>): Promise<T> {
    const { pool, check, figures } = this.#options;
    return this.#gate.run(async () => {
      const budgetMs = this.#scope.left();
      if (this.#silent >= MOST_SILENT) throw this.#scope.undecided();
      figures.asked += 1;
      try {
        const session = await pool.session({ seqno: block?.seqno, budgetMs, signal: this.#scope.limit });
        const answer = await session.run(({ query, reference }) =>
          question(query, block ?? reference, check),
        );
        this.#silent = 0;
        return answer;
      } catch (error) {
        if (this.#scope.limit.aborted) throw this.#scope.undecided(error);
        if (isSilence(error)) this.#silent += 1;
        throw error;
      }
    });
  }
}

function isSilence(error: unknown): boolean {
  if (error instanceof NoLiteServer || error instanceof LiteBudgetSpent) return true;
  return failureClassOf(error) === 'network';
}
