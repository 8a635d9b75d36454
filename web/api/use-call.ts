import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CallError, type GetAnswer, type GetPath, get, type Query } from './client.ts';

/** At most one of answer and error is set, and none while the call runs for the first time. */
export interface CallState<Answer> {
  readonly data?: Answer | undefined;
  readonly error?: CallError | undefined;
  /** Makes the call again; the earlier answer stays until the new one is there. */
  readonly reload: () => void;
}

/** Makes a GET when a component is shown and whenever the parameters change. A query of null makes no call. */
export function useGet<Path extends GetPath>(
  path: Path,
  query: Query<Path> | null,
): CallState<GetAnswer<Path>> {
  return useCall((abort) => get(path, query!, abort), query === null ? null : path + JSON.stringify(query));
}

/** The same for several calls, or calls that follow from each other. `key` tells one work from another; null does nothing. */
export function useCall<Answer>(
  work: (abort: AbortSignal) => Promise<Answer>,
  key: string | null,
): CallState<Answer> {
  type Result = Pick<CallState<Answer>, 'data' | 'error'>;
  const [state, setState] = useState<Result & { readonly key: string | null }>({ key: null });
  const [round, setRound] = useState(0);
  const running = useRef<{ isWantedAgain: boolean } | null>(null);
  // The key stands for the work.
  useEffect(() => {
    if (key === null) return;
    const abort = new AbortController();
    const run = { isWantedAgain: false };
    running.current = run;
    const end = (result: Result) => {
      if (abort.signal.aborted) return;
      running.current = null;
      setState({ key, ...result });
      if (run.isWantedAgain) setRound((count) => count + 1);
    };
    work(abort.signal).then(
      (data) => end({ data }),
      (error: unknown) => end({ error: toCallError(error) }),
    );
    return () => {
      running.current = null;
      abort.abort();
    };
  }, [key, round]);
  // A call that is under way ends first: aborted again and again, a slow one would never end.
  const reload = useCallback(() => {
    if (running.current === null) setRound((count) => count + 1);
    else running.current.isWantedAgain = true;
  }, []);
  return state.key === key ? { data: state.data, error: state.error, reload } : { reload };
}

/** Calls `refresh` again and again while the window is visible; null stops it. */
export function useRefresh(refresh: () => void, everyMs: number | null): void {
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => {
      if (!document.hidden) refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [refresh, everyMs]);
}

export function toCallError(error: unknown): CallError {
  return error instanceof CallError
    ? error
    : new CallError(0, error instanceof Error ? error.message : String(error));
}
