/** Servers without an archive drop states after a while; for older blocks archive servers are preferred. */
const OLD_BLOCKS = 2000;

/**
 * The live servers that suit a request best. When none has the block of the request, any will do: its refusal tells the
 * caller why. The list may be empty only when an archive server is required.
 */
export function eligibleServers<T extends ServerCandidate>(
  live: readonly T[],
  { archival = false, seqno, among }: ServerRequirements,
  consensusSeqno: number,
): readonly T[] {
  const suitable = among === undefined ? live : live.filter(({ index }) => among(index));
  // A congested connection is better than none.
  const connected = suitable.filter(({ isReady }) => isReady);
  const ready = orElse(connected, suitable);
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

/**
 * Returns the better of two random servers. If all callers took the best server, it would be overloaded before its
 * latency showed it.
 */
export function chooseServer<T extends ServerCandidate>(
  candidates: readonly T[],
  { consensusSeqno, nowMs, random }: { consensusSeqno: number; nowMs: number; random: () => number },
): T | undefined {
  if (candidates.length < 2) return candidates[0];
  const first = Math.floor(random() * candidates.length);
  const others = Math.floor(random() * (candidates.length - 1));
  const a = candidates[first]!;
  const b = candidates[others < first ? others : others + 1]!;
  return costOf(a) <= costOf(b) ? a : b;

  /** Roughly how long a response will take: every query in the queue and every missing block count as one query more. */
  function costOf(server: T): number {
    const behind = Math.max(0, consensusSeqno - server.seqno);
    return server.expectedMs(nowMs) * (1 + server.load) * (1 + behind);
  }
}

function orElse<T>(first: readonly T[], second: readonly T[]): readonly T[] {
  return first.length > 0 ? first : second;
}

/** Up to `count` random items. */
export function pickRandom<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items];
  const taken: T[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(random() * left.length), 1));
  return taken;
}

/** The facts that the choice of a server depends on. */
export interface ServerCandidate {
  readonly index: number;
  /** Newest masterchain block. */
  readonly seqno: number;
  /** Oldest one; undefined until it is known. */
  readonly oldestSeqno: number | undefined;
  readonly isArchival: boolean;
  /** Whether a query would be sent immediately. */
  readonly isReady: boolean;
  /** Queries in flight or in the queue. */
  readonly load: number;
  /** The expected duration of a query. */
  expectedMs(nowMs: number): number;
}

/** The requirements of a request on its server. */
export interface ServerRequirements {
  /** Only an archive server will do. */
  readonly archival?: boolean | undefined;
  /** The masterchain block of the request, or an estimate of it. */
  readonly seqno?: number | undefined;
  /** Only one of these servers, by their index, will do. */
  readonly among?: ((index: number) => boolean) | undefined;
}
