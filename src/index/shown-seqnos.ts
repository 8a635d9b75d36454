import { type Kysely, type KyselyPlugin, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../db/tables/tables.ts';

/** Masterchain seqnos, both inclusive. */
export interface ShownRange {
  readonly first: number;
  readonly last: number;
}

/** Carries the seqnos that a read may show; it changes nothing. */
class ShownSeqnos implements KyselyPlugin {
  readonly ranges: readonly ShownRange[];

  constructor(ranges: readonly ShownRange[]) {
    this.ranges = ranges;
  }

  transformQuery({ node }: Parameters<KyselyPlugin['transformQuery']>[0]) {
    return node;
  }

  async transformResult({ result }: Parameters<KyselyPlugin['transformResult']>[0]) {
    return result;
  }
}

/** Lets the queries of a read show only some seqnos: those that are written on all nodes of a cluster. */
export function withShownSeqnos(db: Kysely<Tables>, ranges: readonly ShownRange[]): Kysely<Tables> {
  return db.withPlugin(new ShownSeqnos(ranges));
}

/** The condition that a row may be shown, by its seqno; always true on a single server. */
export function isShown(db: Kysely<Tables>, seqno: RawBuilder<unknown>): RawBuilder<boolean> {
  const shown = db.getExecutor().plugins.find((plugin) => plugin instanceof ShownSeqnos);
  if (shown === undefined) return sql`true`;
  if (shown.ranges.length === 0) return sql`false`;
  const isIn = shown.ranges.map(({ first, last }) => sql`${seqno} between ${first} and ${last}`);
  return sql`(${sql.join(isIn, sql` or `)})`;
}
