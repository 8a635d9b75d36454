import { fromAccountBytes } from '../../chain/address.ts';
import type { BlockId } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/bag.ts';
import { accountCells } from '../../chain/contracts/account-cells.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { type FetchContext, onServer } from '../../lite/fetch-context.ts';
import { getAccountState } from '../../lite/methods/accounts.ts';
import { getZeroState } from '../../lite/methods/blocks.ts';
import { fetchStates } from './account-states.ts';
import type { ChainSource } from './chain-source.ts';
import { fetchSeqnos } from './fetch-seqnos.ts';
import { zeroStatesOf } from './zero-states.ts';

/** Creates a source that reads from lite servers. */
export function createLiteSource(context: FetchContext): ChainSource {
  const { pool, check, signal } = context;
  return {
    signal,
    lagOf: (seqno) => (pool.head?.seqno ?? 0) - seqno,
    seqnos: (range, limits) => fetchSeqnos(context, range, limits),
    zeroStates: () =>
      retryUntilDone(() => fetchZeroStates(context), { ...context, task: 'fetch the zero states' }),
    states: (changes, options) => fetchStates(context, changes, options),
    async account(block, bytes, { timeoutMs }) {
      const session = await pool.session({ seqno: block.seqno, budgetMs: timeoutMs, signal });
      const { account } = await session.run(({ query }) =>
        getAccountState(query, block, fromAccountBytes(bytes), check),
      );
      return account && accountCells(account);
    },
  };
}

/** Fetches the zero states of all workchains. */
export async function fetchZeroStates(context: FetchContext): Promise<CellBag[]> {
  const fetchOne = (id: BlockId): Promise<CellBag> =>
    onServer(context, 1, ({ query }) => getZeroState(query, id, context.check));
  const masterchain = await fetchOne(context.pool.zeroState);
  return [masterchain, ...(await Promise.all(zeroStatesOf(masterchain).map(fetchOne)))];
}
