import { storedText } from '../stored.ts';
import type { paths as Paths } from './admin.d.ts';
import {
  fetchCall,
  keyHeader,
  type MadeCall,
  note,
  type Ok,
  type PathOf,
  readBody,
  urlOf,
} from './client.ts';

export type AdminAnswer<Path extends PathOf<Paths, 'get'>> = Ok<Paths[Path]['get']>;

/** The administration key; stored until the tab is closed. */
export const adminKey = storedText('admin-key', 'sessionStorage');

/** Values of a path and of the query, or the body. */
interface CallOptions {
  readonly id?: string;
  readonly query?: object;
  readonly body?: object;
}

/** Reads from the administration; rejects with a `CallError`. Its calls count against no rate, so they need no pace. */
export function adminGet<Path extends PathOf<Paths, 'get'>>(
  path: Path,
  { id, query = {} }: CallOptions = {},
  abort?: AbortSignal,
): Promise<AdminAnswer<Path>> {
  return send({ method: 'GET', url: urlOf(withId(path, id), query) }, abort) as Promise<AdminAnswer<Path>>;
}

export function adminPost<Path extends PathOf<Paths, 'post'>>(
  path: Path,
  { id, body = {} }: CallOptions = {},
): Promise<Ok<Paths[Path]['post']>> {
  const call = { method: 'POST', url: withId(path, id), body: JSON.stringify(body) } as const;
  return send(call) as Promise<Ok<Paths[Path]['post']>>;
}

export function adminDelete(path: PathOf<Paths, 'delete'>, { id }: Pick<CallOptions, 'id'>) {
  return send({ method: 'DELETE', url: withId(path, id) });
}

function withId(path: string, id: string | undefined): string {
  return id === undefined ? path : path.replace('{id}', encodeURIComponent(id));
}

async function send(call: MadeCall, abort?: AbortSignal): Promise<unknown> {
  note({ ...call, isAdmin: true });
  const key = adminKey.peek();
  // The key of a local chain opens the administration too.
  const headers = { ...keyHeader(), ...(key !== '' && { 'x-admin-key': key }) };
  return readBody(await fetchCall(call, headers, abort), abort);
}
