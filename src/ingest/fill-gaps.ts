import { readBoc } from '../chain/boc/bag.ts';
import type { CellRef } from '../chain/boc/cells.ts';
import { describeFailure } from '../db/errors.ts';
import { type SeqnoRange, seqnosIn } from '../index/snapshot.ts';
import type { Log } from '../lib/log.ts';
import { createThrottledLog, retryUntilDone } from '../lib/retry.ts';
import { withTimeout } from '../lib/wait.ts';
import { type FetchContext, FetchGate, onServer } from '../lite/fetch-context.ts';
import { getZeroState } from '../lite/methods/blocks.ts';
import { configOfKeyBlock, configOfState } from '../lite/methods/signatures.ts';
import type { ChainSource } from './fetch/chain-source.ts';
import type { FetchedSeqno } from './fetch/fetch-seqnos.ts';
import { createLiteSource } from './fetch/lite-source.ts';
import { fetchProvenBlock, readMasterchainFacts } from './fetch/masterchain-blocks.ts';
import { SeqnoUnavailable } from './fetch/packs/pack-source.ts';
import type { ImportRun, MissingRange } from './import-run.ts';

/** Lite servers that an import may ask for what files lack. */
export type LiteHelp = Pick<FetchContext, 'pool' | 'check'>;

interface FillOptions {
  readonly run: ImportRun;
  /** Left out to ask nobody. */
  readonly lite: LiteHelp | undefined;
  readonly held: SeqnoRange;
  /** What of it is not indexed, ascending. */
  readonly missing: readonly MissingRange[];
  readonly log: Log;
  /** Called with the root of the params that are in force from the next blocks on. */
  readonly onConfig?: ((config: CellRef) => void) | undefined;
  readonly patienceMs?: number | undefined;
}

/** How long to wait for one block: servers that have only new blocks never give an old one. */
const PATIENCE_MS = 120_000;
/** Servers that did not give blocks of so many gaps in time are not asked for more. */
const MAX_FAILURES = 3;
const MAX_FETCHES = 24;

/** Indexes from lite servers, if there are any, what files do not have of a range; returns what is missing then. */
export async function fillMissing(options: FillOptions): Promise<readonly MissingRange[]> {
  const { lite, missing, run, held } = options;
  if (lite === undefined || missing.length === 0) return missing;
  await fillGaps({ ...options, lite });
  return run.missingIn(held, 'lite servers were not asked for it');
}

/** What lite servers do not give in time stays missing. */
async function fillGaps(options: FillOptions & { readonly lite: LiteHelp }): Promise<void> {
  const { run, lite, missing, log, onConfig, patienceMs = PATIENCE_MS } = options;
  const wanted = { first: missing[0]!.first, last: missing.at(-1)!.last };
  const gate = new FetchGate(MAX_FETCHES);
  const throttledLog = createThrottledLog(log, () => performance.now());
  let failures = 0;
  run.forget();

  async function fillOne(): Promise<boolean> {
    const taken = await run.claim(missing);
    if (taken === undefined) return false;
    const gap = missing.find(({ last }) => last > taken.doneSeqno)!;
    let lastError: unknown;
    const late = () => {
      failures++;
      const rest = failures < MAX_FAILURES ? gap : wanted;
      const seqnos = seqnosIn({ first: taken.doneSeqno + 1, last: rest.last });
      const why = lastError === undefined ? '' : ` (${describeFailure(lastError)})`;
      return new SeqnoUnavailable(seqnos, `lite servers did not give it within ${patienceMs / 1000} s${why}`);
    };
    const lost = new AbortController();
    const open = async (held: AbortSignal): Promise<ChainSource> => {
      const signal = AbortSignal.any([held, lost.signal]);
      const onError = (error: unknown): void => {
        lastError = error;
      };
      const context = { ...lite, log: throttledLog, gate, signal, onError };
      const readConfig = () => configAfter(context, taken.doneSeqno);
      const task = 'fetch the configuration';
      onConfig?.(await withTimeout(patienceMs, retryUntilDone(readConfig, { ...context, task }), late));
      const source = createLiteSource(context);
      return { ...source, seqnos: (...args) => tellConfig(inTime(source.seqnos(...args), patienceMs, late)) };
    };
    try {
      await run.work(taken, { open, explain: (reason) => `${gap.reason}; ${reason}` });
    } finally {
      lost.abort();
    }
    return true;
  }

  async function* tellConfig(seqnos: AsyncIterable<FetchedSeqno>): AsyncGenerator<FetchedSeqno, void> {
    for await (const fetched of seqnos) {
      const config = onConfig && keyBlockConfig(fetched.masterchain.bytes);
      if (config !== undefined) onConfig?.(config);
      yield fetched;
    }
  }

  await run.workUntilDone(wanted, fillOne);
}

/** The configuration in force after a masterchain block. */
async function configAfter(context: FetchContext, seqno: number): Promise<CellRef> {
  const block = seqno === 0 ? undefined : await fetchProvenBlock(context, seqno);
  const own = block && keyBlockConfig(block.bytes);
  if (own !== undefined) return own;
  const keySeqno = block === undefined ? 0 : readMasterchainFacts(block.bytes).prevKeyBlockSeqno;
  if (keySeqno > 0) return configAfter(context, keySeqno);
  const { pool, check } = context;
  const state = await onServer(context, 1, ({ query }) => getZeroState(query, pool.zeroState, check));
  return { cells: state, cell: configOfState({ cells: state, cell: state.root }) };
}

/** The configuration in a masterchain block; undefined unless it is a key block. */
function keyBlockConfig(bytes: Buffer): CellRef | undefined {
  if (readMasterchainFacts(bytes).config === undefined) return undefined;
  // The bytes are moved to another thread.
  const cells = readBoc(Buffer.from(bytes));
  return { cells, cell: configOfKeyBlock({ cells, cell: cells.root }) };
}

/** The items of a source, each of which must come within a time. */
async function* inTime<T>(items: AsyncIterable<T>, ms: number, late: () => Error): AsyncGenerator<T, void> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withTimeout(ms, iterator.next(), late);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    void iterator.return?.();
  }
}
