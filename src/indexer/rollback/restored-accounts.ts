import type { ClientBase } from 'pg';
import type { BlockId } from '../../chain/block-id.ts';
import type { AccountStatus } from '../../chain/tlb/transaction-phases.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { ContractCode } from '../decode/decoded-seqno.ts';
import type { Detection, DetectionResult } from '../detect/detection.ts';
import type { FetchContext } from '../fetch/fetch-context.ts';
import { fetchGenesis, type GenesisAccount } from '../states/earlier-states.ts';
import { fetchStates } from '../states/fetch-states.ts';
import type { AccountUpdate, LatestState } from '../write/write-accounts.ts';

/** An account that discarded blocks changed. */
export interface ChangedAccount {
  readonly account: Buffer;
  /** Its state after the last block that is kept, as far as the index has it; undefined if no block shows one. */
  readonly state: LatestState | undefined;
  /** Whether the index has all code and data of the state. */
  readonly isWhole: boolean;
  /** Whether it had a state before the first block of the index. */
  readonly isOlder: boolean;
}

/**
 * The workchain is the first byte of an account, signed. A last transaction without a shown state left nothing; a JSON
 * null stands for extra currencies that the block left out because they did not change.
 */
const FIND_CHANGED = `
select changed.account, kept.state_hash_after as hash, kept.end_status as status,
  coalesce(kept.balance, 0) as balance, nullif(kept.balance_extra, 'null')::text as extra,
  coalesce(kept.balance_extra = 'null', false) as extra_is_hidden, kept.code_hash, kept.data_hash, kept.frozen_hash,
  kept.lt, kept.hash as transaction_hash, block.gen_utime, kept.mc_seqno,
  (kept.code_hash is null or code.hash is not null)
    and (kept.data_hash is null or data.hash = kept.data_hash) is true as is_whole,
  exists (select from account_states older where older.account = changed.account) as is_older
from (select distinct account from transactions where mc_seqno > $1) changed
left join lateral (
  select * from transactions t where t.account = changed.account and t.mc_seqno <= $1 order by t.lt desc limit 1
) kept on true
left join blocks block on block.mc_seqno = kept.mc_seqno and block.shard = kept.block_shard
  and block.seqno = kept.block_seqno
  and block.workchain = case when get_byte(changed.account, 0) < 128 then 0 else -256 end + get_byte(changed.account, 0)
left join contract_codes code on code.hash = kept.code_hash
left join account_data data on data.account = changed.account`;

interface ChangedRow {
  readonly account: Buffer;
  readonly hash: Buffer | null;
  readonly status: AccountStatus;
  readonly balance: string;
  readonly extra: string | null;
  readonly extra_is_hidden: boolean;
  readonly code_hash: Buffer | null;
  readonly data_hash: Buffer | null;
  readonly frozen_hash: Buffer | null;
  readonly lt: string;
  readonly transaction_hash: Buffer;
  readonly gen_utime: string;
  readonly mc_seqno: number;
  readonly is_whole: boolean;
  readonly is_older: boolean;
}

/** Reads the accounts that blocks after a seqno changed. */
export async function readChangedAccounts(client: ClientBase, seqno: number): Promise<ChangedAccount[]> {
  await client.query('set local enable_hashjoin = off; set local enable_mergejoin = off');
  const { rows } = await client.query<ChangedRow>(FIND_CHANGED, [seqno]);
  return rows.map((row) => ({
    account: row.account,
    state: row.hash === null ? undefined : toState(row, row.hash),
    isWhole: row.is_whole,
    isOlder: row.is_older,
  }));
}

function toState(row: ChangedRow, hash: Buffer): LatestState {
  return {
    account: row.account,
    hash,
    status: row.status,
    balance: BigInt(row.balance),
    balanceExtra: row.extra ?? undefined,
    extraIsHidden: row.extra_is_hidden,
    codeHash: row.code_hash ?? undefined,
    dataHash: row.data_hash ?? undefined,
    frozenHash: row.frozen_hash ?? undefined,
    lastTransLt: BigInt(row.lt),
    lastTransHash: row.transaction_hash,
    timestamp: Number(row.gen_utime),
    mcSeqno: row.mc_seqno,
  };
}

/** The states of changed accounts after the last block that is kept. */
export interface RestoredStates {
  readonly latest: readonly AccountUpdate[];
  /** Codes that were fetched. */
  readonly codes: readonly ContractCode[];
  readonly detected: DetectionResult | undefined;
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
    for (const one of await fetchGenesis(fetch)) genesis.set(bytesKey(one.account), one);
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
