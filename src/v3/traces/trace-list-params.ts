import type { ParameterValues } from '../../http/operation.ts';
import { supportedTypesParam } from '../actions/action-params.ts';
import { pageParams } from '../page.ts';
import { booleanParam } from '../params/boolean.ts';
import type { PageLimits } from '../params/limit.ts';
import { sortParam } from '../params/sort.ts';
import { traceFilterParams } from './trace-filters.ts';

/** The parameters of lists of traces. */
export function traceListParams(limits: PageLimits) {
  return {
    ...traceFilterParams(),
    include_actions: booleanParam({ description: 'Show the actions of each trace.', fallback: false }),
    ...supportedTypesParam(),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** What a request for traces said. */
export type TraceListValues = ParameterValues<ReturnType<typeof traceListParams>>;
