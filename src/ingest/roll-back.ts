import type { BlockId } from '../chain/block-id.ts';
import type { ContractCode } from '../chain/contracts/account-cells.ts';
import type { Db } from '../db/tables/tables.ts';
import type { Detection } from '../detect/detection.ts';
import { indexedRanges } from '../index/coverage.ts';
import { readMasterchainBlock } from '../index/snapshot.ts';
import type { ChangedAccount } from '../index/write/changed-accounts.ts';
import type { Fork, IndexedBlock, RestoredStates } from '../index/write/roll-back.ts';
import type { AccountUpdate } from '../index/write/write-accounts.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { type FetchContext, onServer } from '../lite/fetch-context.ts';
import { fetchStates } from './fetch/account-states.ts';
import { fetchZeroStates } from './fetch/lite-source.ts';
import { masterchainBlockId } from './fetch/masterchain-blocks.ts';
import { type GenesisAccount, genesisAccounts } from './states/earlier-states.ts';

/**
 * How the index and the chain relate: `same` if the chain has the newest block of the index, `unrelated` if it cannot be
 * told which blocks they share, because the chain is another one, or the index has no whole history up to a common block.
 */
export type Relation = Fork | 'same' | 'unrelated';

const HEAD_WAIT_MS = 10_000;

/** What the comparison needs of the chain. */
type ChainContext = Pick<FetchContext, 'pool' | 'check' | 'signal'>;

/** Reads the newest block of the index; undefined while nothing is indexed. */
export async function readIndexHead(context: ChainContext, db: Db) {
  const seqno = (await indexedRanges(db)).at(-1)?.last;
  const block = seqno === undefined ? undefined : await readIndexedBlock(db, seqno);
  if (block === undefined) return undefined;
  return { seqno: block.seqno, isOnChain: await isOnChain(context, await headOf(context), block) };
}

/** Compares the index with the chain of the lite servers. Throws while they or the database are unavailable. */
export async function findFork(context: FetchContext, db: Db): Promise<Relation> {
  const { pool } = context;
  const origin = await db.selectFrom('index_origin').selectAll().executeTakeFirst();
  const ranges = origin === undefined ? [] : await indexedRanges(db);
  const newest = ranges.at(-1)?.last;
  if (origin === undefined || newest === undefined) return 'same';
  const head = await headOf(context);
  if (!pool.zeroState.rootHash.equals(origin.zero_state)) return 'unrelated';
  const discarded = await readIndexedBlock(db, newest);
  if (discarded === undefined) return 'unrelated';
  if (await isOnChain(context, head, discarded)) return 'same';
  const [{ first, last } = { first: 0, last: 0 }] = ranges;
  // States of accounts below a gap are unknown, so the history must be whole.
  if (first !== origin.first_seqno) return 'unrelated';
  const common = await newestCommon(context, db, { head, first, last: Math.min(last, head.seqno) });
  return common === undefined ? 'unrelated' : { common, discarded };
}

async function headOf({ pool, signal }: ChainContext): Promise<BlockId> {
  return pool.head ?? (await pool.waitForSeqno(0, { timeoutMs: HEAD_WAIT_MS, signal }));
}

/** Most roll-backs are short, so it looks at the newest blocks first, then ever further back, then in between. */
async function newestCommon(
  context: FetchContext,
  db: Db,
  { head, first, last }: { readonly head: BlockId; readonly first: number; readonly last: number },
): Promise<BlockId | undefined> {
  const isCommon = async (seqno: number): Promise<boolean> => {
    const block = await readIndexedBlock(db, seqno);
    return block !== undefined && isOnChain(context, head, block);
  };
  let different = last + 1;
  let common = last;
  for (let step = 1; common >= first && !(await isCommon(common)); step *= 2) {
    different = common;
    common = common === first ? first - 1 : Math.max(first, common - step);
  }
  if (common < first) return undefined;
  while (different - common > 1) {
    const middle = (common + different) >> 1;
    if (await isCommon(middle)) common = middle;
    else different = middle;
  }
  return chainBlock(context, common);
}

/** Whether a block of the index belongs to the chain with a head. */
async function isOnChain(context: ChainContext, head: BlockId, block: IndexedBlock): Promise<boolean> {
  if (block.seqno > head.seqno) return false;
  return (await chainBlock(context, block.seqno)).rootHash.equals(block.rootHash);
}

function chainBlock(context: ChainContext, seqno: number): Promise<BlockId> {
  return onServer(context, seqno, (target) => masterchainBlockId(target, seqno, context.check));
}

async function readIndexedBlock(db: Db, seqno: number): Promise<IndexedBlock | undefined> {
  const block = await readMasterchainBlock(db, seqno);
  return block && { seqno, rootHash: block.root_hash };
}

interface RestoreContext {
  readonly fetch: FetchContext;
  readonly detection: Detection | undefined;
  /** The last block that is kept. */
  readonly block: BlockId;
  /** Whether the index begins with the first block, so that it has the accounts of the zero states. */
  readonly hasGenesis: boolean;
}

/** More accounts than this are completed later, apart from blocks. */
const MAX_STATES = 5000;
const FETCH_MS = 20_000;
const DETECT_MS = 20_000;

/** Completes the states of changed accounts from the chain, and detects their contracts. */
export async function restoreStates(
  { fetch, detection, block, hasGenesis }: RestoreContext,
  changed: readonly ChangedAccount[],
): Promise<RestoredStates> {
  const genesis = new Map<string, GenesisAccount>();
  if (hasGenesis && changed.some(({ state, isOlder }) => state === undefined && isOlder))
    for (const one of genesisAccounts(await fetchZeroStates(fetch))) genesis.set(bytesKey(one.account), one);
  const partial = changed.flatMap(({ state, isWhole }) =>
    state !== undefined && (!isWhole || state.extraIsHidden) ? [state] : [],
  );
  const fetched = await fetchStates(fetch, partial, {
    blockOf: () => block,
    max: MAX_STATES,
    timeoutMs: FETCH_MS,
  });
  const codes: ContractCode[] = [];
  const latest = changed.flatMap(({ account, state, isWhole }): AccountUpdate[] => {
    const older = genesis.get(bytesKey(account));
    if (state === undefined)
      return older === undefined
        ? []
        : [{ change: { ...older, mcSeqno: 0 }, data: older.cells.data, isMissing: false }];
    const cells = fetched.get(bytesKey(account));
    const isPartial = !isWhole || state.extraIsHidden;
    if (cells?.code !== undefined) codes.push(cells.code);
    return [
      {
        change: state.extraIsHidden ? { ...state, balanceExtra: cells?.balanceExtra } : state,
        data: cells?.data,
        isMissing: isPartial && cells === undefined,
      },
    ];
  });
  const detected = await detection?.open({ follows: true }).detect({
    states: latest.map(({ change, data, isMissing }) => ({
      ...change,
      data,
      isMissing,
      // Whatever is known of it may be of a discarded block.
      mayHaveChangedCode: true,
    })),
    codes,
    block,
    hasKeyBlock: false,
    timeoutMs: DETECT_MS,
    signal: fetch.signal,
  });
  return { latest, codes, detected };
}
