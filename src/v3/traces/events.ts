import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import type { PageLimits } from '../params/limit.ts';
import { loadTraces } from './load-traces.ts';
import { traceSchema } from './trace.ts';
import { NO_BLOCK, TRACE_REFUSALS, traceExample } from './trace-examples.ts';
import { traceListParams } from './trace-list-params.ts';

/** Traces under their older name, always with actions. */
export function createEvents(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'events',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces with their actions, under an older name',
    description: 'Use `traces` with `include_actions`.',
    parameters: traceListParams(limits),
    result: Type.Object({ events: Type.Array(traceSchema), ...booksSchema }),
    errors: [NO_BLOCK],
    cache: 'head',
    examples: [traceExample('events'), ...TRACE_REFUSALS],
    handler: async (params, call: V3Call) => {
      const { traces, ...books } = await loadTraces(call, { ...params, include_actions: true });
      return { events: traces, ...books };
    },
  });
}
