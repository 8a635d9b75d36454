import { interfacesOf } from '../api/address-names.ts';
import type { Message, Trace, TraceNode, Transaction } from '../api/v3.d.ts';
import { hrefOf } from '../router.ts';
import { friendlyAddress, nameOf } from '../show/address.tsx';
import { formatUnits } from '../show/amount.tsx';
import { cleanText } from '../show/chain-text.tsx';
import { coinName } from '../show/coin.ts';
import { exitCodeText, resultCodeText, skipReasonText } from '../show/exit-codes.ts';
import { shortened } from '../show/hash.tsx';
import { ScrollRegion } from '../show/panel.tsx';
import { isDeposit, isFailed, kindOf, opcodeName, transactionPage } from '../show/transaction-rows.tsx';
import './trace-picture.css';

// All lengths are pixels.
const BOX = { width: 208, height: 74 };
const STEP = { x: BOX.width + 56, y: BOX.height + 18 };
const MARGIN = 12;
const MAX_LINE_CHARS = 28;
const NANO_DIGITS = 9;
/** Decimals in the picture; pages have all of them. */
const SHOWN_DIGITS = 4;

/** The tree of a trace as a picture: a box for each transaction, a line for each message. */
export function TracePicture({ layout }: { readonly layout: TraceLayout }) {
  const width = (layout.columns - 1) * STEP.x + BOX.width + MARGIN * 2;
  const height = (layout.rows - 1) * STEP.y + BOX.height + MARGIN * 2;
  return (
    <ScrollRegion name="Tree of the trace; the list below says the same" kind="trace-picture">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the region around it has a label */}
      <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        {layout.nodes.map((node) =>
          node.children.map((child) => <Line key={child.hash} from={node} to={child} />),
        )}
        {layout.nodes.map((node) => (
          <Box key={node.hash} node={node} />
        ))}
      </svg>
    </ScrollRegion>
  );
}

function cornerOf({ depth, row }: PlacedNode) {
  return { x: MARGIN + depth * STEP.x, y: MARGIN + row * STEP.y };
}

function Line({ from, to }: { readonly from: PlacedNode; readonly to: PlacedNode }) {
  const [a, b] = [cornerOf(from), cornerOf(to)];
  const [x1, y1, x2, y2] = [a.x + BOX.width, a.y + BOX.height / 2, b.x, b.y + BOX.height / 2];
  const middle = (x1 + x2) / 2;
  const isBounced = to.transaction?.in_msg?.bounced === true;
  return (
    <g class={isBounced ? 'line bounced' : 'line'}>
      <path d={`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2 - 5} ${y2}`} />
      <path class="tip" d={`M${x2} ${y2}l-7 -4v8z`} />
    </g>
  );
}

function Box({ node }: { readonly node: PlacedNode }) {
  const { x, y } = cornerOf(node);
  const { hash, transaction, out } = node;
  const outcome = outcomeOf(node);
  const value = transaction?.in_msg?.value;
  const name = transaction === undefined ? shortened(hash) : accountName(transaction.account);
  const kind = transaction === undefined ? 'transaction' : kindOf(transaction);
  const lines = [
    ['name', 19, `${cut(out === undefined ? name : OUTSIDE)} `],
    ['kind', 36, `${cut(out === undefined ? kind : opcodeName(out.message))} `],
    [
      'value',
      52,
      typeof value === 'string' ? `${formatUnits(value, NANO_DIGITS, SHOWN_DIGITS)} ${coinName()} ` : ' ',
    ],
    ['outcome', 66, outcome.text === '' ? '' : (MARKS[outcome.kind] ?? '') + cut(outcome.text)],
  ] as const;
  return (
    <a href={hrefOf(transactionPage(out?.sender ?? hash))} class={`box ${outcome.kind}`}>
      <rect x={x} y={y} width={BOX.width} height={BOX.height} rx="7" />
      <rect class="side" x={x} y={y + 8} width="4" height={BOX.height - 16} />
      {lines.map(([part, down, text]) => (
        <text key={part} class={part} x={x + 14} y={y + down}>
          {text}
        </text>
      ))}
    </a>
  );
}

