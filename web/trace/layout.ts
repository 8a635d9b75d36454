import type { Trace, TraceNode, Transaction } from '../api/v3.d.ts';

/** A transaction at its place in the picture. */
export interface PlacedNode {
  readonly hash: string;
  readonly transaction: Transaction | undefined;
  /** Column: how many messages lie before it. */
  readonly depth: number;
  /** Row; the middle of its children, so it may lie between two rows. */
  readonly row: number;
  readonly children: readonly PlacedNode[];
}

/** A trace as a picture. */
export interface TraceLayout {
  readonly root: PlacedNode;
  /** All of them, parents first. */
  readonly nodes: readonly PlacedNode[];
  readonly columns: number;
  readonly rows: number;
  /** Transactions that are left out, because a picture of thousands is of no use. */
  readonly leftOut: number;
}

const MAX_NODES = 400;

/** Places the transactions of a trace: messages go from left to right, children stand below each other. */
export function layOut({ trace, transactions = {} }: Trace): TraceLayout | null {
  if (trace === undefined) return null;
  const nodes: PlacedNode[] = [];
  let rows = 0;
  let columns = 0;
  const shown = firstNodes(trace);

  function place(node: TraceNode, depth: number): PlacedNode {
    const at = nodes.length;
    nodes.push(undefined as never);
    columns = Math.max(columns, depth + 1);
    const children = (node.children ?? [])
      .filter((child) => shown.has(child))
      .map((child) => place(child, depth + 1));
    const row = children.length === 0 ? rows++ : (children[0]!.row + children.at(-1)!.row) / 2;
    const placed = { hash: node.tx_hash, transaction: transactions[node.tx_hash], depth, row, children };
    nodes[at] = placed;
    return placed;
  }

  const root = place(trace, 0);
  return {
    root,
    nodes,
    columns,
    rows,
    leftOut: Math.max(0, Object.keys(transactions).length - nodes.length),
  };
}

/** The nodes nearest to the start; recursion over them stays shallow. */
function firstNodes(root: TraceNode): Set<TraceNode> {
  const shown = new Set<TraceNode>([root]);
  for (const node of shown) {
    for (const child of node.children ?? []) {
      if (shown.size >= MAX_NODES) return shown;
      shown.add(child);
    }
  }
  return shown;
}
