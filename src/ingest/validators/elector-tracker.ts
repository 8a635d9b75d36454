import { accountKey } from '../../chain/address.ts';
import { type BlockId, MASTERCHAIN } from '../../chain/block-id.ts';
import { writeBoc } from '../../chain/boc/writer.ts';
import { readElectorState } from '../../chain/contracts/elector.ts';
import { readConfigAddress } from '../../chain/tlb/config.ts';
import { createQueue } from '../../db/queue.ts';
import type { Db } from '../../db/tables/tables.ts';
import { readAccountData } from '../../index/read/accounts.ts';
import type { AccountChange, DecodedSeqno } from '../../index/write/decoded-seqno.ts';
import {
  electorBlock,
  readValidatorUpdate,
  type ValidatorUpdate,
  type ValidatorUpdates,
} from '../../index/write/validator-update.ts';
import type { Writer } from '../../index/write/writer.ts';
import { retryUntilDone } from '../../lib/retry.ts';
import { pause } from '../../lib/wait.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { getConfigAll } from '../../lite/methods/config.ts';
import type { Decoder } from '../decode/decoder.ts';
import type { ChainSource } from '../fetch/chain-source.ts';
import type { FetchedSeqno } from '../fetch/fetch-seqnos.ts';
import { createLiteSource } from '../fetch/lite-source.ts';
import { DataAssembler } from '../states/data-assembler.ts';
import type { GenesisAccount } from '../states/earlier-states.ts';

/**
 * Follows the data of the elector through one range of seqnos, in order. Blocks show what changed; the first time the
 * rest comes from the data in the index or from a lite server.
 */
interface ElectorTracker {
  prepare(seqnos: readonly DecodedSeqno[], options: PrepareOptions): Promise<ValidatorUpdates>;
}

interface PrepareOptions {
  readonly blockOf: (mcSeqno: number) => BlockId;
  /** Time limit of one fetch. */
  readonly timeoutMs: number;
}

interface ElectorTrackerOptions {
  readonly db: Db;
  readonly source: Pick<ChainSource, 'account' | 'signal'>;
  /** The accounts of the zero states, for a range that begins with block 1. */
  readonly genesis?: readonly GenesisAccount[];
}

interface KnownData {
  /** Undefined if it has none. */
  readonly boc: Buffer | undefined;
}

const NO_DATA: KnownData = { boc: undefined };

/** Creates a tracker that knows nothing. */
export function createElectorTracker({ db, source, genesis = [] }: ElectorTrackerOptions): ElectorTracker {
  /** The data after the last block; undefined while it is unknown. */
  let known: KnownData | undefined;
  let hasReadStored = false;

  /** The data after a change; undefined if neither the block nor what is known shows all of it. */
  async function assemble({
    account,
    data,
    dataHash,
    dataIsWhole,
  }: AccountChange): Promise<KnownData | undefined> {
    if (dataHash === undefined) return NO_DATA;
    if (data === undefined || dataIsWhole) return data && { boc: data };
    const sources = known?.boc === undefined ? await readStored(account) : [known.boc];
    const whole = new DataAssembler(sources.reduce((sum, { length }) => sum + length, data.length));
    for (const boc of sources) whole.addSource(boc);
    whole.add(data);
    const boc = whole.toBoc();
    return boc && { boc };
  }

  /** Cells are found by their hashes, so it does not matter of which block the stored data are. */
  async function readStored(account: Buffer): Promise<Buffer[]> {
    if (hasReadStored) return [];
    hasReadStored = true;
    // The index may have a newer state by now, and a local chain does not keep its first ones.
    const first = genesis.find((one) => one.account.equals(account))?.cells.data;
    const stored = await readAccountData(db, [account]);
    return [...(first === undefined ? [] : [first]), ...stored.map(({ boc }) => boc)];
  }

  return {
    async prepare(seqnos, { blockOf, timeoutMs }) {
      const updates: ValidatorUpdate[] = [];
      const missing: number[] = [];
      for (const seqno of seqnos) {
        const { elector, config } = seqno.validators;
        if (elector === undefined) continue;
        const change = seqno.accounts.findLast(({ account }) => account.equals(elector));
        const hasChanged = change !== undefined && !isSame(change.before?.dataHash, change.dataHash);
        if (hasChanged) known = await assemble(change);
        else if (config === undefined) continue;
        // After a failure in a batch the others would only wait for the same.
        if (known === undefined && missing.length === 0)
          known = await readElectorData(source, blockOf(seqno.mcSeqno), elector, timeoutMs).catch(() => {
            source.signal.throwIfAborted();
            return undefined;
          });
        if (known === undefined) missing.push(seqno.mcSeqno);
        const state = known?.boc && readElectorState(known.boc);
        updates.push(readValidatorUpdate(electorBlock(seqno), state));
      }
      return { updates, missing };
    },
  };
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one !== undefined && other !== undefined && one.equals(other);
}