/** Where the messages go that nobody on the chain receives. */
export const OUTSIDE = 'outside the chain';

/** Outcomes are not told by colour alone. */
const MARKS: Readonly<Record<string, string>> = { bad: '✕ ', bounced: '↩ ' };

function accountName(address: string): string {
  const name = nameOf(address);
  return name ? cleanText(name) : shortened(friendlyAddress(address), 6, 6);
}

function cut(text: string): string {
  return text.length <= MAX_LINE_CHARS ? text : `${text.slice(0, MAX_LINE_CHARS - 1)}…`;
}

export interface PlacedNode {
  readonly hash: string;
  readonly transaction: Transaction | undefined;
  /** Set for a message that leaves the chain: it has no transaction, and stands behind the one that sent it. */
  readonly out?: { readonly message: Message; readonly sender: string } | undefined;
  /** Column: how many messages lie before it. */
  readonly depth: number;
  /** Row; the middle of its children, so it may lie between two rows. */
  readonly row: number;
  readonly children: readonly PlacedNode[];
}

interface TraceLayout {
  readonly root: PlacedNode;
  /** All of them, parents first. */
  readonly nodes: readonly PlacedNode[];
  readonly columns: number;
  readonly rows: number;
  /** Transactions that are left out, because a picture of thousands is of no use. */
  readonly leftOut: number;
}

const MAX_NODES = 400;
/** With messages that leave the chain. */
const MAX_BOXES = 600;

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
    const children: PlacedNode[] = (node.children ?? [])
      .filter((child) => shown.has(child))
      .map((child) => place(child, depth + 1));
    const transaction = transactions[node.tx_hash];
    for (const message of transaction?.out_msgs ?? [])
      if (message.destination === null && nodes.length < MAX_BOXES)
        children.push(placeOut(message, node.tx_hash, depth + 1));
    const row = children.length === 0 ? rows++ : (children[0]!.row + children.at(-1)!.row) / 2;
    const placed = { hash: node.tx_hash, transaction, depth, row, children };
    nodes[at] = placed;
    return placed;
  }

  function placeOut(message: Message, sender: string, depth: number): PlacedNode {
    columns = Math.max(columns, depth + 1);
    const out = { message, sender };
    const placed = { hash: message.hash, transaction: undefined, out, depth, row: rows++, children: [] };
    nodes.push(placed);
    return placed;
  }

  const root = place(trace, 0);
  const leftOut = Math.max(0, Object.keys(transactions).length - shown.size);
  return { root, nodes, columns, rows, leftOut };
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

interface Outcome {
  readonly kind: 'good' | 'bad' | 'bounced' | 'pending';
  /** A few words; empty for a plain success. */
  readonly text: string;
}

export function outcomeOf({ transaction, out }: Pick<PlacedNode, 'transaction' | 'out'>): Outcome {
  if (out !== undefined) return { kind: 'good', text: '' };
  if (transaction === undefined) return { kind: 'pending', text: 'not shown' };
  const { compute_ph: compute, action } = transaction.description;
  if (isDeposit(transaction.description)) return { kind: 'good', text: 'no contract' };
  if (isFailed(transaction)) {
    if (compute?.skipped === true) return { kind: 'bad', text: skipReasonText(compute.reason ?? '') };
    if (compute?.success === false) {
      const code = compute.exit_code ?? 0;
      return { kind: 'bad', text: `exit ${code}: ${exitCodeText(code, interfacesOf(transaction.account))}` };
    }
    const code = action?.result_code ?? 0;
    return { kind: 'bad', text: `action ${code}: ${resultCodeText(code)}` };
  }
  if (transaction.in_msg?.bounced === true) return { kind: 'bounced', text: 'bounced back' };
  return transaction.finality === 'finalized'
    ? { kind: 'good', text: '' }
    : { kind: 'pending', text: transaction.finality };
}
