import { type RawBuilder, sql } from 'kysely';
import { atLeast, atMost, inSpan, type Span } from './span.ts';

/** Which messages are wanted. */
export interface MessageFilters {
  /** Hashes or normalized hashes; empty when they do not matter. */
  readonly hashes: readonly Buffer[];
  readonly bodyHash?: Buffer | undefined;
  /** An account, or null for messages that come from outside. */
  readonly source?: Buffer | null | undefined;
  /** An account, or null for messages that go outside. */
  readonly destination?: Buffer | null | undefined;
  readonly opcode?: number | undefined;
  /** Only as it was received, or as it was sent. */
  readonly direction?: 'in' | 'out' | undefined;
  readonly onlyExternals: boolean;
  readonly excludeExternals: boolean;
  /** Of the creation of messages, which those from outside do not tell. */
  readonly span: Span;
}

/** Rows of `messages` that one index finds. */
export interface MessageBranch {
  readonly where: RawBuilder<boolean>;
  /** Columns that are in the order of lt, and that the index has in this order. */
  readonly order: readonly RawBuilder<unknown>[];
  /** How many rows a message may have among them. */
  readonly sides: 1 | 2;
}

/** A transaction sends fewer messages than this, each one tick after the other. */
const MOST_SENT = 65_536n;

const BY_LT = [sql`lt`, sql`hash`];
/** In one account this is the order of lt too. */
const BY_SENDER = [sql`tx_lt`, sql`ordinal`];

/**
 * The rows of the messages wanted in a part of their span, cut so that each branch has an index. No branch at all is left
 * where the filters contradict each other: rows that are not there would be looked for to the end.
 */
export function messageBranches(filters: MessageFilters, reach: Span): readonly MessageBranch[] {
  const isFromOutside = filters.onlyExternals || filters.source === null;
  const hasCreation = filters.excludeExternals || Object.values(filters.span).some(isGiven);
  if (isFromOutside && (hasCreation || filters.source)) return [];
  const conditions = [
    is(sql`body_hash`, filters.bodyHash),
    filters.opcode === undefined ? sql`true` : sql`opcode = ${filters.opcode}`,
    hasCreation ? sql`created_at is not null` : sql`true`,
    filters.onlyExternals ? sql`created_at is null` : sql`true`,
    inSpan(reach, sql`created_at`, sql`lt`),
  ];
  const branches = isFromOutside
    ? receivedBranches({ ...filters, source: null })
    : sideBranches(filters, reach);
  return branches.flatMap((branch) =>
    hashConditions(filters.hashes).map((byHash) => ({
      ...branch,
      where: sql<boolean>`${sql.join([branch.where, byHash, ...conditions], sql` and `)}`,
    })),
  );
}

function sideBranches(filters: MessageFilters, reach: Span): readonly MessageBranch[] {
  const { source, destination, direction } = filters;
  if (source === undefined && destination === undefined && direction === undefined)
    return [{ where: sql`true`, order: BY_LT, sides: 2 }];
  return [...receivedBranches(filters), ...sentBranches(filters, reach)];
}

type Ends = Pick<MessageFilters, 'source' | 'destination' | 'direction'>;

/** Rows of receivers: the account is the destination. */
function receivedBranches({ source, destination, direction }: Ends): readonly MessageBranch[] {
  if (direction === 'out' || destination === null) return [];
  const where = sql<boolean>`ordinal = 0 and ${is(sql`peer`, source)} and ${is(sql`account`, destination)}`;
  return [{ where, order: BY_LT, sides: 1 }];
}

/** Rows of senders: the account is the source. */
function sentBranches({ source, destination, direction }: Ends, reach: Span): readonly MessageBranch[] {
  if (direction === 'in') return [];
  const where = sql<boolean>`ordinal > 0 and ${is(sql`account`, source)} and ${is(sql`peer`, destination)}`;
  if (!source || destination) return [{ where, order: BY_LT, sides: 1 }];
  const first = reach.startLt === undefined ? undefined : reach.startLt - MOST_SENT;
  const inReach = sql`${atLeast(sql`tx_lt`, first)} and ${atMost(sql`tx_lt`, reach.endLt)}`;
  return [{ where: sql`${where} and ${inReach}`, order: BY_SENDER, sides: 1 }];
}

/** Each of the two hashes has an index, and each is asked for itself. */
function hashConditions(hashes: readonly Buffer[]): readonly RawBuilder<boolean>[] {
  if (hashes.length === 0) return [sql`true`];
  return [
    sql`hash = any(${hashes}::bytea[])`,
    sql`hash_norm = any(${hashes}::bytea[]) and hash <> all(${hashes}::bytea[])`,
  ];
}

function is(column: RawBuilder<unknown>, value: Buffer | null | undefined): RawBuilder<boolean> {
  if (value === undefined) return sql`true`;
  return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
}

function isGiven(bound: bigint | undefined): boolean {
  return bound !== undefined;
}
