import type { LiteAnswerOf, LiteMethod, LiteRequestOf } from '../../chain/tl/lite-functions.ts';
import type { ChainStore } from '../store/chain-store.ts';
import type { RunGetMethod } from './get-method-port.ts';
import type { RecentMessages } from './recent-messages.ts';

/**
 * Takes an external message, a checked bag of cells, to the chain. Throws LiteRefusal when the chain does not take
 * it; the text gets the words before it that clients know.
 */
export type SendMessage = (message: Buffer) => Promise<void>;

/** What a server says about itself; `version` is 256 times the major number plus the minor one. */
export interface ServerVersion {
  readonly version: number;
  readonly capabilities: bigint;
}

/** What answers are made from. */
export interface QueryPorts {
  readonly store: ChainStore;
  /** Unix seconds. */
  readonly now: () => number;
  readonly version: ServerVersion;
  readonly recentMessages: RecentMessages;
  /** Without it get-methods are refused. */
  readonly runGetMethod?: RunGetMethod | undefined;
  /** Without it external messages are refused. */
  readonly sendMessage?: SendMessage | undefined;
}

/** Answers one function of the lite-server API. Throws LiteRefusal. */
export type Query<M extends LiteMethod> = (
  ports: QueryPorts,
  request: LiteRequestOf<M>,
) => LiteAnswerOf<M> | Promise<LiteAnswerOf<M>>;
