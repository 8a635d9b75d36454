import type { Static } from 'typebox';
import Type from 'typebox';
import type { PlacedTransaction } from '../chain/tlb/placed-transaction.ts';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import { asItem, PlainText, RawJson, READY_MEMBERS, rawJson } from '../http/serializer.ts';
import type { StoredTrace } from '../index/read/stored-traces.ts';
import type { TraceWriter, WrittenTrace } from '../index/read/traces.ts';
import type { ReadyTransaction } from '../index/read/transaction-reader.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import { JsonText } from '../lib/json-text.ts';
import { actionOfTraceSchema } from './action-schemas.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import { createTransactionWriter, type TransactionJson, transactionSchema } from './transaction-json.ts';
import { EmulatorVersion, formatHash, formatHashOrNull, MapOf, Nullable, TextOf } from './values.ts';

/** A transaction of a trace with the transactions that its messages led to. */
export const traceNodeSchema = Type.Object(
  {
    tx_hash: PlainText(),
    in_msg_hash: Type.Optional(PlainText({ description: 'Absent if no message came in.' })),
    children: Nullable(
      Type.Array(ShownAs(Type.Unknown(), schemaRef('TraceNode')), {
        description: 'Null if messages were sent and none of them led to a transaction.',
      }),
    ),
  },
  { title: 'TraceNode' },
);

/** Nodes nest, which the schema cannot say. */
interface TraceNode extends Omit<Static<typeof traceNodeSchema>, 'children'> {
  children: TraceNode[] | null;
}

/** The hashes that connect the transactions of a trace. */
export interface TraceLink {
  readonly hash: Buffer;
  readonly inHash: Buffer | undefined;
  readonly outHashes: readonly Buffer[];
}

export function linkOf({ transaction: { hash, inMessage, outMessages } }: PlacedTransaction): TraceLink {
  return { hash, inHash: inMessage?.hash, outHashes: outMessages.map((message) => message.hash) };
}

/** Builds the tree of a trace from its transactions in the order of lt: each is below the one that sent its message. */
export function buildTraceTree(links: readonly TraceLink[]) {
  const senders = new Map<string, TraceNode>();
  let root: TraceNode | undefined;
  let isMissingNodes = false;
  for (const { hash, inHash, outHashes } of links) {
    const node: TraceNode = {
      tx_hash: formatHash(hash),
      ...(inHash && { in_msg_hash: formatHash(inHash) }),
      children: outHashes.length === 0 ? [] : null,
    };
    const sender = inHash && senders.get(bytesKey(inHash));
    if (sender !== undefined) {
      sender.children ??= [];
      sender.children.push(node);
    } else if (root === undefined) root = node;
    else isMissingNodes = true;
    for (const sent of outHashes) senders.set(bytesKey(sent), node);
  }
  return { root, isMissingNodes };
}

/** Writes a tree as JSON without recursion: it may nest thousands of levels deep. */
export function writeTraceTree(root: TraceNode): string {
  let json = '';
  const left: (TraceNode | string)[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      json += next;
      continue;
    }
    const { tx_hash: hash, in_msg_hash: inHash, children } = next;
    json += inHash === undefined ? `{"tx_hash":"${hash}"` : `{"tx_hash":"${hash}","in_msg_hash":"${inHash}"`;
    json += children === null ? ',"children":null}' : ',"children":[';
    if (children !== null)
      left.push(
        ']}',
        ...children
          .flatMap((child) => [child, ','])
          .slice(0, -1)
          .reverse(),
      );
  }
  return json;
}

const traceInfoSchema = Type.Object(
  {
    trace_state: TextOf(['complete', 'pending']),
    messages: Type.Integer(),
    transactions: Type.Integer(),
    pending_messages: Type.Integer(),
    classification_state: TextOf(['unclassified', 'ok', 'failed']),
  },
  { title: 'TraceMeta' },
);

