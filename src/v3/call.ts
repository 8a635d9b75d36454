import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../db/connection.ts';
import type { MetadataQueue } from '../index/read/address-info.ts';
import type { ReadyCache } from '../index/read/ready-cache.ts';
import type { LiveChain } from '../live/chain.ts';
import type { Caller } from '../live/session.ts';
import type { PendingTraces } from '../pending/pending-traces.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import type { LargeRead } from './large-reads.ts';
import type { V3RequestOptions } from './request.ts';

/** What v3 operations may use from the rest of the program. */
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
  /** What other responses showed. */
  readonly cache?: ReadyCache | undefined;
  /** Decoded message bodies of the response. */
  readonly bodies: DecodedBodies;
  /** What the response headers say. */
  readonly notes: V3ResponseNotes;
}

/** What is noted about a response while it is made, for the headers. */
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
