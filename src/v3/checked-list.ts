import type { OrderKey, Page } from '../index/read/pages.ts';

/** A list whose rows hold prefixes: only what they refer to can tell whether they belong to it. */
interface CheckedList<Row, Item> {
  readonly keys: readonly ListKey[];
  /** The requested page; its `after` has the keys of an item. */
  readonly page: Page;
  /**
   * How far rows tell whether they belong to the list: those before the page are skipped by the database, or once they
   * were found, or only after what they refer to was read.
   */
  readonly skips: 'unseen' | 'unread' | 'read';
  /** The keys of a row before all rows that may be those of the item with the given keys. */
  readonly rowKeysBefore: (after: readonly string[]) => readonly string[];
  /** Finds the rows of a page, whose `after` has the keys of a row. */
  readonly find: (page: Page) => Promise<FoundRows<Row>>;
  /** Reads the items of rows that belong to the list, in list order. */
  readonly read: (rows: readonly Row[]) => Promise<readonly Item[]>;
  readonly keysOf: (item: Item) => readonly string[];
}

type ListKey = Pick<OrderKey, 'type' | 'direction'>;

interface FoundRows<Row> {
  readonly rows: readonly Row[];
  /** The keys to go on after; undefined at the end of the list. */
  readonly last: readonly string[] | undefined;
}

/** A page of a list. */
export interface ListedPage<Item> {
  readonly items: readonly Item[];
  /** If the page is full: the keys of its last item, as in cursors. */
  readonly next: readonly string[] | undefined;
}

/** Rows that are read at a time where few of them belong to the list. */
const MAX_ROWS = 1000;

/** Reads a page of a list: where rows do not belong to it, the search goes on behind them until the page is full. */
export async function readCheckedPage<Row, Item>(list: CheckedList<Row, Item>): Promise<ListedPage<Item>> {
  const { keys, page } = list;
  const { limit, after } = page;
  // The rows of a cursor may be those of several items.
  const skips = after === undefined ? list.skips : 'read';
  const items: Item[] = [];
  let skipped = skips === 'unseen' ? 0 : page.offset;
  let offset = page.offset - skipped;
  let from = after && list.rowKeysBefore(after);
  const maxCount = Math.max(limit + 1, MAX_ROWS);
  // The row of the cursor is found again.
  let count = Math.min(limit + skipped + (after === undefined ? 0 : 1), maxCount);
  for (;;) {
    const { rows, last } = await list.find({ limit: count, offset, after: from });
    const unread = skips === 'unread' ? Math.min(skipped, rows.length) : 0;
    skipped -= unread;
    const found = await list.read(rows.slice(unread));
    for (const item of found) {
      if (after !== undefined && compareKeys(keys, list.keysOf(item), after) <= 0) continue;
      if (skipped > 0) skipped--;
      else if (items.length < limit) items.push(item);
    }
    if (items.length === limit) return { items, next: list.keysOf(items.at(-1)!) };
    if (last === undefined) return { items, next: undefined };
    from = last;
    offset = 0;
    const isSparse = 2 * (unread + found.length) < count;
    count = Math.min(isSparse ? 2 * count : limit - items.length + skipped, maxCount);
  }
}

/** A page of items that were all found; they are sorted here. */
export function pageOfAll<Item>(
  all: readonly Item[],
  keys: readonly ListKey[],
  { limit, offset, after }: Page,
  keysOf: (item: Item) => readonly string[],
): ListedPage<Item> {
  const sorted = all
    .map((item) => ({ item, own: keysOf(item) }))
    .filter(({ own }) => after === undefined || compareKeys(keys, own, after) > 0)
    .sort((a, b) => compareKeys(keys, a.own, b.own));
  const shown = sorted.slice(offset, offset + limit);
  return {
    items: shown.map(({ item }) => item),
    next: shown.length === limit ? shown.at(-1)!.own : undefined,
  };
}

/** Compares the keys of two items in the order of a list. */
export function compareKeys(keys: readonly ListKey[], a: readonly string[], b: readonly string[]): number {
  for (const [at, { type, direction }] of keys.entries()) {
    const [left, right] = type === 'bigint' ? [BigInt(a[at]!), BigInt(b[at]!)] : [a[at]!, b[at]!];
    if (left !== right) return left < right === (direction === 'asc') ? -1 : 1;
  }
  return 0;
}

/** Bytes as in cursors. */
export function bytesText(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

/** An account as in cursors: the sign of the workchain is flipped, so that the order of bytes is the order of accounts. */
export function signedAccountText(account: Buffer): string {
  const bytes = Buffer.from(account);
  bytes[0] = bytes[0]! ^ 0x80;
  return bytesText(bytes);
}
