import type { BlockId } from '../chain/block-id.ts';
import type { CellBag } from '../chain/boc/bag.ts';
import { accountCells } from '../chain/contracts/account-cells.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Detection } from '../detect/detection.ts';
import { indexedRanges } from '../index/coverage.ts';
import { MISSING_QUEUE, type MissingRow } from '../index/write/missing-queue.ts';
import type { Writer } from '../index/write/writer.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import type { Log } from '../lib/log.ts';
import type { Decoder } from './decode/decoder.ts';
import type { ChainSource } from './fetch/chain-source.ts';
import type { FetchedSeqno } from './fetch/fetch-seqnos.ts';
import { createStateReplay, type StateReplay } from './fetch/packs/replay-states.ts';
import { zeroStatesOf } from './fetch/zero-states.ts';
import { genesisAccounts } from './states/earlier-states.ts';
import { completeDueCells } from './states/fetch-states.ts';
import { ELECTOR_QUEUE, readElectorAt } from './validators/elector-tracker.ts';

interface CompleteImportOptions {
  readonly db: Db;
  readonly decoder: Decoder;
  readonly writer: Writer;
  readonly detection: Detection;
  readonly readZeroStates: () => Promise<readonly CellBag[]>;
  /** A source that has all blocks; left out where their files are gone. */
  readonly blocks?: Pick<ChainSource, 'seqnos'> | undefined;
  readonly zeroState: BlockId;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Memory for the states of all shards. */
  readonly maxStateBytes?: number;
}

const MAX_STATE_BYTES = 512 * 2 ** 20;
const AHEAD_BYTES = 16 * 2 ** 20;

/**
 * Completes what an import from the first block on leaves open: accounts of the zero states without interfaces, and parts of
 * states that a process which began in the middle could not know. Those come from the states after all blocks, as long as
 * these fit into memory; what is left waits for lite servers.
 */
export async function completeImport(options: CompleteImportOptions): Promise<void> {
  const { db, blocks, readZeroStates, zeroState, log, signal, maxStateBytes = MAX_STATE_BYTES } = options;
  const [range] = await indexedRanges(db);
  if (range?.first !== 1 || !(await hasOpenStates(db))) return;
  const bags = await readZeroStates();
  await completeGenesis(options, bags);
  if (blocks === undefined || !(await hasOpenStates(db))) return;
  const ids = [zeroState, ...zeroStatesOf(bags[0]!)];
  const replay = createStateReplay(
    ids.map((id, i) => ({ id, bag: bags[i]! })),
    { maxBytes: maxStateBytes },
  );
  try {
    await completeByReplay({ ...options, blocks }, replay, range.last);
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, 'Account states could not be completed from the packs');
  }
}

async function hasOpenStates(db: Db): Promise<boolean> {
  return (await MISSING_QUEUE.count(db)) + (await ELECTOR_QUEUE.count(db)) > 0;
}

/** Completes accounts that have not changed since the zero states. */
async function completeGenesis({ detection, ...parts }: CompleteImportOptions, bags: readonly CellBag[]) {
  const accounts = new Map(genesisAccounts(bags).map((one) => [bytesKey(one.account), one]));
  await completeDueCells({
    ...parts,
    detection: detection.open({ follows: false }),
    async readCells({ account, hash }) {
      const known = accounts.get(bytesKey(account));
      return known?.hash.equals(hash) ? known.cells : undefined;
    },
  });
}

async function completeByReplay(
  options: CompleteImportOptions & { readonly blocks: Pick<ChainSource, 'seqnos'> },
  replay: StateReplay,
  last: number,
): Promise<void> {
  const { db, blocks, detection } = options;
  const rows = await db.selectFrom('missing_elector_states').select('mc_seqno').execute();
  const withElector = new Set(rows.map(({ mc_seqno }) => mc_seqno));
  for await (const fetched of blocks.seqnos({ from: 1, to: last }, { bytes: AHEAD_BYTES })) {
    replay.apply(fetched);
    if (withElector.has(fetched.mcSeqno)) await completeElector(options, replay, fetched);
  }
  const readCells = async ({ account, hash }: MissingRow) => {
    const found = replay.account(account);
    return found?.cells.hash(found.cell, 0).equals(hash) ? accountCells(found) : undefined;
  };
  await releaseOpenAccounts(db);
  await completeDueCells({
    ...options,
    detection: detection.open({ follows: false }),
    readCells,
  });
}

/** Accounts that could not be completed before are due again: now there are states. */
async function releaseOpenAccounts(db: Db): Promise<void> {
  const rows = await db.selectFrom('missing_cells').select('account').execute();
  if (rows.length > 0) await MISSING_QUEUE.reserve(db, rows, 0);
}

async function completeElector(
  { db, decoder, writer, signal }: CompleteImportOptions,
  replay: StateReplay,
  fetched: FetchedSeqno,
): Promise<void> {
  const { mcSeqno } = fetched;
  const source = {
    signal,
    async account(_block: BlockId, account: Buffer) {
      const found = replay.account(account);
      return found && accountCells(found);
    },
  };
  const history = await db.selectFrom('index_origin').select('history_id').executeTakeFirstOrThrow();
  const { updates, missing } = await readElectorAt({ db, decoder, source }, fetched);
  if (missing.length === 0)
    await writer.saveElectorState({ mcSeqno, historyId: history.history_id }, updates);
}
