import type { ActionRow } from '../../../db/queries/action-order.ts';
import type { Log } from '../../../lib/log.ts';
import type { ClassificationState } from '../../actions/action.ts';
import { classifyTrace } from '../../actions/classify-trace.ts';
import type { TraceFacts } from '../../actions/trace-facts.ts';
import type { Detection } from '../../detect/detection.ts';
import type { Detector } from '../../detect/detector.ts';
import { accountBytes, accountText } from '../account-text.ts';
import { AskedInterfaces } from '../asked-interfaces.ts';
import { createJudges } from './judges.ts';
import { type RawTransaction, readTraceFacts } from './read-facts.ts';
import { stateOfShardAccount, type UnindexedState } from './state-of.ts';
import { toActionRow } from './to-action-row.ts';
import { type BookSources, type TraceAccounts, UnindexedBook } from './unindexed-book.ts';

/** A transaction that is not in the index. */
export interface UnindexedTransaction extends RawTransaction {
  /** 33 bytes. */
  readonly account: Buffer;
  /** The ShardAccount after it, as far as it is known. */
  readonly after: Uint8Array | undefined;
}

/** A trace that is not in the index; its first transaction took the message from outside. */
export interface UnindexedTrace {
  readonly externalHash: Buffer;
  readonly normalizedHash: Buffer;
  readonly transactions: readonly UnindexedTransaction[];
}

/** What happens in a trace, in the form of the index. */
export interface UnindexedActions {
  readonly state: ClassificationState;
  readonly actions: readonly ActionRow[];
}

/** Says what happens in a trace. Throws CellFault for what is none, and what the database throws. */
export type ClassifyUnindexed = (trace: UnindexedTrace, signal: AbortSignal) => Promise<UnindexedActions>;

export interface UnindexedOptions extends Omit<BookSources, 'judge'> {
  readonly detection: Detection;
  /** Those that detection goes by. */
  readonly detectors: readonly Detector[];
  readonly log: Log;
}

/** How often a trace is classified until nothing more is asked for; what the last time gave counts then. */
const MOST_ROUNDS = 4;

/** Creates what classifies traces that are not in the index, by the same rules as those that are. */
export function createUnindexedClassifier(options: UnindexedOptions): ClassifyUnindexed {
  const { log } = options;
  const sources = { ...options, judge: createJudges(options.detection, options.detectors) };
  return async (trace, signal) => {
    const facts = readTraceFacts(trace);
    const contracts = new UnindexedBook(sources, accountsOf(trace, facts), signal);
    await contracts.learn(new Map(trace.transactions.map(({ account }) => [accountText(account), account])));
    for (let round = 1; ; round++) {
      const interfaces = new AskedInterfaces(contracts.book);
      const { state, actions } = classifyTrace({ trace: facts, interfaces }, (rule, err) =>
        log.warn({ err, rule, trace: facts.traceId }, 'A rule of actions failed'),
      );
      const { unknown, unknownData } = interfaces;
      if (round === MOST_ROUNDS || unknown.size + unknownData.size === 0)
        return { state, actions: actions.map((action) => toActionRow(action, facts)) };
      // An address that no account can have is known to be nothing.
      for (const address of unknown) contracts.book.known.add(address);
      for (const address of unknownData) contracts.book.knownData.add(address);
      await contracts.learn(toBytes(unknown));
      await contracts.learnData(toBytes(unknownData));
    }
  };
}

/** What is known of the accounts of a trace by their last transactions in it. */
function accountsOf(
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

function toBytes(addresses: ReadonlySet<string>): Map<string, Buffer> {
  const accounts = new Map<string, Buffer>();
  for (const address of addresses) {
    const account = accountBytes(address);
    if (account !== undefined) accounts.set(address, account);
  }
  return accounts;
}
