/** What the choice depends on. */
export interface Candidate {
  /** Newest masterchain block. */
  readonly seqno: number;
  /** Oldest one; undefined when that is not known yet. */
  readonly oldestSeqno: number | undefined;
  readonly isArchival: boolean;
  /** Whether a query would be sent at once. */
  readonly isReady: boolean;
  /** Queries that run or wait. */
  readonly load: number;
  /** What an answer is expected to take. */
  expectedMs(nowMs: number): number;
}

/** What a request needs of the server that answers it. */
export interface ServerWish {
  /** Only a server that has the whole chain. */
  readonly archival?: boolean | undefined;
  /** A masterchain block, or about the time of one, that the request is about. */
  readonly seqno?: number | undefined;
}

/** Non-archival servers drop states after a while; about what is older, archival ones are asked first. */
const OLD_BLOCKS = 2000;

/**
 * The servers that suit a request best, out of those that are live. When none has what the request is about, any will
 * do: its refusal tells the caller why. Only where archival was asked for the list may be empty.
 */
export function suitableServers<T extends Candidate>(
  live: readonly T[],
  { archival = false, seqno }: ServerWish,
  consensusSeqno: number,
): readonly T[] {
  // A connection that is choked is better than none.
  const ready = orElse(
    live.filter(({ isReady }) => isReady),
    live,
  );
  const whole = ready.filter(({ isArchival }) => isArchival);
  if (archival) return whole;
  if (seqno === undefined) return ready;
  const reaching = ready.filter(
    ({ seqno: newest, isArchival, oldestSeqno = consensusSeqno - OLD_BLOCKS }) =>
      newest >= seqno && (isArchival || oldestSeqno <= seqno),
  );
  const best = consensusSeqno - seqno > OLD_BLOCKS ? orElse(whole, reaching) : reaching;
  return orElse(best, ready);
}

/** How servers are compared. */
export interface ChoiceOptions {
  readonly consensusSeqno: number;
  readonly nowMs: number;
  readonly random: () => number;
}

/**
 * Takes the better of two servers that chance has picked. Many choosers that all went for the best one of all would
 * bury it before its figures could tell.
 */
export function chooseServer<T extends Candidate>(
  candidates: readonly T[],
  { consensusSeqno, nowMs, random }: ChoiceOptions,
): T | undefined {
  if (candidates.length < 2) return candidates[0];
  const first = Math.floor(random() * candidates.length);
  const others = Math.floor(random() * (candidates.length - 1));
  const a = candidates[first]!;
  const b = candidates[others < first ? others : others + 1]!;
  return costOf(a) <= costOf(b) ? a : b;

  /** About how long an answer will take: every query in the queue, and every missing block, is one turn more. */
  function costOf(server: T): number {
    const behind = Math.max(0, consensusSeqno - server.seqno);
    return server.expectedMs(nowMs) * (1 + server.load) * (1 + behind);
  }
}

function orElse<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return first.length > 0 ? first : second;
}
