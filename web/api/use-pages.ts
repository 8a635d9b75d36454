import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type CallError, type GetAnswer, type GetPath, getPage, type Query, type RowOf } from './client.ts';
import { type CallState, toCallError, useCall } from './use-call.ts';

export interface Pages<Row> extends CallState<readonly Row[]> {
  readonly more?: (() => void) | undefined;
  readonly isLoadingMore: boolean;
  readonly keyOf: (row: Row) => string;
}

interface Shown<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
}

/**
 * Loads the list `name` of an answer page by page; `id` tells its rows from each other. `reload`, or another `round`, loads
 * the first page again and leaves further ones that join it.
 */
export function usePages<Path extends GetPath, Name extends keyof GetAnswer<Path>>(
  path: Path,
  query: Query<Path>,
  [name, id]: readonly [Name, keyof RowOf<Path, Name>],
  round = 0,
): Pages<RowOf<Path, Name>> {
  type Row = RowOf<Path, Name>;
  const keyOf = (row: Row) => String(row[id]);
  const key = path + JSON.stringify(query);
  async function load(abort: AbortSignal, cursor?: string): Promise<Shown<Row>> {
    const { answer, next } = await getPage(path, cursor === undefined ? query : { ...query, cursor }, abort);
    return { key, rows: answer[name] as readonly Row[], next };
  }
  const first = useCall(load, key);
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
      const page = await load(abort.signal, shown.next);
      if (abort.signal.aborted) return;
      setGrown({ ...page, rows: unique([...shown.rows, ...page.rows], keyOf) });
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
  if (!grown.rows.some((row) => keys.has(keyOf(row)))) return first;
  return { ...grown, rows: unique([...first.rows, ...grown.rows], keyOf) };
}

/** The first of the rows with the same key. */
function unique<Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] {
  const keys = new Set<string>();
  return rows.filter((row) => keys.size !== keys.add(keyOf(row)).size);
}
