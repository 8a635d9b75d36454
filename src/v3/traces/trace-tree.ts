import Type, { type Static } from 'typebox';
import type { WholeTransaction } from '../../db/queries/whole-transactions.ts';
import { PlainText } from '../../http/serializer.ts';
import { Nullable } from '../nullable.ts';
import { formatHash } from '../value-texts.ts';

/** A transaction of a trace with those that its messages led to. */
export const traceNodeSchema = Type.Object({
  tx_hash: PlainText(),
  in_msg_hash: Type.Optional(PlainText({ description: 'Absent when no message came in.' })),
  children: Nullable(
    Type.Array(Type.Unknown(), {
      description: 'Nodes of this form; null when messages were sent and none of them led to a transaction.',
    }),
  ),
});

/** The schema does not nest, nodes do. */
interface TraceNode extends Omit<Static<typeof traceNodeSchema>, 'children'> {
  children: TraceNode[] | null;
}

interface TraceTree {
  /** Undefined for a trace without transactions. */
  readonly root: TraceNode | undefined;
  /** Whether transactions came of messages that no other one sent. */
  readonly isMissingNodes: boolean;
}

/** Makes the tree of a trace out of its transactions in the order of lt: each is below the one that sent its message. */
export function buildTraceTree(transactions: readonly WholeTransaction[]): TraceTree {
  const senders = new Map<string, TraceNode>();
  let root: TraceNode | undefined;
  let isMissingNodes = false;
  for (const { row, inMessage, outMessages } of transactions) {
    const node: TraceNode = {
      tx_hash: formatHash(row.hash),
      ...(inMessage && { in_msg_hash: formatHash(inMessage.hash) }),
      children: outMessages.length === 0 ? [] : null,
    };
    const sender = inMessage && senders.get(inMessage.hash.toString('latin1'));
    if (sender !== undefined) {
      sender.children ??= [];
      sender.children.push(node);
    } else if (root === undefined) root = node;
    else isMissingNodes = true;
    for (const { hash } of outMessages) senders.set(hash.toString('latin1'), node);
  }
  return { root, isMissingNodes };
}

/** Writes a tree as JSON, which may nest thousands of times: none of it is done by a call within a call. */
export function writeTraceTree(root: TraceNode): string {
  let json = '';
  const left: (TraceNode | string)[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      json += next;
      continue;
    }
    const { children, ...hashes } = next;
    json += `${JSON.stringify(hashes).slice(0, -1)},"children":${children === null ? 'null}' : '['}`;
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
