import { useEffect } from 'preact/hooks';
import { openStream } from '../api/stream.ts';
import type { Trace } from '../api/v3.d.ts';

/** Without a stream. */
const POLL_MS = 2000;

/** Loads a trace that is not complete again whenever a stream tells of it; without a stream, now and then. */
export function useUnfinished(trace: Trace | null | undefined, reload: () => void): void {
  const isUnfinished = trace?.trace_info.trace_state === 'pending';
  const message = trace?.external_hash;
  useEffect(() => {
    if (!isUnfinished) return;
    let isOpen = false;
    const timer = setInterval(() => {
      if (!isOpen && !document.hidden) reload();
    }, POLL_MS);
    const close =
      message === null || message === undefined
        ? undefined
        : openStream(
            { types: ['trace'], trace_external_hash_norms: [message], min_finality: 'pending' },
            {
              onEvent: reload,
              onState: (open) => {
                isOpen = open;
                // Events before it was open are missing.
                if (open) reload();
              },
            },
          );
    return () => {
      clearInterval(timer);
      close?.();
    };
  }, [isUnfinished, message, reload]);
}
