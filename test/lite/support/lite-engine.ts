import { EventEmitter } from 'node:events';
import type { LiteEngine } from 'ton-lite-client';
import { type TLFunction, TLReadBuffer, TLWriteBuffer } from 'ton-tl';
import { LiteNetworkError } from '../../../src/lite/methods/proofs.ts';
import type { LitePool } from '../../../src/lite/pool.ts';

/**
 * Makes the pool an engine of ton-lite-client, so that its `LiteClient` can be used: every query is a session of its
 * own. Closing the engine leaves the pool open. It never emits `error`, which ends a process that does not listen.
 */
export function createLiteEngine(pool: LitePool): LiteEngine {
  return new PoolEngine(pool);
}

class PoolEngine extends EventEmitter implements LiteEngine {
  readonly #pool: LitePool;
  readonly #unlisten: () => void;
  #closed = false;

  constructor(pool: LitePool) {
    super();
    this.#pool = pool;
    this.#unlisten = pool.onHead(() => {
      this.#unlisten();
      this.emit('connect');
      this.emit('ready');
    });
  }

  async query<REQ, RES>(
    f: TLFunction<REQ, RES>,
    req: REQ,
    { timeout, awaitSeqno }: { timeout?: number; awaitSeqno?: number } = {},
  ): Promise<RES> {
    if (this.#closed) throw new LiteNetworkError('Cancelled');
    const writer = new TLWriteBuffer();
    f.encodeRequest(req, writer);
    const request = writer.build();
    const session = await this.#pool.session({ budgetMs: timeout });
    return session.run(async ({ query }) => {
      const answer = await query(request, { waitSeqno: awaitSeqno });
      try {
        // Its reader changes the bytes of negative numbers, and the response may be shared with others.
        return f.decodeResponse(new TLReadBuffer(Buffer.from(answer)));
      } catch (error) {
        throw new LiteNetworkError(': the answer cannot be read', error);
      }
    });
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#unlisten();
    this.emit('close');
  }

  isClosed(): boolean {
    return this.#closed;
  }

  isReady(): boolean {
    return !this.#closed && this.#pool.servers().some(({ state }) => state === 'live');
  }
}
