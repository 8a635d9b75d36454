import { decodeAnswer, encodeRequest } from '../../../src/chain/tl/lite-codec.ts';
import { decodeLiteError, type LiteErrorAnswer } from '../../../src/chain/tl/lite-error.ts';
import type { LiteAnswerOf, LiteRequest } from '../../../src/chain/tl/lite-functions.ts';
import { createAnswerRequest } from '../../../src/localnet/lite-server/answer-request.ts';
import type { QueryPorts } from '../../../src/localnet/lite-server/query.ts';
import { RecentMessages } from '../../../src/localnet/lite-server/recent-messages.ts';
import type { ChainStore } from '../../../src/localnet/store/chain-store.ts';
import { createQuietLog } from '../../support/quiet-log.ts';

/** What the clock of a server shows in tests: when the recorded node was asked. */
export const NOW = 1794705618;

/** A lite server without a network: bytes of requests in, bytes of answers out. */
export interface TestAnswers {
  bytes(request: Buffer): Promise<Buffer>;
  /** Asks; a refusal fails the test. */
  ask<R extends LiteRequest>(request: R): Promise<LiteAnswerOf<R['method']>>;
  /** Asks for something that must be refused. */
  refusal(request: LiteRequest): Promise<LiteErrorAnswer>;
  readonly log: ReturnType<typeof createQuietLog>;
}

/** Answers from a store. */
export function answersFrom(store: ChainStore, ports: Partial<QueryPorts> = {}): TestAnswers {
  const log = createQuietLog();
  const now = () => NOW;
  const version = { version: 0x101, capabilities: 15n };
  const answer = createAnswerRequest(
    { store, now, version, recentMessages: new RecentMessages(now), ...ports },
    log,
  );
  const bytes = async (request: Buffer): Promise<Buffer> => answer(request, new AbortController().signal);
  return {
    bytes,
    async ask<R extends LiteRequest>(request: R) {
      const answered = await bytes(encodeRequest(request));
      const error = decodeLiteError(answered);
      if (error !== undefined) throw new Error(`refused: ${error.code} ${error.message}`);
      return decodeAnswer<R['method']>(request.method, answered);
    },
    async refusal(request) {
      const error = decodeLiteError(await bytes(encodeRequest(request)));
      if (error === undefined) throw new Error(`${request.method} was answered`);
      return error;
    },
    log,
  };
}
