import type { ClientBase } from 'pg';
import { bytesKey, type HashKey } from '../../lib/bytes-key.ts';
import { type OpenPage, openPage, traceIdAt } from '../format/page.ts';
import { pageNumber } from '../format/position.ts';

/** What the blocks after a masterchain seqno hold, which are to be removed. */
export interface DiscardedBlocks {
  /** The lowest logical time of a transaction; undefined without any. */
  readonly firstLt: bigint | undefined;
  /** The changed accounts, 33 bytes, and the logical time of the first transaction of each. */
  readonly accounts: ReadonlyMap<HashKey, bigint>;
  readonly traces: ReadonlyMap<HashKey, DiscardedPart>;
  /** Messages between accounts that were received. */
  readonly received: ReadonlySet<HashKey>;
}

/** The part of a trace that is to be removed. */
export interface DiscardedPart {
  /** Transactions. */
  nodes: number;
  /** External messages that they sent. */
  logs: number;
}

/** Reads the transactions after a masterchain seqno from their pages. */
export async function readDiscarded(client: ClientBase, seqno: number): Promise<DiscardedBlocks> {
  let firstLt: bigint | undefined;
  const accounts = new Map<HashKey, bigint>();
  const traces = new Map<HashKey, DiscardedPart>();
  const received = new Set<HashKey>();
  for await (const { page, traces: ids } of pagesAfter(client, seqno)) {
    const hashOf = (slot: number) => page.transaction(slot).hash;
    for (let slot = 0; slot < page.count; slot++) {
      if (page.place(slot).mcSeqno <= seqno) continue;
      const { lt, inMessage, outMessages } = page.transaction(slot);
      if (firstLt === undefined || lt < firstLt) firstLt = lt;
      // Pages are in the order of seqnos, and so are the transactions of an account.
      const account = bytesKey(page.account(slot));
      if (!accounts.has(account)) accounts.set(account, lt);
      const traceId = bytesKey(traceIdAt(ids, page.count, slot, hashOf));
      const part = traces.get(traceId) ?? { nodes: 0, logs: 0 };
      traces.set(traceId, part);
      part.nodes++;
      part.logs += outMessages.filter(({ info }) => info.kind !== 'internal').length;
      if (inMessage?.info.kind === 'internal') received.add(bytesKey(inMessage.hash));
    }
  }
  return { firstLt, accounts, traces, received };
}

interface PageRow {
  readonly page: string;
  readonly traces: Buffer;
  readonly body: Buffer;
}

interface PageWithTraces {
  readonly page: OpenPage;
  readonly traces: Buffer;
}

const PAGES_PER_QUERY = 200;

/** The pages with transactions after a seqno: the one that goes on after it, and all that begin there. */
async function* pagesAfter(client: ClientBase, seqno: number): AsyncGenerator<PageWithTraces> {
  const next = pageNumber(seqno + 1, 0);
  const { rows: divided } = await client.query<PageRow & { last_seqno: number }>(
    'select page, last_seqno, traces, body from tx_pages where page < $1 order by page desc limit 1',
    [next],
  );
  for (const row of divided) if (row.last_seqno > seqno) yield open(row);
  let from = next;
  let last: PageRow | undefined;
  do {
    const { rows } = await client.query<PageRow>(
      'select page, traces, body from tx_pages where page >= $1 order by page limit $2',
      [from, PAGES_PER_QUERY],
    );
    for (const row of rows) yield open(row);
    last = rows.at(PAGES_PER_QUERY - 1);
    from = Number(last?.page) + 1;
  } while (last !== undefined);
}

function open({ page, traces, body }: PageRow): PageWithTraces {
  return { page: openPage(Number(page), body), traces };
}
