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
  /** Claims that could not be given back yet, by their first seqno. */
  readonly #left = new Map<number, Claim>();

  constructor(db: Kysely<Tables>) {
    this.#db = db;
  }

  /** Works on a claim, under a signal that also ends when the claim is lost, and gives it back. */
  async hold(claim: Claim, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const lost = new AbortController();
    this.#left.delete(claim.firstSeqno);
    this.#held.set(claim, lost);
    try {
      await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      this.#held.delete(claim);
      lost.abort();
      await Promise.race([this.#giveBack(claim), sleep(RELEASE_MS, undefined, { ref: false })]);
    }
  }

  /** Without this, nobody would work on the range until its lease is over. */
  async #giveBack(claim: Claim): Promise<void> {
    this.#left.set(claim.firstSeqno, claim);
    try {
      await release(this.#db, claim);
      if (this.#left.get(claim.firstSeqno) === claim) this.#left.delete(claim.firstSeqno);
    } catch {
      // It is tried again with the next beat.
    }
  }

  /** Says for all claims that we are alive, and gives back those that could not be given back before. */
  async beat(): Promise<void> {
    for (const claim of [...this.#left.values()]) await this.#giveBack(claim);
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
