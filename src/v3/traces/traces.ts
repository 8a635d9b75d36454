import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import type { PageLimits } from '../params/limit.ts';
import { loadTraces } from './load-traces.ts';
import { traceSchema } from './trace.ts';
import { NO_BLOCK, TRACE_REFUSALS, traceExample } from './trace-examples.ts';
import { traceListParams } from './trace-list-params.ts';

/** Traces that are complete, with their transactions. */
export function createTraces(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'traces',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Traces',
    description:
      'By the greatest logical time in them, or by the time of their end when a time is given, then by id. A trace is listed when all its messages have arrived.',
    parameters: traceListParams(limits),
    result: Type.Object({ traces: Type.Array(traceSchema), ...booksSchema }),
    errors: [NO_BLOCK],
    cache: 'head',
    examples: [traceExample('traces'), ...TRACE_REFUSALS],
    handler: (params, call: V3Call) => loadTraces(call, params),
  });
}
