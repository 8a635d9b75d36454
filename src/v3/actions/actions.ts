import Type from 'typebox';
import { defineOperation, type Operation } from '../../http/operation.ts';
import { booksSchema } from '../books.ts';
import type { V3Call } from '../call.ts';
import type { PageLimits } from '../params/limit.ts';
import { actionSchema } from './action.ts';
import { ACTION_EXAMPLES } from './action-examples.ts';
import { actionListParams } from './action-params.ts';
import { loadActions } from './load-actions.ts';

/** What happened in traces that are complete. */
export function createActions(limits: PageLimits): Operation<V3Call> {
  return defineOperation({
    name: 'actions',
    methods: ['GET'],
    tag: 'actions',
    summary: 'Actions',
    description:
      'What happened, in words: transfers, swaps, stakes … By the greatest logical time in their trace, or by the time of its end when a time is given. Actions are listed when their trace is complete and has been looked at. All filters count together.',
    parameters: actionListParams(limits),
    result: Type.Object({ actions: Type.Array(actionSchema), ...booksSchema }),
    errors: [{ code: 404, when: 'The masterchain block is not in the index' }],
    cache: 'head',
    examples: ACTION_EXAMPLES,
    handler: (params, call: V3Call) => loadActions(call, params),
  });
}
