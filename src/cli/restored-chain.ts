import type { Database } from '../db/connection.ts';
import { readIndexHead } from '../ingest/rollback/find-fork.ts';
import { pause, waitAtMost } from '../lib/wait.ts';
import type { CheckOptions } from '../lite/methods/proofs.ts';
import type { Indexing } from './indexing.ts';
import { type LiteServers, SETTLE_MS } from './lite-servers.ts';

/** How a process follows a local chain that went back to a snapshot. */
interface RestoreFollower {
  /** Resolves when v2 and v3 of this process answer from the restored chain, or says why v3 does not. */
  readonly afterRestore: (seqno: number) => Promise<{ readonly index?: IndexReport }>;
}

/** Whether the index agrees with the restored chain. */
interface IndexReport {
  readonly agrees: boolean;
  /** The newest indexed masterchain block; null while nothing is indexed. */
  readonly seqno: number | null;
  /** Why it does not agree. */
  readonly reason?: string;
}

interface FollowOptions {
  readonly lite: LiteServers;
  readonly database: Pick<Database, 'primary'>;
  /** The indexer, if it runs in this process. */
  readonly indexing: Pick<Indexing, 'followRestoredChain'> | undefined;
  readonly check: CheckOptions;
}

/** How long a restore waits for the index: an indexer of another process notices the restore within two seconds. */
const INDEX_MS = 30_000;
const OTHER_INDEX_MS = 5000;
const POLL_MS = 10;

/** Lets the indexer of this process follow every chain that went back. */
export function followRestores({ lite, database, indexing, check }: FollowOptions): RestoreFollower {
  let following: Promise<void> | undefined;
  lite.onRenew(() => {
    following = indexing?.followRestoredChain();
  });

  async function waitForIndex(seqno: number): Promise<IndexReport | undefined> {
    const db = database.primary;
    const timeoutMs = indexing === undefined ? OTHER_INDEX_MS : INDEX_MS;
    const signal = AbortSignal.timeout(timeoutMs);
    await waitAtMost(timeoutMs, following);
    for (;;) {
      const head = await readIndexHead({ pool: lite.pool(undefined), check, signal }, db).catch(
        () => undefined,
      );
      if (head?.isOnChain && head.seqno >= seqno) return { agrees: true, seqno: head.seqno };
      if (head === undefined && indexing === undefined) return undefined;
      if (signal.aborted) return disagreement(head, seqno, timeoutMs);
      await pause(POLL_MS, signal);
    }
  }

  return {
    async afterRestore(seqno) {
      await lite.renew();
      await lite.settle(SETTLE_MS);
      const index = await waitForIndex(seqno);
      return index === undefined ? {} : { index };
    },
  };
}

function disagreement(
  head: { readonly seqno: number; readonly isOnChain: boolean } | undefined,
  wanted: number,
  timeoutMs: number,
): IndexReport {
  const after = `after ${timeoutMs / 1000} s`;
  if (head !== undefined && !head.isOnChain)
    return {
      agrees: false,
      seqno: head.seqno,
      reason: `The index still had masterchain block ${head.seqno} of the discarded chain ${after}: is an indexer running?`,
    };
  const at = head === undefined ? 'empty' : `at masterchain block ${head.seqno}`;
  return {
    agrees: false,
    seqno: head?.seqno ?? null,
    reason: `The index is being filled anew and was ${at} ${after}, of ${wanted}`,
  };
}
