import { availableParallelism } from 'node:os';
import { accountKey } from '../chain/address.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/connection.ts';
import type { TokenInfoRow } from '../db/queries/token-metadata.ts';
import { createUnindexedClassifier } from '../indexer/classify/classify-unindexed.ts';
import { RULE_TABLES } from '../indexer/classify/contracts.ts';
import {
  createStateDetection,
  type ReadStates,
  stateOfAccount,
  stateOfShardAccount,
  type UnindexedState,
} from '../indexer/classify/unindexed-contracts.ts';
import { createDetection } from '../indexer/detect/create-detection.ts';
import type { ContractColumns, FoundContract } from '../indexer/detect/detection.ts';
import { DETECTORS } from '../indexer/detect/detectors.ts';
import { knownContracts } from '../indexer/detect/known-contracts.ts';
import { METADATA_SETTINGS } from '../indexer/metadata/metadata-settings.ts';
import { chainMetadata } from '../indexer/metadata/token-fields.ts';
import { mapInOrder } from '../lib/concurrency.ts';
import type { Log } from '../lib/log.ts';
import { getAccountState } from '../lite/methods/accounts.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { LitePool } from '../lite/pool.ts';
import { createEmulationContext } from '../live/emulation.ts';
import type { PendingMetrics } from '../observe/pending-metrics.ts';
import { createTraceEmulator } from '../pending/emulate.ts';
import { createEmulationBudget } from '../pending/emulation-budget.ts';
import type { Classify } from '../pending/predict.ts';
import type { EmulationPort } from '../v3/emulation.ts';
import { createVm, type Vm } from '../vm/vm.ts';
import type { ChainAccess } from './chain-access.ts';

interface EmulationOptions {
  readonly settings: Settings;
  readonly chain: ChainAccess;
  readonly database: Database;
  readonly metrics: Pick<PendingMetrics, 'emulation'>;
  readonly log: Log;
}

const MAX_DEFAULT_THREADS = 4;
/** For the whole of one emulation, with all that is read for it. */
const MAX_EMULATION_MS = 8000;

/** All that says what messages would do, in threads of its own: no get-method waits for it. */
export function openEmulation(options: EmulationOptions): EmulationPort & { close(): Promise<void> } {
  const { settings, chain, database, metrics, log } = options;
  const vm = createVm({ log, threads: threadsOf(settings) });
  const ground = createEmulationContext(chain.ports, log);
  const detection = {
    network: settings.network,
    database,
    vm,
    log,
    pool: chain.lite.pool(undefined),
    check: chain.ports.check,
  };
  return {
    context: ground,
    emulator: createTraceEmulator({ vm, context: ground, log, metrics: { emulated: metrics.emulation } }),
    classify: createPendingClassifier(detection),
    tokens: createEmulatedTokens(detection),
    budget: createEmulationBudget({
      msPerRps: settings.rateLimit ? settings.emulationMsPerRps : undefined,
      maxMs: MAX_EMULATION_MS,
    }),
    close: () => vm.close(),
  };
}

function threadsOf({ emulationThreads }: Settings): number {
  if (emulationThreads !== 'auto') return emulationThreads;
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, Math.floor(availableParallelism() / 4)));
}

interface PendingClassifierOptions {
  readonly network: Settings['network'];
  readonly database: Database;
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Runs get-methods on states that the index does not have. */
  readonly vm: Pick<Vm, 'runGetMethod'>;
  readonly log: Log;
}

const RULED_DETECTORS = DETECTORS.filter(({ table }) => RULE_TABLES.includes(table));
const STATES_AT_ONCE = 8;
const STATES_MS = 2000;
const UNCLASSIFIED = { state: 'unclassified', actions: [] } as const;

/** Says what happens in traces that are not in the index; with an index or without one. */
export function createPendingClassifier(options: PendingClassifierOptions): Classify {
  const { network, database, log } = options;
  const classify = createUnindexedClassifier({
    database,
    log,
    states: createStateReader(options),
    detectors: RULED_DETECTORS,
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

const TOKENS = ['jetton_masters', 'jetton_wallets', 'nft_collections', 'nft_items'] as const;
type TokenTable = (typeof TOKENS)[number];
const TOKEN_DETECTORS = DETECTORS.filter(({ table }) => isToken(table));

/** Says what accounts are in the world of tokens by states that only an emulation knows. */
function createEmulatedTokens(options: PendingClassifierOptions): EmulationPort['tokens'] {
  const { network, database, log } = options;
  const judge = createStateDetection(
    createDetection({
      ...options,
      db: database.primary,
      detectors: TOKEN_DETECTORS,
      known: knownContracts(network === 'mainnet' || network === 'testnet' ? network : 'other'),
    }),
    TOKEN_DETECTORS,
  );
  return async (states, utime, signal) => {
    if (states.length === 0) return [];
    try {
      const judged = states.map(({ account, boc }) => stateOfShardAccount(account, boc, utime));
      const { found } = await judge(judged, signal);
      return found.flatMap(toRow);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Tokens of an emulation could not be recognised');
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
