import type { Channel } from '../lib/channel.ts';
import type { SharedChanges } from '../pending/changes.ts';
import type { TraceDepot } from '../pending/depot-store.ts';
import type { Crew, Member } from './crew.ts';

type Trace = Parameters<TraceDepot['put']>[0];
type Query = Parameters<TraceDepot['find']>[0];

interface Kept extends Trace {
  readonly member: Member;
}

interface TraceLimits {
  /** The oldest traces are dropped. */
  readonly maxTraces: number;
  readonly maxBytes: number;
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
  /** By age; a replaced trace keeps its place. */
  const traces = new Map<string, Kept>();
  const byAccount = new Map<string, Set<string>>();
  const byMessage = new Map<string, string>();
  let bytes = 0;

  function put(trace: Kept): void {
    const older = traces.get(trace.key);
    if (older !== undefined) unlink(older);
    traces.set(trace.key, trace);
    bytes += trace.text.length;
    byMessage.set(trace.message, trace.key);
    for (const account of trace.accounts) {
      const keys = byAccount.get(account);
      if (keys === undefined) byAccount.set(account, new Set([trace.key]));
      else keys.add(trace.key);
    }
    for (const oldest of traces.values()) {
      if (traces.size <= limits.maxTraces && bytes <= limits.maxBytes) break;
      remove(oldest);
    }
  }

  function unlink({ key, message, accounts, text }: Kept): void {
    bytes -= text.length;
    if (byMessage.get(message) === key) byMessage.delete(message);
    for (const account of accounts) {
      const keys = byAccount.get(account);
      keys?.delete(key);
      if (keys?.size === 0) byAccount.delete(account);
    }
  }

  function remove(trace: Kept): void {
    if (traces.get(trace.key) !== trace) return;
    traces.delete(trace.key);
    unlink(trace);
  }

  function find(query: Query): string[] {
    const keys =
      'accounts' in query
        ? query.accounts.flatMap((account) => [...(byAccount.get(account) ?? [])].reverse())
        : query.keys.map((key) => byMessage.get(key) ?? key);
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
    channel.on('putTrace', (trace: Trace) => put({ ...trace, member }));
    channel.on('removeTrace', (key: string) => {
      const trace = traces.get(key);
      if (trace !== undefined) remove(trace);
    });
    channel.on('findTraces', find);
    channel.on('traceChange', (text: string) => crew.tellOthers(member, 'traceChange', text));
  });
  crew.onLeave((member) => {
    const orphans = [...traces.values()].filter((trace) => trace.member === member);
    if (orphans.length === 0) return;
    const [heir] = crew.ready('worker');
    heir?.channel.notify(
      'adoptTraces',
      orphans.map(({ key }) => key),
    );
    setTimeout(() => {
      for (const trace of orphans) remove(trace);
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
