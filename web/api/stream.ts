import { fetchCall, keyHeader, note } from './client.ts';

/** The events that a stream is asked for; see docs/streaming.md. */
export interface Subscription {
  readonly types: readonly string[];
  readonly addresses?: readonly string[];
  readonly trace_external_hash_norms?: readonly string[];
  readonly min_finality?: 'finalized' | 'pending';
  readonly include_address_book?: boolean;
  readonly include_metadata?: boolean;
}

/** An event; its other members depend on its type. */
export interface StreamEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

interface StreamHandlers {
  readonly onEvent: (event: StreamEvent) => void;
  /** Whether events arrive; false while the stream is opened, and for good where the server has none. */
  readonly onState?: (isOpen: boolean) => void;
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
const PATH = '/api/streaming/v2/sse';

/**
 * Opens a stream of events and opens it again when it ends; returns the function that closes it. It is read by `fetch`
 * and not by `EventSource`, which would put the key into the URL.
 */
export function openStream(subscription: Subscription, { onEvent, onState }: StreamHandlers): () => void {
  const abort = new AbortController();
  const call = { method: 'POST', url: PATH, body: JSON.stringify(subscription) } as const;
  note(call);

  let pauseMs = FIRST_PAUSE_MS;
  async function run(): Promise<void> {
    while (!abort.signal.aborted) {
      const isGone = await readOnce().catch(() => false);
      if (abort.signal.aborted) return;
      onState?.(false);
      // The server has no streams, or does not want this one.
      if (isGone) return;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  /** Reads one connection to its end; true if there is no use in another one. */
  async function readOnce(): Promise<boolean> {
    const response = await fetchCall(call, keyHeader(), abort.signal);
    if (!response.ok || response.body === null) return [400, 401, 403, 404, 422].includes(response.status);
    pauseMs = FIRST_PAUSE_MS;
    onState?.(true);
    let rest = '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return false;
      const parts = (rest + value).split('\n\n');
      rest = parts.pop()!;
      for (const part of parts) {
        const event = eventOf(part);
        if (event !== undefined) onEvent(event);
      }
    }
  }

  void run();
  return () => abort.abort();
}

function eventOf(part: string): StreamEvent | undefined {
  const data = part
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5))
    .join('\n');
  if (data === '') return undefined;
  const value = JSON.parse(data) as Partial<StreamEvent> | null;
  // The answer to the subscription has a status and no type.
  return typeof value?.type === 'string' ? (value as StreamEvent) : undefined;
}
