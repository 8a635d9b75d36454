import { hasMasterchainBlock } from '../../db/queries/masterchain-blocks.ts';
import { traceOrder } from '../../db/queries/trace-order.ts';
import { readTraceTransactions } from '../../db/queries/trace-transactions.ts';
import { readTraces } from '../../db/queries/traces.ts';
import { Failure } from '../../lib/failure.ts';
import { loadBooks } from '../books.ts';
import type { V3Call } from '../call.ts';
import { notePage, openPage } from '../page.ts';
import { readIndex } from '../read-index.ts';
import { accountsOf } from '../transactions/transaction.ts';
import { chooseShown } from './choose-shown.ts';
import { toTrace } from './trace.ts';
import { toTraceFilters } from './trace-filters.ts';
import type { TraceListValues } from './trace-list-params.ts';

/** A page of traces with their transactions, and what is to be said of the addresses in them. */
export async function loadTraces(call: V3Call, params: TraceListValues) {
  const [filters, { sort, include_actions }] = [toTraceFilters(params), params];
  const { mcSeqno: seqno } = filters;
  const keys = traceOrder({ filters, sort });
  const page = openPage(params, keys);
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const rows = await readTraces(db, { filters, sort, page });
    notePage(call, keys, page, rows);
    const { shown, omitted } = chooseShown(rows);
    const transactions = await readTraceTransactions(db, { traces: shown });
    const books = await loadBooks(call, db, [...transactions.values()].flatMap(accountsOf));
    const traces = rows.map((row) => ({
      ...toTrace(row, omitted.get(row) ?? transactions.get(row.trace_id.toString('hex')) ?? []),
      // Their place until the index has actions.
      ...(include_actions && { actions: [] }),
    }));
    return { traces, ...books };
  });
}