async function readElectorData(
  source: Pick<ChainSource, 'account'>,
  block: BlockId,
  elector: Buffer,
  timeoutMs: number,
): Promise<KnownData> {
  const found = await source.account(block, elector, { timeoutMs });
  return found === undefined ? NO_DATA : { boc: found.data };
}

const STATE_FETCH_MS = 20_000;

/** Reads what the state after a block shows about validators, as if it were a key block. */
export async function readValidatorsAt(
  fetch: FetchContext,
  block: BlockId,
): Promise<ValidatorUpdate | undefined> {
  const { pool, check, signal } = fetch;
  const session = await pool.session({ seqno: block.seqno, budgetMs: STATE_FETCH_MS, signal });
  const { cells, cell } = await session.run(({ query }) => getConfigAll(query, block, check));
  const elector = readConfigAddress(cells, cell, 1);
  if (elector === undefined) return undefined;
  const source = createLiteSource(fetch);
  const { boc } = await readElectorData(source, block, accountKey(MASTERCHAIN, elector), STATE_FETCH_MS);
  const state = boc && readElectorState(boc);
  const at = {
    mcSeqno: block.seqno,
    utime: 0,
    config: writeBoc({ cells, roots: [cell] }, { order: 'tonlib', crc: false }),
    complaintElections: state?.past.map(({ id }) => id) ?? [],
  };
  return readValidatorUpdate(at, state);
}

interface MissingElectorOptions {
  readonly db: Db;
  readonly decoder: Decoder;
  readonly writer: Pick<Writer, 'saveElectorState'>;
  readonly context: FetchContext;
  /** Called after each round with the backlog, if it can be counted. */
  readonly onRound: (missing: number) => void;
  /** Pause when nothing is due. */
  readonly pauseMs?: number | undefined;
}

const PAUSE_MS = 3000;
const FETCH_MS = 30_000;
const FETCH_BYTES = 16 * 1024 * 1024;

/** Seqnos whose state of the elector is missing. */
export const ELECTOR_QUEUE = createQueue({
  table: 'missing_elector_states',
  key: ['mc_seqno'],
  leaseSeconds: 120,
  pauseSeconds: [5, 3600],
});

/** Fetches the states of the elector that were not to be had when their blocks were indexed, until the signal aborts. */
export async function completeElectorStates(options: MissingElectorOptions): Promise<void> {
  const { db, context, onRound, pauseMs = PAUSE_MS } = options;
  const { signal, onError } = context;
  const retry = { ...context, task: 'fetch a missing state of the elector', firstPauseMs: 1000 };
  while (!signal.aborted) {
    const isBusy = await retryUntilDone(() => completeOne(options), retry);
    await ELECTOR_QUEUE.count(db).then(onRound, (error) => onError?.(error));
    if (!isBusy) await pause(pauseMs, signal);
  }
}

/** Fetches and writes one state; false if none was due. */
async function completeOne({ db, decoder, writer, context }: MissingElectorOptions): Promise<boolean> {
  // When the seqno is taken: nothing is written to another history.
  const history = await db.selectFrom('index_origin').select('history_id').executeTakeFirst();
  const [taken] = await ELECTOR_QUEUE.take(db, (queue) =>
    ELECTOR_QUEUE.due(queue).orderBy('next_try').limit(1),
  );
  if (history === undefined || taken === undefined) return false;
  const { mc_seqno: mcSeqno } = taken;
  const found = await readSeqno({ db, decoder, context }, mcSeqno).catch((error) => {
    context.signal.throwIfAborted();
    context.onError?.(error);
    return undefined;
  });
  if (found?.missing.length === 0)
    await writer.saveElectorState({ mcSeqno, historyId: history.history_id }, found.updates);
  else await ELECTOR_QUEUE.postpone(db, taken);
  return true;
}

async function readSeqno(
  { db, decoder, context }: Pick<MissingElectorOptions, 'db' | 'decoder' | 'context'>,
  mcSeqno: number,
): Promise<ValidatorUpdates | undefined> {
  const source = createLiteSource(context);
  for await (const fetched of source.seqnos({ from: mcSeqno, to: mcSeqno }, { bytes: FETCH_BYTES }))
    return readElectorAt({ db, decoder, source }, fetched);
  return undefined;
}

interface ElectorAtParts extends Pick<ElectorTrackerOptions, 'db' | 'source'> {
  readonly decoder: Decoder;
}

/** Reads what the blocks of a seqno, and the state of the elector after them, show about validators. */
export async function readElectorAt(
  { db, decoder, source }: ElectorAtParts,
  fetched: FetchedSeqno,
): Promise<ValidatorUpdates> {
  const { id } = fetched.masterchain;
  const tracker = createElectorTracker({ db, source });
  return tracker.prepare([await decoder.decode(fetched)], { blockOf: () => id, timeoutMs: FETCH_MS });
}
