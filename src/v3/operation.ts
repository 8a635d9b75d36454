import type { FastifyBaseLogger } from 'fastify';
import type { TSchema } from 'typebox';
import type { Database } from '../db/connection.ts';
import {
  defineOperation,
  type Operation,
  type OperationDefinition,
  type ParameterSet,
} from '../http/operation.ts';
import type { MetadataQueue } from '../index/read/address-info.ts';
import type { ReadyCache } from '../index/read/ready-cache.ts';
import type { LiveChain } from '../live/chain.ts';
import type { Caller } from '../live/session.ts';
import type { PendingTraces } from '../pending/pending-traces.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import { examplesOf } from './examples.ts';
import type { V3RequestOptions } from './parameters.ts';

/** Services that v3 operations use. */
export interface V3Ports {
  readonly database: Pick<Database, 'read'>;
  /** Friendly addresses carry the test-only flag. */
  readonly testOnly: boolean;
  /** Public URL of the imgproxy that the image paths in metadata belong to, if there is one. */
  readonly imgproxyUrl?: string | undefined;
  readonly metadataQueue: MetadataQueue;
  /** The chain, read from lite servers. */
  readonly live: LiveChain;
  /** Whether accounts missing in the index are read from lite servers. */
  readonly liveFallback: boolean;
  /** The global version of the network configuration; it decides what some message fields mean. */
  readonly networkVersion: () => number;
  /** Traces that are not in the index yet; undefined if this process does not follow them. */
  readonly pending?: PendingTraces | undefined;
}

/** The turn of a request whose response is large, from its first statement to the last byte of its text. */
export interface LargeRead {
  /** Waits for the turn. */
  take(): Promise<void>;
  /** Throws `NEEDS_TURN` if a response with so many items is large and the request has no turn yet. */
  require(items: number): void;
}

/** The context of one call of an operation. */
export interface V3Call {
  readonly ports: V3Ports;
  readonly log: FastifyBaseLogger;
  readonly caller: Caller;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Undefined where large responses are bounded by other means. */
  readonly large?: LargeRead | undefined;
  readonly options: V3RequestOptions;
  /** JSON of earlier responses. */
  readonly cache?: ReadyCache | undefined;
  /** Decoded message bodies of the response. */
  readonly bodies: DecodedBodies;
  /** Facts for the response headers. */
  readonly notes: V3ResponseNotes;
}

/** Facts noted while a response is made, for its headers. */
export interface V3ResponseNotes {
  /** The newest masterchain block in the snapshot that was read. */
  indexedSeqno?: number;
  /** Masterchain blocks before it that are not indexed yet. */
  missingSeqnos?: number;
  /** Where the next page of a list starts. */
  nextCursor?: string;
  /** Set if data came from a lite server instead of the index. */
  isLive?: true;
}

type Definition<Call, P extends ParameterSet, R extends TSchema> = OperationDefinition<Call, P, R>;

/** Declares an operation of v3 with its examples; it is a GET about the head of the chain unless it says otherwise. */
export function defineV3Operation<P extends ParameterSet, R extends TSchema, Call extends V3Call = V3Call>(
  definition: Omit<Definition<Call, P, R>, 'name' | 'methods' | 'cache' | 'examples'> &
    Partial<Pick<Definition<Call, P, R>, 'methods' | 'cache'>> & {
      readonly name: Parameters<typeof examplesOf>[0];
    },
): Operation<Call> {
  const examples = examplesOf(definition.name);
  return defineOperation({ methods: ['GET'], cache: 'head', ...definition, examples });
}
