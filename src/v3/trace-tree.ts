import type { Static } from 'typebox';
import Type from 'typebox';
import { ShownAs, schemaRef } from '../http/named-schemas.ts';
import { PlainText } from '../http/serializer.ts';
import { bytesKey } from '../lib/bytes-key.ts';
import type { PlacedTransaction } from './placed-transaction.ts';
import { formatHash, Nullable } from './values.ts';

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

interface TraceTree {
  /** Undefined for a trace without transactions. */
  readonly root: TraceNode | undefined;
  /** Whether a transaction other than the first has a message that no transaction of the trace sent. */
  readonly isMissingNodes: boolean;
}

/** The hashes that connect the transactions of a trace. */
export interface TraceLink {
  readonly hash: Buffer;
  readonly inHash: Buffer | undefined;
  readonly outHashes: readonly Buffer[];
}

/** The hashes of a transaction and of its messages. */
export function linkOf({ transaction: { hash, inMessage, outMessages } }: PlacedTransaction): TraceLink {
  return { hash, inHash: inMessage?.hash, outHashes: outMessages.map((message) => message.hash) };
}

/** Builds the tree of a trace from its transactions in the order of lt: each is below the one that sent its message. */
export function buildTraceTree(links: readonly TraceLink[]): TraceTree {
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
