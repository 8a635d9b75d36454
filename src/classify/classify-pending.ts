import { type AccountId, accountKey, fromAccountBytes } from '../chain/address.ts';
import type { Database } from '../db/connection.ts';
import { createDetection } from '../detect/create-detection.ts';
import { DETECTORS } from '../detect/detectors/all-detectors.ts';
import { knownContracts } from '../detect/known-contracts.ts';
import type { ActionRow } from '../index/action-row.ts';
import type { TokenInfoRow } from '../index/read/address-info.ts';
import type { ContractColumns, FoundContract } from '../index/write/write-contracts.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import { getAccountState } from '../lite/methods/accounts.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import { METADATA_SETTINGS } from '../metadata/metadata-settings.ts';
import { chainMetadata } from '../metadata/token-fields.ts';
import type { Vm } from '../vm/vm.ts';
import { createUnindexedClassifier } from './classify-unindexed.ts';
import { RULE_TABLES } from './contracts.ts';
import {
  createStateDetection,
  type ReadStates,
  stateOfAccount,
  stateOfShardAccount,
  type UnindexedState,
} from './unindexed-contracts.ts';

interface UnindexedReaderOptions {
  readonly network: 'mainnet' | 'testnet' | 'other';
  readonly database: Database;
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Runs get-methods on account states that are not indexed. */
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly log: Log;
  /** Time limit for reading the states of one trace, and for detecting them. */
  readonly statesTimeoutMs?: number;
}

const RULE_DETECTORS = DETECTORS.filter(({ table }) => RULE_TABLES.includes(table));
const MAX_CONCURRENT_STATES = 8;
const STATES_MS = 2000;
const UNCLASSIFIED = { state: 'unclassified', actions: [] } as const;

/** A trace of a sent or emulated message. */
interface PendingTrace {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  /** The first received the external message. */
  readonly transactions: readonly {
    readonly account: AccountId;
    readonly boc: Buffer;
    readonly mcSeqno: number;
    /** The ShardAccount after a predicted transaction. */
    readonly after?: Uint8Array | undefined;
  }[];
}

interface PendingActions {
  readonly state: 'unclassified' | 'ok' | 'failed';
  readonly actions: readonly ActionRow[];
}

type ClassifyPending = (trace: PendingTrace, signal: AbortSignal) => Promise<PendingActions>;

/** Creates a classifier for traces that are not indexed yet. It never rejects. */
export function createPendingClassifier(options: UnindexedReaderOptions): ClassifyPending {
  const { network, database, log } = options;
  const classify = createUnindexedClassifier({
    database,
    log,
    states: createStateReader(options),
    detectors: RULE_DETECTORS,
    ...(options.statesTimeoutMs !== undefined && { detectionTimeoutMs: options.statesTimeoutMs }),
    detection: createDetection({
      ...options,
      db: database.primary,
      detectors: RULE_DETECTORS,
      known: knownContracts(network),
    }),
  });
  return async ({ externalHash, normalizedHash, transactions }, signal) => {
    try {
      return await classify(
        {
          externalHash,
          normalizedHash,
          transactions: transactions.map(({ account: { workchain, hash }, boc, mcSeqno, after }) => ({
            account: accountKey(workchain, hash),
            workchain,
            boc,
            mcSeqno,
            after,
          })),
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Failed to classify a pending trace');
      return UNCLASSIFIED;
    }
  };
}

/** Reads the newest states of accounts from lite servers. */
function createStateReader({ pool, check, statesTimeoutMs = STATES_MS }: UnindexedReaderOptions): ReadStates {
  return async (accounts, signal) => {
    const session = await pool.session({ budgetMs: statesTimeoutMs, signal });
    const timestamp = Math.floor(Date.now() / 1000);
    const states = await mapInOrder(
      accounts,
      MAX_CONCURRENT_STATES,
      async (account): Promise<UnindexedState | undefined> => {
        const id = fromAccountBytes(account);
        const read = session.run(({ query, reference }) => getAccountState(query, reference, id, check));
        // An account that cannot be read is left out.
        const found = await read.catch(() => undefined);
        return found && stateOfAccount(account, found.account, { lastTransLt: found.lastTransLt, timestamp });
      },
    );
    return states.flatMap((state) => state ?? []);
  };
}

const TOKENS = ['jetton_masters', 'jetton_wallets', 'nft_collections', 'nft_items'] as const;
type TokenTable = (typeof TOKENS)[number];
const TOKEN_DETECTORS = DETECTORS.filter(({ table }) => isToken(table));

type DetectTokens = (
  states: readonly { readonly account: Buffer; readonly boc: Uint8Array }[],
  utime: number,
  signal: AbortSignal,
) => Promise<readonly TokenInfoRow[]>;

/** Creates the detection of tokens by account states that only an emulation knows. It never rejects. */
export function createEmulatedTokens(options: UnindexedReaderOptions): DetectTokens {
  const { network, database, log } = options;
  const detect = createStateDetection(
    createDetection({
      ...options,
      db: database.primary,
      detectors: TOKEN_DETECTORS,
      known: knownContracts(network),
    }),
    TOKEN_DETECTORS,
  );
  return async (states, utime, signal) => {
    if (states.length === 0) return [];
    try {
      const unindexed = states.map(({ account, boc }) => stateOfShardAccount(account, boc, utime));
      const { found } = await detect(unindexed, signal);
      return found.flatMap(toRow);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Failed to detect tokens of an emulation');
      return [];
    }
  };
}

function isToken(table: string): table is TokenTable {
  return TOKENS.some((token) => token === table);
}

function toRow({ table, account, columns }: FoundContract): TokenInfoRow[] {
  if (!isToken(table)) return [];
  if (table === 'jetton_wallets') {
    const { owner, jetton, balance } = columns as ContractColumns<'jetton_wallets'>;
    return [{ kind: table, account, owner, jetton, balance: String(balance) }];
  }
  const { content } = columns as ContractColumns<'jetton_masters'>;
  const { fields } = chainMetadata(table, content as Readonly<Record<string, string>>, METADATA_SETTINGS);
  const index = table === 'nft_items' ? String((columns as ContractColumns<'nft_items'>).index) : null;
  return [
    {
      kind: table,
      account,
      nft_index: index,
      valid: null,
      is_nsfw: null,
      is_scam: null,
      ...fields,
      extra: fields.extra === null ? null : JSON.parse(fields.extra),
    },
  ];
}
