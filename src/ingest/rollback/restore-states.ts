import type { BlockId } from '../../chain/block-id.ts';
import type { ContractCode } from '../../chain/contracts/account-cells.ts';
import type { Detection } from '../../detect/detection.ts';
import type { ChangedAccount } from '../../index/write/changed-accounts.ts';
import type { RestoredStates } from '../../index/write/roll-back.ts';
import type { AccountUpdate } from '../../index/write/write-accounts.ts';
import { bytesKey } from '../../lib/bytes-key.ts';
import type { FetchContext } from '../../lite/fetch-context.ts';
import { fetchGenesis, type GenesisAccount } from '../states/earlier-states.ts';
import { fetchStates } from '../states/fetch-states.ts';

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
