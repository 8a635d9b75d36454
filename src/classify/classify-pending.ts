import { classifyTrace } from '../actions/classify-trace.ts';
import type { ClassificationState } from '../actions/rules/action.ts';
import type { TraceFacts } from '../actions/rules/classifier-input.ts';
import { type AccountId, fromAccountBytes, toAccountBytes } from '../chain/address.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import { readTransaction } from '../chain/tlb/transaction.ts';
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
import { toActionRow } from './action-rows.ts';
import { RecordingInterfaces } from './classify-traces.ts';
import { accountsOfTexts, accountText, RULE_TABLES } from './contracts.ts';
import { readTraceTransactions } from './read-facts.ts';
import {
  createStateDetection,
  type ReadStates,
  stateOfAccount,
  stateOfShardAccount,
  UnindexedContracts,
  type UnindexedSources,
  type UnindexedState,
} from './unindexed-contracts.ts';

interface UnindexedReaderOptions {
  readonly network: 'mainnet' | 'testnet' | 'other';
  readonly database: Database;
  readonly pool: LitePool;
  readonly check: CheckOptions;
  /** Runs get-methods on account states that are not indexed. */
  readonly vm: Pick<Vm, 'runGetMethod' | 'runGetMethods'>;
  readonly log: Log;
  /** Time limit for reading the states of one trace, and for detecting them. */
  readonly statesTimeoutMs?: number;
}

const RULE_DETECTORS = DETECTORS.filter(({ table }) => RULE_TABLES.includes(table));
const MAX_CONCURRENT_STATES = 8;
const STATES_MS = 2000;
const UNCLASSIFIED = { state: 'unclassified', actions: [] } as const;

interface UnindexedTrace {
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

/** The actions of a trace in the form of the index. */
interface UnindexedActions {
  readonly state: ClassificationState | 'unclassified';
  readonly actions: readonly ActionRow[];
}

type ClassifyUnindexed = (trace: UnindexedTrace, signal: AbortSignal) => Promise<UnindexedActions>;

/** Creates a classifier for traces that are not indexed yet. It never rejects. */
export function createPendingClassifier(options: UnindexedReaderOptions): ClassifyUnindexed {
  const { network, database, log } = options;
  const detection = createDetection({
    ...options,
    db: database.primary,
    detectors: RULE_DETECTORS,
    known: knownContracts(network),
  });
  const detect = createStateDetection(detection, RULE_DETECTORS, options.statesTimeoutMs);
  const sources = { database, detect, states: createStateReader(options) };
  return async (trace, signal) => {
    try {
      return await classifyUnindexed(trace, { sources, log, signal });
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'Failed to classify a pending trace');
      return UNCLASSIFIED;
    }
  };
}

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

interface ClassifyContext {
  readonly sources: UnindexedSources;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Maximum rounds until no more accounts are requested; the result of the last round counts. */
const MAX_ROUNDS = 4;

/** Classifies a trace by the rules of indexed ones. Throws CellError for malformed cells, and database errors. */
async function classifyUnindexed(trace: UnindexedTrace, { sources, log, signal }: ClassifyContext) {
  const facts = readTraceFacts(trace);
  const contracts = new UnindexedContracts(sources, finalStates(trace, facts), signal);
  const accounts = trace.transactions.map(({ account }) => toAccountBytes(account));
  await contracts.load(new Map(accounts.map((account) => [accountText(account), account])));
  for (let round = 1; ; round++) {
    const interfaces = new RecordingInterfaces(contracts.cache);
    const { state, actions } = classifyTrace({ trace: facts, interfaces }, (rule, err) =>
      log.warn({ err, rule, trace: facts.traceId }, 'Action rule failed'),
    );
    const { unknown, unknownData } = interfaces;
    if (round === MAX_ROUNDS || unknown.size + unknownData.size === 0)
      return { state, actions: actions.map((action) => toActionRow(action, facts)) };
    // Also marks addresses that no account can have.
    for (const address of unknown) contracts.cache.known.add(address);
    for (const address of unknownData) contracts.cache.knownData.add(address);
    await contracts.load(accountsOfTexts(unknown));
    await contracts.loadData(accountsOfTexts(unknownData));
  }
}

function finalStates({ transactions }: UnindexedTrace, { endUtime, transactions: facts }: TraceFacts) {
  const states = new Map<string, UnindexedState>();
  const lastLts = new Map<string, bigint>();
  const last = new Map(transactions.map((one) => [accountText(toAccountBytes(one.account)), one]));
  for (const [text, { account, after }] of last)
    if (after !== undefined) states.set(text, stateOfShardAccount(toAccountBytes(account), after, endUtime));
  for (const { account, lt } of facts) if (!states.has(account)) lastLts.set(account, lt);
  return { states, lastLts };
}

/** Reads the facts that the index would have of a trace; throws CellError for malformed cells. */
function readTraceFacts({ externalHash, normalizedHash, transactions }: UnindexedTrace): TraceFacts {
  const read = transactions.map(({ account: { workchain }, boc, mcSeqno }) => {
    const cells = readBoc(boc);
    return { transaction: readTransaction(cells, cells.root, workchain), mcSeqno };
  });
  const root = read[0]!.transaction;
  // The order of the index.
  const sorted = read.toSorted((a, b) => byLtAndAccount(a.transaction, b.transaction));
  return {
    traceId: root.hash.toString('base64'),
    externalHash: externalHash.toString('base64'),
    externalHashNorm: normalizedHash.equals(externalHash) ? null : normalizedHash.toString('base64'),
    mcSeqnoEnd: Math.max(...read.map(({ mcSeqno }) => mcSeqno)),
    startLt: root.lt,
    endLt: sorted.at(-1)!.transaction.lt,
    startUtime: root.now,
    endUtime: Math.max(...read.map(({ transaction }) => transaction.now)),
    transactions: readTraceTransactions(sorted),
  };
}