export const traceSchema = Type.Object(
  {
    trace_id: Nullable(
      PlainText({ description: 'Hash of the first transaction; null while that is predicted.' }),
    ),
    external_hash: Nullable(
      PlainText({ description: 'Hash of the external message that started the trace.' }),
    ),
    mc_seqno_start: PlainText(),
    mc_seqno_end: PlainText(),
    start_lt: PlainText(),
    start_utime: Type.Integer(),
    end_lt: PlainText(),
    end_utime: Type.Integer(),
    trace_info: traceInfoSchema,
    is_incomplete: Type.Boolean({
      description: 'True if the trace is too large to show its transactions, or emulation stopped early.',
    }),
    warning: Type.Optional(Type.String()),
    emulator_version: EmulatorVersion('In pending traces: the version of the TVM that predicted it.'),
    actions: Type.Optional(
      Type.Array(actionOfTraceSchema, {
        description: 'Ordered by start; with `include_actions`.',
      }),
    ),
    trace: Type.Optional(RawJson(traceNodeSchema)),
    transactions_order: Type.Optional(Type.Array(PlainText())),
    transactions: Type.Optional(MapOf(transactionSchema)),
  },
  { title: 'Trace' },
);

export type TraceJson = Static<typeof traceSchema>;

/** Why the transactions of a trace are left out. */
export type Omission = 'trace is too large' | 'answer is too large';

interface TraceSummary
  extends Pick<
    StoredTrace,
    'mcSeqnoStart' | 'mcSeqnoEnd' | 'startLt' | 'startUtime' | 'endLt' | 'endUtime' | 'nodes' | 'edges'
  > {
  /** Null while the first transaction is predicted. */
  readonly traceId: Buffer | null;
  readonly externalHash: Buffer | null;
  readonly state: 'complete' | 'pending';
  readonly pendingMessages: number;
  readonly classification: string;
  readonly isIncomplete: boolean;
}

/** Writes a trace with its transactions in the order of lt, or with the reason why they are left out. */
export function toTraceJson(summary: TraceSummary, content: TraceContent | Omission): TraceJson {
  const head = {
    trace_id: formatHashOrNull(summary.traceId),
    external_hash: formatHashOrNull(summary.externalHash),
    mc_seqno_start: String(summary.mcSeqnoStart),
    mc_seqno_end: String(summary.mcSeqnoEnd),
    start_lt: String(summary.startLt),
    start_utime: summary.startUtime,
    end_lt: String(summary.endLt),
    end_utime: summary.endUtime,
    trace_info: {
      trace_state: summary.state,
      messages: summary.edges,
      transactions: summary.nodes,
      pending_messages: summary.pendingMessages,
      classification_state: summary.classification,
    },
  };
  if (typeof content === 'string') return { ...head, is_incomplete: true, warning: content };
  return {
    ...head,
    is_incomplete: summary.isIncomplete,
    ...(content.isMissingNodes && { warning: 'missing node in trace found' }),
    ...content.members,
  };
}

interface TraceContent {
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

/** The same of a trace of the index: its text, or its transactions if that would be too long. */
export function writtenTraceContent({ text, transactions, isMissingNodes }: WrittenTrace): TraceContent {
  if (text !== undefined) return { members: { [READY_MEMBERS]: text }, isMissingNodes };
  return traceContent(transactions.map((one) => ({ link: one, shown: asItem<TransactionJson>(one.text) })));
}

/** A longer text is written in pieces, so that it does not hold the event loop. */
const MAX_READY_CHARS = 256 * 1024;

/** Writes the transactions of traces of the index for one response. */
export function createTraceWriter(bodies: DecodedBodies): TraceWriter {
  return { ...createTransactionWriter(bodies), writeTrace };
}

function writeTrace(transactions: readonly ReadyTransaction[]): ReturnType<TraceWriter['writeTrace']> {
  const { root, isMissingNodes } = buildTraceTree(transactions);
  if (transactions.reduce((sum, { text }) => sum + text.json.length, 0) > MAX_READY_CHARS)
    return { text: undefined, isMissingNodes };
  const tree = root === undefined ? '' : `"trace":${writeTraceTree(root)},`;
  const hashes = transactions.map(({ hash }) => `"${formatHash(hash)}"`);
  const entries = transactions.map(({ text }, at) => `${hashes[at]}:${text.json}`);
  const json = `${tree}"transactions_order":[${hashes.join()}],"transactions":{${entries.join()}}`;
  return { text: new JsonText(json), isMissingNodes };
}
