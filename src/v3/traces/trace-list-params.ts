import type { ParameterValues } from '../../http/operation.ts';
import { pageParams } from '../page.ts';
import { booleanParam } from '../params/boolean.ts';
import type { PageLimits } from '../params/limit.ts';
import { listParam } from '../params/list.ts';
import { plainStringKind } from '../params/plain-string.ts';
import { sortParam } from '../params/sort.ts';
import { traceFilterParams } from './trace-filters.ts';

const MAX_ACTION_TYPES = 1000;

/** The parameters of lists of traces. */
export function traceListParams(limits: PageLimits) {
  return {
    ...traceFilterParams(),
    include_actions: booleanParam({ description: 'Show the actions of each trace.', fallback: false }),
    supported_action_types: listParam(plainStringKind, {
      description: 'Types of actions that the caller knows; the header X-Actions-Version replaces it.',
      max: MAX_ACTION_TYPES,
    }),
    ...pageParams(limits),
    sort: sortParam({ description: 'Direction of the order.', fallback: 'desc' }),
  };
}

/** What a request for traces said. */
export type TraceListValues = ParameterValues<ReturnType<typeof traceListParams>>;
