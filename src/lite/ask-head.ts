import { decodeAnswer, encodeRequest } from '../chain/tl/lite-codec.ts';
import type { MasterchainInfo } from '../chain/tl/masterchain.ts';
import { LiteServerError, LiteTimeout } from './errors.ts';
import type { PoolTiming } from './pool-timing.ts';
import type { PooledServer } from './pooled-server.ts';

/** What a server says of its newest block. */
export interface ClaimedHead extends MasterchainInfo {
  readonly lastUtime: number | undefined;
}

const INFO = encodeRequest({ method: 'getMasterchainInfo' });
const INFO_EXT = encodeRequest({ method: 'getMasterchainInfoExt', mode: 0 });
/** What a server answers when a block did not come while it held the query. */
const CODE_TIMEOUT = 652;
/** A server that does not hold queries is tried again after so many polls: it may have been replaced. */
const POLLS_BEFORE_HOLD = 60;

/** Asks one server for its newest block; remembers which of the ways to ask it understands. */
export class HeadAsker {
  readonly #server: PooledServer;
  readonly #timing: PoolTiming;
  #hasExt = true;
  /** Whether it is worth a try; that the server does hold queries is known after the first one. */
  #mayHold = true;
  #polls = 0;

  constructor(server: PooledServer, timing: PoolTiming) {
    this.#server = server;
    this.#timing = timing;
  }

  /** The newest block once it is newer than the one known, or after a while; undefined when nothing came. */
  async ask(): Promise<ClaimedHead | undefined> {
    if (this.#server.head === undefined || !this.#triesToHold()) return this.#read(undefined);
    try {
      const info = await this.#read({ seqno: this.#server.seqno + 1, timeoutMs: this.#timing.headWaitMs });
      this.#setHolds(true);
      return info;
    } catch (error) {
      if (error instanceof LiteServerError && error.code === CODE_TIMEOUT) {
        this.#setHolds(true);
        return undefined;
      }
      // No answer at all may mean that the server ignores what it does not know.
      if (!(error instanceof LiteServerError || error instanceof LiteTimeout)) throw error;
    }
    const info = await this.#read(undefined);
    this.#setHolds(false);
    return info;
  }

  #triesToHold(): boolean {
    if (this.#mayHold) return true;
    this.#polls = (this.#polls + 1) % POLLS_BEFORE_HOLD;
    return this.#polls === 0;
  }

  #setHolds(holds: boolean): void {
    this.#mayHold = holds;
    this.#server.holdsQueries = holds;
  }

  async #read(waitFor: { seqno: number; timeoutMs: number } | undefined): Promise<ClaimedHead> {
    const timeoutMs = this.#timing.queryMs + (waitFor?.timeoutMs ?? 0);
    if (this.#hasExt) {
      try {
        const answer = await this.#server.askNow(INFO_EXT, { timeoutMs, waitFor });
        return decodeAnswer('getMasterchainInfoExt', answer, { allowTrailing: true });
      } catch (error) {
        // A held query may be refused for other reasons than being unknown.
        if (!(error instanceof LiteServerError) || waitFor !== undefined) throw error;
      }
    }
    const answer = await this.#server.askNow(INFO, { timeoutMs, waitFor });
    this.#hasExt = false;
    return { ...decodeAnswer('getMasterchainInfo', answer), lastUtime: undefined };
  }
}
