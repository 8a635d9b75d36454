import { randomBytes } from 'node:crypto';
import {
  type PendingChange,
  type PendingEndReason,
  type PendingTrace,
  type TraceStore,
  traceKey,
} from './pending-traces.ts';

/** Tells those who watch pending traces what happens to them. */
export type PendingChanges = ReturnType<typeof createPendingChanges>;

/** How processes share changes: notices over a channel, traces in the store. */
export interface SharedChanges {
  /** On the way on which traces are stored, so that a trace is there when the notice arrives. */
  readonly publish: (text: string) => void;
  readonly subscribe: (onMessage: (text: string) => void) => { close(): void };
  readonly find: TraceStore['find'];
}

const NOTICE = /^(\w+) (first|shown|indexed|expired|superseded|rolled_back) ([0-9a-f]{64})$/;

/** Creates the notices of this process, and of others if there is a store that they share. */
export function createPendingChanges(shared?: SharedChanges) {
  const listeners = new Set<(change: PendingChange) => void>();
  // Tells our own notices from those of others.
  const sender = randomBytes(8).toString('hex');
  // A trace that cannot be read is not shown as pending; nothing depends on it.
  const channel = shared?.subscribe((text) => void receive(text).catch(() => {}));

  function tell(change: PendingChange): void {
    for (const listener of listeners) listener(change);
  }

  function publish(what: string, normalizedHash: Buffer): void {
    shared?.publish(`${sender} ${what} ${traceKey(normalizedHash)}`);
  }

  async function receive(text: string): Promise<void> {
    const [, from, what, key] = NOTICE.exec(text) ?? [];
    if (from === undefined || from === sender || listeners.size === 0) return;
    const normalizedHash = Buffer.from(key!, 'hex');
    if (what !== 'first' && what !== 'shown') {
      tell({ kind: 'ended', normalizedHash, reason: what as PendingEndReason });
      return;
    }
    const [trace] = await shared!.find({ messages: [normalizedHash] });
    if (trace !== undefined) tell({ kind: 'shown', normalizedHash, trace, isFirst: what === 'first' });
  }

  return {
    shown(trace: PendingTrace, isFirst: boolean): void {
      const { normalizedHash } = trace;
      tell({ kind: 'shown', normalizedHash, trace, isFirst });
      publish(isFirst ? 'first' : 'shown', normalizedHash);
    },
    ended(normalizedHash: Buffer, reason: PendingEndReason): void {
      tell({ kind: 'ended', normalizedHash, reason });
      publish(reason, normalizedHash);
    },
    watch(listener: (change: PendingChange) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => channel?.close(),
  };
}
