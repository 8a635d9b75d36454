import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type CallError, type GetAnswer, type GetPath, getPage, type Query } from './client.ts';
import { type CallState, toCallError, useCall } from './use-call.ts';

/** A list of which more can be loaded. */
export interface Pages<Row> extends CallState<readonly Row[]> {
  /** Loads the next page; undefined if there is none. */
  readonly more?: (() => void) | undefined;
  readonly isLoadingMore: boolean;
  readonly keyOf: (row: Row) => string;
}

interface PagesOptions<Path extends GetPath, Row> {
  /** Null makes no call. */
  readonly query: Query<Path> | null;
  readonly rowsOf: (answer: GetAnswer<Path>) => readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Another number loads the first page again. */
  readonly round?: number;
}

interface Shown<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/** Loads a list page by page. `reload` loads the first page again and leaves further ones that join it. */
export function usePages<Path extends GetPath, Row>(
  path: Path,
  { query, rowsOf, keyOf, round = 0 }: PagesOptions<Path, Row>,
): Pages<Row> {
  const key = query === null ? null : path + JSON.stringify(query);
  const first = useCall(async (abort): Promise<Shown<Row>> => {
    const { answer, next } = await getPage(path, query!, abort);
    return { key: key!, rows: rowsOf(answer), next };
  }, key);
  /** All rows when the last further page was loaded. */
  const [grown, setGrown] = useState<Shown<Row>>();
  const [failure, setFailure] = useState<CallError>();
  const loading = useRef<AbortController>(null);
  const [isLoadingMore, setLoadingMore] = useState(false);
  useEffect(
    () => () => {
      loading.current?.abort();
      setLoadingMore(false);
      setFailure(undefined);
    },
    [key],
  );

  const reload = useCallback(() => {
    setFailure(undefined);
    first.reload();
  }, [first.reload]);
  const shownRound = useRef(round);
  useEffect(() => {
    if (shownRound.current !== round) reload();
    shownRound.current = round;
  }, [round, reload]);
  const { data, error = failure } = first;
  if (data === undefined || error !== undefined) return { error, reload, isLoadingMore: false, keyOf };
  const shown = grown?.key === key ? joined(data, grown!, keyOf) : data;

  async function loadMore(): Promise<void> {
    if (isLoadingMore) return;
    const abort = new AbortController();
    loading.current = abort;
    setLoadingMore(true);
    try {
      const page = await getPage(path, { ...query!, cursor: shown.next }, abort.signal);
      if (abort.signal.aborted) return;
      const keys = new Set(shown.rows.map(keyOf));
      const added = rowsOf(page.answer).filter((row) => !keys.has(keyOf(row)));
      setGrown({ key: shown.key, rows: [...shown.rows, ...added], next: page.next });
    } catch (failed) {
      if (!abort.signal.aborted) setFailure(toCallError(failed));
    } finally {
      if (!abort.signal.aborted) setLoadingMore(false);
    }
  }

  return {
    data: shown.rows,
    reload,
    isLoadingMore,
    keyOf,
    more: shown.next === undefined ? undefined : () => void loadMore(),
  };
}

/** New rows before those that were loaded; if they have none in common, rows between them are missing, and only the new ones stay. */
function joined<Row>(first: Shown<Row>, grown: Shown<Row>, keyOf: (row: Row) => string): Shown<Row> {
  const keys = new Set(first.rows.map(keyOf));
  const older = grown.rows.filter((row) => !keys.has(keyOf(row)));
  if (older.length === grown.rows.length) return first;
  return { key: first.key, rows: [...first.rows, ...older], next: grown.next };
}
