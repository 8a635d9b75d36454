import { accountKey } from '../chain/address/account-key.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import { RULED_TABLES } from '../indexer/classify/load-contracts.ts';
import { createUnindexedClassifier } from '../indexer/classify/unindexed/classify-unindexed.ts';
import { stateOfAccount, type UnindexedState } from '../indexer/classify/unindexed/state-of.ts';
import type { ReadStates } from '../indexer/classify/unindexed/unindexed-book.ts';
import { createDetection } from '../indexer/detect/create-detection.ts';
import { DETECTORS } from '../indexer/detect/detectors.ts';
import { knownContracts } from '../indexer/detect/known-contracts.ts';
import type { Log } from '../lib/log.ts';
import { mapInOrder } from '../lib/map-in-order.ts';
import type { LitePool } from '../lite/pool.ts';
import type { CheckOptions } from '../lite/proofs/proof-scope.ts';
import { getAccountState } from '../lite/queries/get-account-state.ts';
import type { Classify } from '../pending/life/pending-ports.ts';
import type { Vm } from '../vm/create-vm.ts';

export interface PendingClassifierOptions {
  readonly network: Settings['network'];
  readonly database: Database;
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Runs get-methods on states that the index does not have. */
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly log: Log;
}

const RULED_DETECTORS = DETECTORS.filter(({ table }) => RULED_TABLES.includes(table));
const STATES_AT_ONCE = 8;
const STATES_MS = 2000;
const UNCLASSIFIED = { state: 'unclassified', actions: [] } as const;

/** Says what happens in traces that are not in the index; with an index or without one. */
export function createPendingClassifier(options: PendingClassifierOptions): Classify {
  const { network, database, log } = options;
  const classify = createUnindexedClassifier({
    ...{ database, log, states: createStateReader(options), detectors: RULED_DETECTORS },
    detection: createDetection({
      ...options,
      db: database.primary,
      detectors: RULED_DETECTORS,
      known: knownContracts(network === 'mainnet' || network === 'testnet' ? network : 'other'),
    }),
  });
  return async ({ externalHash, normalizedHash, transactions }, signal) => {
    try {
      return await classify(
        {
          ...{ externalHash, normalizedHash },
          transactions: transactions.map(({ account: { workchain, hash }, boc, mcSeqno, after }) => ({
            ...{ account: accountKey(workchain, hash), workchain, boc, mcSeqno, after },
          })),
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'A pending trace could not be classified');
      return UNCLASSIFIED;
    }
  };
}

/** Reads the newest states of accounts from lite servers. */
function createStateReader({ pool, check }: PendingClassifierOptions): ReadStates {
  return async (accounts, signal) => {
    const session = await pool.session({ budgetMs: STATES_MS, signal });
    const timestamp = Math.floor(Date.now() / 1000);
    const states = await mapInOrder(
      accounts,
      STATES_AT_ONCE,
      async (account): Promise<UnindexedState | undefined> => {
        const id = { workchain: account.readInt8(0), hash: account.subarray(1) };
        const read = session.run(({ query, reference }) => getAccountState(query, reference, id, check));
        // One that cannot be had counts as nothing; the others may be had.
        const found = await read.catch(() => undefined);
        return found && stateOfAccount(account, found.account, { lastTransLt: found.lastTransLt, timestamp });
      },
    );
    return states.flatMap((state) => state ?? []);
  };
}
