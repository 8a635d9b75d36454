import { Worker } from 'node:worker_threads';
import { workerFile, YOUNG_HEAP_MB } from '../../lib/worker-thread.ts';
import type { ShardStateFiles } from './find-state-files.ts';
import type { ProvenState } from './shard-state.ts';
import { type StateAccount, unpackBatch } from './state-batch.ts';
import { StateFileError } from './state-file-error.ts';

/** What the thread is started with. */
export interface StateThreadData {
  readonly files: ShardStateFiles;
  readonly proven: ProvenState;
  readonly workFolder: string;
  readonly aheadBytes: number;
}

/** A message to the thread: read the accounts after an id, or go on, because a batch was taken. */
export type StateRequest =
  | { readonly kind: 'read'; readonly after: Uint8Array | undefined }
  | { readonly kind: 'taken'; readonly bytes: number };

/** A message of the thread. */
export type StateReport =
  | { readonly kind: 'hashed'; readonly path: string; readonly share: number }
  | ({ readonly kind: 'opened' } & StateFacts)
  | { readonly kind: 'batch'; readonly packed: ArrayBuffer }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'damaged';
      readonly path: string;
      readonly reason: string;
      readonly at: number | undefined;
    };

/** What a state is, as its files say and its block proves. */
interface StateFacts {
  readonly hash: Uint8Array;
  readonly workchain: number;
  readonly shard: bigint;
  readonly genUtime: number;
  /** Bytes of the first file. */
  readonly size: number;
}

interface StateThreadOptions {
  /** For hashes that do not fit into memory: about as large as a file. */
  readonly workFolder: string;
  readonly signal: AbortSignal;
  /** Called now and then with the share of a file's cells that were hashed. */
  readonly onHashed?: ((path: string, share: number) => void) | undefined;
  /** How far the thread reads ahead. */
  readonly aheadBytes?: number;
}

/** Enough to write while the next file is hashed: 150 000 accounts of usual size. */
const AHEAD_BYTES = 64 * 2 ** 20;

/** The state of a shard that a thread reads. */
export interface StateThread extends Omit<StateFacts, 'hash'> {
  readonly hash: Buffer;
  /** The accounts after an id in ascending order; can be called once. Each file is proven before anything of it is read. */
  batches(after?: Buffer): AsyncGenerator<readonly StateAccount[], void>;
  close(): Promise<void>;
}

/**
 * Opens the state of a shard in a thread, which hashes the files and reads accounts while others are written; throws
 * StateFileError if a file is missing, malformed or of another state.
 */
export async function openStateThread(
  files: ShardStateFiles,
  proven: ProvenState,
  { workFolder, signal, onHashed, aheadBytes = AHEAD_BYTES }: StateThreadOptions,
): Promise<StateThread> {
  const thread = new Worker(workerFile('./state-worker', import.meta.url), {
    workerData: { files, proven, workFolder, aheadBytes } satisfies StateThreadData,
    name: 'tongate-state',
    execArgv: [],
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  const opened = Promise.withResolvers<StateFacts>();
  const read: ArrayBuffer[] = [];
  let isEnd = false;
  let fault: unknown;
  let wake = (): void => {};

  function fail(error: unknown): void {
    fault ??= error;
    opened.reject(fault);
    wake();
  }

  thread.on('message', (report: StateReport) => {
    if (report.kind === 'hashed') onHashed?.(report.path, report.share);
    else if (report.kind === 'opened') opened.resolve(report);
    else if (report.kind === 'damaged') fail(new StateFileError(report.path, report.reason, report.at));
    else if (report.kind === 'end') {
      isEnd = true;
      wake();
    } else {
      read.push(report.packed);
      wake();
    }
  });
  thread.on('error', fail);
  thread.on('exit', (code) => {
    if (!isEnd) fail(new Error(`The thread that reads a state ended with exit code ${code}`));
  });
  const abort = (): void => fail(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();

  async function close(): Promise<void> {
    signal.removeEventListener('abort', abort);
    await thread.terminate();
  }

  function tell(request: StateRequest): void {
    thread.postMessage(request);
  }

  async function* batches(after?: Buffer): AsyncGenerator<readonly StateAccount[], void> {
    tell({ kind: 'read', after });
    for (;;) {
      const packed = read.shift();
      if (packed !== undefined) {
        tell({ kind: 'taken', bytes: packed.byteLength });
        yield unpackBatch(packed);
      } else if (fault !== undefined) throw fault;
      else if (isEnd) return;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  }

  try {
    const { hash, workchain, shard, genUtime, size } = await opened.promise;
    return { hash: Buffer.from(hash), workchain, shard, genUtime, size, batches, close };
  } catch (error) {
    await close();
    throw error;
  }
}
