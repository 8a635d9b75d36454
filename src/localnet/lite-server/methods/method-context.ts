import { hash } from 'node:crypto';
import type { AccountId } from '../../../chain/address.ts';
import { type CellBag, readBoc } from '../../../chain/boc/bag.ts';
import { CellError, type CellRef } from '../../../chain/boc/cells.ts';
import { bocErrorText } from '../../../chain/boc/read-root-boc.ts';
import { LITE_ERROR_CODES } from '../../../chain/tl/lite-envelope.ts';
import type { LiteMethod, LiteRequestOf, LiteResponseOf } from '../../../lite/methods/codec.ts';
import type { ChainStore } from '../../store/chain-store.ts';

/**
 * Submits an external message, a validated bag of cells, to the chain. Throws LiteRefusal when the chain rejects it; the
 * prefix that clients know is put before its text.
 */
export type SendMessage = (message: Buffer) => Promise<void>;

/** The chain and the services that responses are created from. */
export interface MethodContext {
  readonly store: ChainStore;
  /** Unix seconds. */
  readonly now: () => number;
  /** The version of a server is 256 times the major number plus the minor one. */
  readonly version: { readonly version: number; readonly capabilities: bigint };
  readonly recentMessages: RecentMessages;
  /** Whether clients may ask for blocks that no masterchain block has taken yet: nodes refuse that by default. */
  readonly showsSigned?: boolean | undefined;
  /** Without it get-methods are refused. */
  readonly runGetMethod?: RunGetMethod | undefined;
  /** Without it external messages are refused. */
  readonly sendMessage?: SendMessage | undefined;
}

/** Handles one function of the lite-server API. Throws LiteRefusal. */
export type MethodHandler<M extends LiteMethod> = (
  ports: MethodContext,
  request: LiteRequestOf<M>,
) => LiteResponseOf<M> | Promise<LiteResponseOf<M>>;

export type MethodHandlers = { readonly [M in LiteMethod]: MethodHandler<M> };

/** A get-method to run. The cells are valid until the first `await` of the function that gets them. */
interface GetMethodCall {
  readonly address: AccountId;
  /** The cell of the account, which is active. */
  readonly account: CellRef;
  /** The state of the masterchain at the block that the account's block refers to. */
  readonly masterchainState: CellRef;
  /** Unix seconds of the account's block. */
  readonly utime: number;
  readonly methodId: bigint;
  /** The arguments as a bag of cells with a VmStack; empty for none. */
  readonly params: Buffer;
  readonly gasLimit: number;
}

/** Runs a get-method in a TVM. The stack and the initial register c7 are bags of cells. */
export type RunGetMethod = (call: GetMethodCall) => Promise<{
  readonly exitCode: number;
  readonly stack: Buffer;
  readonly initC7?: Buffer | undefined;
}>;

const MAX_MESSAGES = 2 ** 17;
const PERIOD_SECONDS = 60;

/** Recently accepted messages: a node does not accept the same bytes again within about a minute. */
export class RecentMessages {
  readonly #now: () => number;
  readonly #hashes = new Set<string>();
  #clearedAt: number;

  /** `now` gives unix seconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#clearedAt = now();
  }

  /** Adds a message; false if it is known already. */
  add(message: Buffer): boolean {
    if (this.#hashes.size >= MAX_MESSAGES || this.#now() - this.#clearedAt >= PERIOD_SECONDS) {
      this.#hashes.clear();
      this.#clearedAt = this.#now();
    }
    const key = keyOf(message);
    if (this.#hashes.has(key)) return false;
    this.#hashes.add(key);
    return true;
  }

  clear(): void {
    this.#hashes.clear();
  }

  delete(message: Buffer): void {
    this.#hashes.delete(keyOf(message));
  }
}

function keyOf(message: Buffer): string {
  return hash('sha256', message, 'base64');
}

/** Not in the list of `liteServer.error`, as the next ones. */
export const PLAIN_ERROR = 0;
const BAD_REQUEST = -400;
export const QUERY_TIMEOUT = -503;

/** A response that is an error: its code and text are sent to the client as they are. */
export class LiteRefusal extends Error {
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.name = 'LiteRefusal';
    this.code = code;
  }
}

/** Rejects an invalid request. */
export function refuse(text: string): never {
  throw new LiteRefusal(BAD_REQUEST, text);
}

/** Refuses with the code of errors that nodes do not take from the list of `liteServer.error`. */
export function refusePlainly(text: string): never {
  throw new LiteRefusal(PLAIN_ERROR, text);
}

/** Refuses a request for something that the server does not have yet. */
export function refuseNotReady(text: string): never {
  throw new LiteRefusal(LITE_ERROR_CODES.notReady, text);
}

/** Reads a bag of cells of a client; `reject` gets the error text of a node for a malformed one. */
export function readRequestBoc(boc: Buffer, reject: (text: string) => never): CellBag {
  try {
    return readBoc(boc);
  } catch (error) {
    if (!(error instanceof CellError)) throw error;
    return reject(bocErrorText(boc, error));
  }
}

/** Runs work; a text is put before that of a refusal in it. */
export function prefixRefusal<T>(prefix: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof LiteRefusal) throw new LiteRefusal(error.code, prefix + error.message);
    throw error;
  }
}
