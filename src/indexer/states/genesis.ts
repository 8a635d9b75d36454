import { accountKey } from '../../chain/address/account-key.ts';
import { type BlockId, WHOLE_SHARD } from '../../chain/block-id.ts';
import type { CellBag } from '../../chain/boc/cell-bag.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { configParam } from '../../chain/tlb/config.ts';
import { readWorkchains } from '../../chain/tlb/config-workchains.ts';
import { readMcStateExtra } from '../../chain/tlb/mc-state-extra.ts';
import { walkShardAccounts } from '../../chain/tlb/shard-account.ts';
import { readShardState } from '../../chain/tlb/shard-state.ts';
import { getZeroState } from '../../lite/queries/get-state.ts';
import { accountSummary } from '../decode/account-summary.ts';
import { type FetchContext, onServer } from '../fetch/fetch-context.ts';
import type { EarlierState } from '../write/write-batch.ts';
import { type AccountCells, accountCells } from './account-cells.ts';

/** An account that the chain began with. */
export interface GenesisAccount extends EarlierState {
  readonly cells: AccountCells;
  readonly lastTransLt: bigint;
  readonly lastTransHash: Buffer;
  readonly timestamp: number;
}

const WORKCHAINS_PARAM = 12;

/** Fetches the states that the masterchain and the other workchains began with, and reads all their accounts. */
export async function fetchGenesis(context: FetchContext): Promise<GenesisAccount[]> {
  const masterchain = await fetchZeroState(context, context.pool.zeroState);
  const others = await Promise.all(zeroStatesOf(masterchain).map((id) => fetchZeroState(context, id)));
  return [masterchain, ...others].flatMap(readAccounts);
}

function fetchZeroState(context: FetchContext, id: BlockId): Promise<CellBag> {
  return onServer(context, 1, ({ query }) => getZeroState(query, id, context.check));
}

/** The zero states of the workchains that the configuration of the first state names. */
function zeroStatesOf(state: CellBag): BlockId[] {
  const { config } = readMcStateExtra(state, readShardState(state, state.root).custom);
  const param = configParam(state, config, WORKCHAINS_PARAM);
  const workchains = param < 0 ? [] : readWorkchains(state, param);
  return workchains.map(({ workchain, zeroStateRootHash: rootHash, zeroStateFileHash: fileHash }) => ({
    ...{ workchain, shard: WHOLE_SHARD, seqno: 0, rootHash, fileHash },
  }));
}

function readAccounts(cells: CellBag): GenesisAccount[] {
  const { workchain, accounts, genUtime } = readShardState(cells, cells.root);
  const found: GenesisAccount[] = [];
  walkShardAccounts(cells, accounts, (id, entry) => {
    const account = readAccount(cells, entry.account);
    if (account === undefined) return;
    const kept = accountCells({ cells, cell: entry.account });
    const hash = Buffer.from(cells.hash(entry.account, 0));
    found.push({
      ...accountSummary(cells, account, hash, kept.balanceExtra),
      account: accountKey(workchain, id),
      cells: kept,
      lastTransLt: entry.lastTransLt,
      lastTransHash: Buffer.from(entry.lastTransHash),
      timestamp: genUtime,
    });
  });
  return found;
}
