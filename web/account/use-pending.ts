import { useEffect, useRef, useState } from 'preact/hooks';
import { learnNames } from '../api/address-names.ts';
import { apiKey, get } from '../api/client.ts';
import { openStream } from '../api/stream.ts';
import type { Action } from '../api/v3.d.ts';

/** Actions that are not in a block yet, by the normalized hash of the external message they follow from. */
type PendingActions = ReadonlyMap<string, readonly Action[]>;

/** Several events belong to one block, and busy accounts change in all of them. */
const CHANGE_PAUSE_MS = 1000;
/** Without a key there is one request per second, and a change needs several. */
const ANONYMOUS_PAUSE_MS = 6000;

/** Watches an account: its pending actions as they come and go. `onChange` is called when a block changed it. */
export function usePending(
  address: string,
  onChange: () => void,
): { readonly actions: readonly Action[]; readonly isLive: boolean } {
  const [pending, setPending] = useState<PendingActions>(new Map());
  const [isLive, setLive] = useState(false);
  const changed = useRef(onChange);
  changed.current = onChange;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const put = (key: string, actions: readonly Action[]) =>
      setPending((before) => {
        const after = new Map(before);
        if (actions.length === 0) after.delete(key);
        else after.set(key, actions);
        return after;
      });
    const close = openStream(
      {
        types: ['actions', 'account_state_change'],
        addresses: [address],
        min_finality: 'pending',
        include_address_book: true,
        include_metadata: true,
      },
      {
        onState: setLive,
        onEvent: (event) => {
          learnNames(event);
          const key = String(event.trace_external_hash_norm);
          if (event.type === 'trace_invalidated') put(key, []);
          else if (event.type === 'actions' && event.finality === 'pending')
            put(key, event.actions as readonly Action[]);
          else {
            if (event.type === 'actions') put(key, []);
            timer ??= setTimeout(
              () => {
                timer = undefined;
                changed.current();
              },
              apiKey.peek() === '' ? ANONYMOUS_PAUSE_MS : CHANGE_PAUSE_MS,
            );
          }
        },
      },
    );
    // Actions that were pending before the stream was open.
    get('/api/v3/pendingActions', { account: address }, abort.signal).then(
      ({ actions }) => {
        for (const [key, ofTrace] of Map.groupBy(actions, messageOf)) put(key, ofTrace);
      },
      () => {
        // The page works without: the stream tells of new ones.
      },
    );
    return () => {
      abort.abort();
      close();
      clearTimeout(timer);
    };
  }, [address]);
  return { actions: [...pending.values()].flat(), isLive };
}

function messageOf(action: Action): string {
  return action.trace_external_hash_norm ?? action.trace_external_hash ?? '';
}
