import type { Channel } from '../lib/channel.ts';
import { createEvictingIndex, type EvictingLimits, type IndexedEntry } from '../lib/evicting-index.ts';
import type { SharedChanges } from '../pending/changes.ts';
import type { TraceDepot } from '../pending/depot-store.ts';
import type { Crew, Member } from './crew.ts';

type Trace = Parameters<TraceDepot['put']>[0];
type Query = Parameters<TraceDepot['find']>[0];

interface Kept extends IndexedEntry {
  readonly member: Member;
  readonly text: string;
}

interface TraceLimits extends EvictingLimits {
  /** Traces per response. */
  readonly maxFound: number;
}

/** How long traces of a worker that has ended are kept for the one that takes them over. */
const ORPHAN_MS = 60_000;

/** Keeps the pending traces of all workers; those of one that ends are taken over by another. */
export function keepTraces(
  crew: Pick<Crew, 'onJoin' | 'onLeave' | 'ready' | 'tellOthers'>,
  limits: TraceLimits,
) {
  const traces = createEvictingIndex<Kept>(limits);

  function find(query: Query): string[] {
    const keys =
      'accounts' in query
        ? query.accounts.flatMap((account) => [...traces.inGroup(account)].reverse())
        : query.keys.map(traces.keyOf);
    const texts: string[] = [];
    for (const key of new Set(keys)) {
      const trace = traces.get(key);
      if (trace !== undefined) texts.push(trace.text);
      if (texts.length >= limits.maxFound) break;
    }
    return texts;
  }

  crew.onJoin((member) => {
    const { channel } = member;
    channel.on('putTrace', ({ key, message, accounts, text }: Trace) => {
      traces.put(key, { member, alias: message, groups: accounts, text, bytes: text.length });
    });
    channel.on('removeTrace', traces.remove);
    channel.on('findTraces', find);
    channel.on('traceChange', (text: string) => crew.tellOthers(member, 'traceChange', text));
  });
  crew.onLeave((member) => {
    const orphans = [...traces.all()].filter(([, trace]) => trace.member === member);
    if (orphans.length === 0) return;
    const [heir] = crew.ready('worker');
    heir?.channel.notify(
      'adoptTraces',
      orphans.map(([key]) => key),
    );
    setTimeout(() => {
      // Those that were replaced have another owner.
      for (const [key, trace] of orphans) if (traces.get(key) === trace) traces.remove(key);
    }, ORPHAN_MS).unref();
  });
}

/** The pending traces of all workers. */
export function shareTraces(channel: Channel) {
  return {
    depot: {
      put: (trace) => channel.notify('putTrace', trace),
      remove: (key) => channel.notify('removeTrace', key),
      find: (query) => channel.call<string[]>('findTraces', query).catch(() => []),
    } satisfies TraceDepot,
    publish: (text) => channel.notify('traceChange', text),
    subscribe(onMessage) {
      channel.on('traceChange', onMessage);
      return { close() {} };
    },
    /** Sets who goes on with the traces of a worker that has ended. */
    onAdopt: (adopt: (keys: readonly string[]) => void) => channel.on('adoptTraces', adopt),
  } satisfies Omit<SharedChanges, 'find'> & Record<string, unknown>;
}
