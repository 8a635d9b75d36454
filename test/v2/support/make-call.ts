import type { V2Call, V2Ports } from '../../../src/v2/call.ts';
import { createMemory } from '../../../src/v2/memory.ts';
import type { createQuietLog } from '../../support/quiet-log.ts';
import type { V2Ground } from './v2-ground.ts';

/** A call as a transport makes it, for what lies behind the operations. */
export function makeCall(
  { pool, vm, log }: Pick<V2Ground, 'pool' | 'vm'> & { readonly log: ReturnType<typeof createQuietLog> },
  ports: Partial<V2Ports> = {},
  call: Partial<V2Call> = {},
): V2Call {
  return {
    ports: {
      ...{ clock: () => Date.now() / 1000, pool: () => pool, check: { verify: true }, vm },
      ...{ getMethods: 'local', memory: createMemory(), requestMs: 60_000 },
      pending: { accepted: () => {} },
      resender: undefined as never,
      ...ports,
    },
    log: log as never,
    group: undefined,
    deadlineMs: performance.now() + 60_000,
    signal: new AbortController().signal,
    bound: [],
    lasting: false,
    ...call,
  };
}
