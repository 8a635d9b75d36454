import { classifyTrace } from '../actions/classify-trace.ts';
import type { ClassificationState } from '../actions/rules/action.ts';
import type { TraceFacts } from '../actions/rules/classifier-input.ts';
import { readBoc } from '../chain/boc/bag.ts';
import { byLtAndAccount } from '../chain/logical-time.ts';
import { readTransaction } from '../chain/tlb/transaction.ts';
import type { Detection, Detector } from '../detect/detection.ts';
import type { ActionRow } from '../index/action-row.ts';
import type { Log } from '../lib/log.ts';
import { toActionRow } from './action-rows.ts';
import { RecordingInterfaces } from './classify-traces.ts';
import { accountsOfTexts, accountText } from './contracts.ts';
import { readTraceTransactions } from './read-facts.ts';
import {
  createStateDetection,
  stateOfShardAccount,
  type TraceAccounts,
  UnindexedContracts,
  type UnindexedSources,
  type UnindexedState,
} from './unindexed-contracts.ts';

/** A transaction that is not in the index. */
interface UnindexedTransaction extends RawTransaction {
  /** 33 bytes. */
  readonly account: Buffer;
  /** The ShardAccount after it, if known. */
  readonly after: Uint8Array | undefined;
}

/** A trace that is not in the index; its first transaction received the external message. */
interface UnindexedTrace {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly transactions: readonly UnindexedTransaction[];
}

/** The actions of a trace in the form of the index. */
interface UnindexedActions {
  readonly state: ClassificationState;
  readonly actions: readonly ActionRow[];
}

/** Classifies a trace. Throws CellError for malformed cells, and database errors. */
type ClassifyUnindexed = (trace: UnindexedTrace, signal: AbortSignal) => Promise<UnindexedActions>;

interface UnindexedOptions extends Omit<UnindexedSources, 'detect'> {
  readonly detection: Detection;
  /** The detectors of `detection`. */
  readonly detectors: readonly Detector[];
  /** Time limit for detecting the states of one trace. */
  readonly detectionTimeoutMs?: number;
  readonly log: Log;
}

/** Maximum rounds until no more accounts are requested; the result of the last round counts. */
const MAX_ROUNDS = 4;

/** Creates a classifier of traces that are not in the index; the rules are those of indexed traces. */
export function createUnindexedClassifier(options: UnindexedOptions): ClassifyUnindexed {
  const { log, detection, detectors, detectionTimeoutMs } = options;
  const sources = { ...options, detect: createStateDetection(detection, detectors, detectionTimeoutMs) };
  return async (trace, signal) => {
    const facts = readTraceFacts(trace);
    const contracts = new UnindexedContracts(sources, finalStates(trace, facts), signal);
    await contracts.load(new Map(trace.transactions.map(({ account }) => [accountText(account), account])));
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
  };
}

/** The final states of the accounts of a trace. */
function finalStates(
  { transactions }: UnindexedTrace,
  { endUtime, transactions: facts }: TraceFacts,
): TraceAccounts {
  const states = new Map<string, UnindexedState>();
  const lastLts = new Map<string, bigint>();
  const last = new Map(transactions.map((one) => [accountText(one.account), one]));
  for (const [text, { account, after }] of last)
    if (after !== undefined) states.set(text, stateOfShardAccount(account, after, endUtime));
  for (const { account, lt } of facts) if (!states.has(account)) lastLts.set(account, lt);
  return { states, lastLts };
}

/** A transaction as cells. */
interface RawTransaction {
  readonly workchain: number;
  readonly boc: Uint8Array;
  readonly mcSeqno: number;
}

/** A trace as cells; the first transaction received the external message. */
interface RawTrace {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly transactions: readonly RawTransaction[];
}

/** Reads the facts that the index would have of a trace; throws CellError for malformed cells. */
function readTraceFacts({ externalHash, normalizedHash, transactions: raw }: RawTrace): TraceFacts {
  const read = raw.map(({ workchain, boc, mcSeqno }) => {
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
