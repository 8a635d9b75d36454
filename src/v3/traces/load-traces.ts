import { readClassificationStates } from '../../db/queries/classification-states.ts';
import { hasMasterchainBlock } from '../../db/queries/masterchain-blocks.ts';
import { readTraceActions } from '../../db/queries/trace-actions.ts';
import { traceOrder } from '../../db/queries/trace-order.ts';
import { readTraceTransactions } from '../../db/queries/trace-transactions.ts';
import { readTraces } from '../../db/queries/traces.ts';
import { Failure } from '../../lib/failure.ts';
import { supportedTypes } from '../actions/action-params.ts';
import { createActionWriter } from '../actions/action-writer.ts';
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
  const supported = supportedTypes(call, params);
  const types = { shown: supported, hiding: supported };
  const keys = traceOrder({ filters, sort });
  const page = openPage(params, keys);
  return readIndex(call, async (db) => {
    if (seqno !== undefined && !(await hasMasterchainBlock(db, { seqno })))
      throw new Failure('not_found', `masterchain block ${seqno} not found`);
    const rows = await readTraces(db, { filters, sort, page });
    notePage(call, keys, page, rows);
    const { shown, omitted } = chooseShown(rows);
    const transactions = await readTraceTransactions(db, { traces: shown });
    const states = await readClassificationStates(db, { traces: rows });
    const writer = createActionWriter(call);
    const actions = include_actions ? await readTraceActions(db, { traces: shown, types }) : undefined;
    const traces = rows.map((row) => {
      const id = row.trace_id.toString('hex');
      const content = omitted.get(row) ?? transactions.get(id) ?? [];
      return {
        ...toTrace(row, states.get(id) ?? 'unclassified', content, call.bodies),
        ...(actions && { actions: (actions.get(id) ?? []).map(writer.write) }),
      };
    });
    const accounts = [...[...transactions.values()].flatMap(accountsOf), ...writer.accounts];
    return { traces, ...(await loadBooks(call, db, accounts)) };
  });
}
