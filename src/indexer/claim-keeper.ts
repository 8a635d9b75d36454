import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Claim } from './chunks/claim.ts';
import { ClaimLost } from './chunks/claim-lost.ts';
import { beat, release } from './chunks/keep-claim.ts';

/** A database that is gone must not keep a process from ending. */
const RELEASE_MS = 2000;

/** The claims that a process works on. */
export class ClaimKeeper {
  readonly #db: Kysely<Tables>;
  readonly #held = new Map<Claim, AbortController>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Works on a claim, under a signal that also ends when the claim is lost, and gives it back. */
  async hold(claim: Claim, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lost = new AbortController();
    this.#held.set(claim, lost);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      this.#held.delete(claim);
      lost.abort();
      const released = release(this.#db, claim).catch(() => {});
      await Promise.race([released, sleep(RELEASE_MS, undefined, { ref: false })]);
    }
  }

  /** Says for all claims that we are alive. */
  async beat(): Promise<void> {
    for (const [claim, lost] of this.#held) {
      try {
        await beat(this.#db, claim);
      } catch (error) {
        if (!(error instanceof ClaimLost)) throw error;
        lost.abort(error);
      }
    }
  }
}
