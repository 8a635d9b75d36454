import { asItem, JsonText, READY_MEMBERS, rawJson } from '../http/serializer.ts';
import type { ShownTransaction } from './shown-transaction.ts';
import { buildTraceTree, type TraceLink, writeTraceTree } from './trace-tree.ts';
import type { TransactionJson } from './transaction-json.ts';
import { formatHash } from './values.ts';

/** What a response shows of the transactions of a trace. */
export interface TraceContent {
  readonly members: TraceMembers | ReadyMembers;
  /** Whether a transaction other than the first has a message that no transaction of the trace sent. */
  readonly isMissingNodes: boolean;
}

interface TraceMembers {
  readonly trace?: string;
  readonly transactions_order: string[];
  readonly transactions: Record<string, TransactionJson>;
}

interface ReadyMembers {
  readonly [READY_MEMBERS]: JsonText;
}

/** A transaction of a trace. */
interface TraceMember {
  readonly link: TraceLink;
  readonly shown: TransactionJson;
}

/** The content of a trace with its transactions in the order of lt. */
export function traceContent(members: readonly TraceMember[]): TraceContent {
  const { root, isMissingNodes } = buildTraceTree(members.map(({ link }) => link));
  const shown = members.map((member) => [formatHash(member.link.hash), member.shown] as const);
  return {
    members: {
      ...(root && { trace: rawJson(writeTraceTree(root)) }),
      transactions_order: shown.map(([hash]) => hash),
      transactions: Object.fromEntries(shown),
    },
    isMissingNodes,
  };
}

/** A longer text is written in pieces, so that it does not hold the event loop. */
const MAX_READY_CHARS = 256 * 1024;

/** The same of transactions whose texts are ready; that of an ordinary trace is then ready too. */
export function shownTraceContent(transactions: readonly ShownTransaction[]): TraceContent {
  if (transactions.reduce((sum, { text }) => sum + text.json.length, 0) > MAX_READY_CHARS)
    return traceContent(transactions.map((one) => ({ link: one, shown: asItem<TransactionJson>(one.text) })));
  const { root, isMissingNodes } = buildTraceTree(transactions);
  const tree = root === undefined ? '' : `"trace":${writeTraceTree(root)},`;
  const hashes = transactions.map(({ hash }) => `"${formatHash(hash)}"`);
  const entries = transactions.map(({ text }, at) => `${hashes[at]}:${text.json}`);
  const json = `${tree}"transactions_order":[${hashes.join()}],"transactions":{${entries.join()}}`;
  return { members: { [READY_MEMBERS]: new JsonText(json) }, isMissingNodes };
}
