import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connection.ts';
import type { LiveChain } from '../live/chain.ts';
import type { Caller } from '../live/session.ts';
import type { PendingTraces } from '../pending/pending-traces.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import type { MetadataQueue } from './metadata-queue.ts';
import type { V3RequestOptions } from './request.ts';

/** What operations of v3 may use of the rest of the program. */
export interface V3Ports {
  readonly database: Pick<Database, 'read'>;
  /** Friendly addresses say that they are of a test network. */
  readonly testOnly: boolean;
  /** Where clients reach the imgproxy whose paths stand in metadata, if there is one. */
  readonly imgproxyUrl?: string | undefined;
  readonly metadataQueue: MetadataQueue;
  /** The chain as lite servers show it. */
  readonly live: LiveChain;
  /** Whether accounts that the index does not know are looked up there. */
  readonly liveFallback: boolean;
  /** The version of the network by its configuration; fields of messages mean something else since some versions. */
  readonly networkVersion: () => number;
  /** Messages that were sent and are not in the index yet; undefined where nobody follows them. */
  readonly pending?: PendingTraces | undefined;
}

/** One call of an operation: its ports, its log, and what the caller asked of it beside its parameters. */
export interface V3Call {
  readonly ports: V3Ports;
  readonly log: FastifyBaseLogger;
  readonly caller: Caller;
  readonly options: V3RequestOptions;
  /** What the bodies in the answer mean. */
  readonly bodies: DecodedBodies;
  /** What goes with the answer in headers. */
  readonly answer: V3AnswerNotes;
}

/** Notes of a handler about its answer. */
export interface V3AnswerNotes {
  /** Where the next page of a list begins. */
  nextCursor?: string;
  /** Set when the answer is not from the index but from a lite server. */
  isLive?: true;
}
