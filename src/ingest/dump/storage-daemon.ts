import { UsageError } from '../../lib/errors.ts';

/** What a storage daemon says of a bag. */
export interface BagDetails {
  /** Whether its list of files is known, and so its size. */
  readonly hasHeader: boolean;
  readonly isComplete: boolean;
  readonly size: number;
  readonly downloaded: number;
  /** In bytes per second. */
  readonly speed: number;
}

/** The daemon did not do what it was asked. */
export class StorageDaemonError extends Error {
  override readonly name = 'StorageDaemonError';
  /** The status of its response; undefined if there was none. */
  readonly status: number | undefined;

  constructor(text: string, status?: number, cause?: unknown) {
    super(text, { cause });
    this.status = status;
  }
}

/** It answers from memory, but may be busy with its disk. */
const REQUEST_MS = 30_000;

export type StorageDaemon = ReturnType<typeof createStorageDaemon>;

/** Creates a client of the HTTP API of a TON Storage daemon; throws UsageError for a URL that cannot be used. */
export function createStorageDaemon(location: string) {
  if (!URL.canParse(location) || !/^https?:$/.test(new URL(location).protocol))
    throw new UsageError(`--storage is "${location}": expected a URL such as http://127.0.0.1:8192`);
  const base = new URL(location);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (base.username !== '' || base.password !== '') {
    const login = `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
    headers.authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    base.username = '';
    base.password = '';
  }
  const name = `storage daemon ${base.origin}`;

  async function call(
    method: 'GET' | 'POST',
    path: string,
    signal: AbortSignal,
    body?: object,
  ): Promise<Fields> {
    const limits = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    let response: Response;
    let text: string;
    try {
      response = await fetch(new URL(path, base), {
        method,
        headers,
        signal: limits,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      const { message, cause } = error as Error;
      const reason =
        cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
      throw new StorageDaemonError(`The ${name} does not respond: ${reason}`, undefined, error);
    }
    const fields = parse(text);
    if (response.ok && fields !== undefined && fields.ok !== false) return fields;
    const detail = typeof fields?.error === 'string' ? fields.error : text.slice(0, 200);
    const what = response.ok ? 'refused' : `responded with status ${response.status} to`;
    throw new StorageDaemonError(`The ${name} ${what} ${method} ${path}: ${detail}`, response.status);
  }

  return {
    name,
    /** Adds a bag, or changes one that is there: with `all` it is downloaded, without only its list of files. */
    async add(bag: string, options: { readonly path: string; readonly all: boolean }, signal: AbortSignal) {
      const { path, all } = options;
      await call('POST', '/api/v1/add', signal, { bag_id: bag, path, download_all: all });
    },
    /** Undefined for a bag that the daemon does not have. */
    async details(bag: string, signal: AbortSignal): Promise<BagDetails | undefined> {
      const found = await call('GET', `/api/v1/details?bag_id=${bag}`, signal).catch((error: unknown) => {
        if (error instanceof StorageDaemonError && error.status === 404) return undefined;
        throw error;
      });
      if (found === undefined) return undefined;
      const size = numberOf(found.size);
      const downloaded = numberOf(found.downloaded);
      const hasHeader = found.header_loaded === true;
      return {
        hasHeader,
        // It calls a bag completed too of which it was asked for nothing but the header.
        isComplete: hasHeader && found.completed === true && downloaded >= size,
        size,
        downloaded,
        speed: numberOf(found.download_speed),
      };
    },
    /** Removes a bag with its files; does nothing if the daemon does not have it. */
    async remove(bag: string, signal: AbortSignal): Promise<void> {
      const remove = (withFiles: boolean) =>
        call('POST', '/api/v1/remove', signal, { bag_id: bag, with_files: withFiles });
      await remove(true)
        // A file that is not there yet can make it keep all of them.
        .catch((error: unknown) => {
          if (error instanceof StorageDaemonError && error.status === 500) return remove(false);
          throw error;
        })
        .catch((error: unknown) => {
          if (!(error instanceof StorageDaemonError && error.status === 404)) throw error;
        });
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
