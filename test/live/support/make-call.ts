import { createLiveCaches } from '../../../src/live/caches.ts';
import type { LiveCall, LivePorts } from '../../../src/live/session.ts';
import type { createQuietLog } from '../../support/quiet-log.ts';
import type { V2TestApp } from '../../v2/support/v2-app.ts';

/** Creates a call as a transport does, for tests of the functions behind the operations. */
export function createCall(
  { pool, vm, log }: Pick<V2TestApp, 'pool' | 'vm'> & { readonly log: ReturnType<typeof createQuietLog> },
  ports: Partial<LivePorts> = {},
  call: Partial<LiveCall> = {},
): LiveCall {
  return {
    ports: {
      clock: () => Date.now() / 1000,
      pool: () => pool,
      check: { verify: true },
      vm,
      getMethods: 'local',
      caches: createLiveCaches(),
      requestMs: 60_000,
      pending: { accepted: () => {} },
      resender: undefined as never,
      ...ports,
    },
    log: log as never,
    group: undefined,
    deadlineMs: performance.now() + 60_000,
    signal: new AbortController().signal,
    usedServers: [],
    immutable: false,
    vmMs: 0,
    ...call,
  };
}
