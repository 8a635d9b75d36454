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
import type { PayerBudget } from '../lib/payer-budget.ts';
import type { LiveChain } from '../live/chain.ts';
import type { Caller } from '../live/session.ts';
import type { Suspensions } from '../live/suspensions.ts';
import type { PendingTraces } from '../pending/pending-traces.ts';
import type { DecodedBodies } from './decoded-bodies.ts';
import { examplesOf } from './examples.ts';
import type { V3RequestOptions } from './parameters.ts';
import type { RequestReads } from './read-index.ts';

/** How accounts are queued to be indexed again. */
interface ReindexPorts {
  /** Returns the accounts that the index does not have; then none is queued. */
  readonly request: (accounts: readonly Buffer[]) => Promise<readonly Buffer[]>;
  /** Accounts that a payer may have reindexed. */
  readonly budget: PayerBudget;
}

export interface V3Ports {
  readonly database: Pick<Database, 'read'>;
  /** Friendly addresses carry the test-only flag. */
  readonly testOnly: boolean;
  /** Public URL of the imgproxy that the image paths in metadata belong to, if there is one. */
  readonly imgproxyUrl?: string | undefined;
  readonly metadataQueue: MetadataQueue;
  readonly live: LiveChain;
  /** Left out, nothing is said about suspended accounts. */
  readonly suspensions?: Suspensions | undefined;
  /** Whether accounts missing in the index are read from lite servers. */
  readonly liveFallback: boolean;
  /** The global version of the network configuration; it decides what some message fields mean. */
  readonly networkVersion: () => number;
  /** The newest version that the emulator knows, which is told with predictions; left out, it is not. */
  readonly emulatorVersion?: number | undefined;
  /** Undefined where nobody may ask for it. */
  readonly reindex?: ReindexPorts | undefined;
  /** Traces that are not in the index yet; undefined if this process does not follow them. */
  readonly pending?: PendingTraces | undefined;
}

export interface V3Call {
  readonly ports: V3Ports;
  readonly log: FastifyBaseLogger;
  readonly caller: Caller;
  /** Id of the API key of the caller; null for an anonymous one. */
  readonly keyId: string | null;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Undefined where reads are bounded by other means. */
  readonly reads?: RequestReads | undefined;
  readonly options: V3RequestOptions;
  readonly cache?: ReadyCache | undefined;
  readonly bodies: DecodedBodies;
  readonly notes: V3ResponseNotes;
}

/** Facts noted while a response is made, for its headers. */
export interface V3ResponseNotes {
  /** The newest masterchain block in the snapshot that was read. */
  indexedSeqno?: number;
  /** Masterchain blocks before it that are not indexed yet. */
  missingSeqnos?: number;
  nextCursor?: string;
  /** Set if data came from a lite server instead of the index. */
  isLive?: true;
}

/** How many rows a page has, by the operator's settings. */
export interface ListLimits {
  readonly defaultLimit: number;
  readonly maxLimit: number;
}

type Definition<Call, P extends ParameterSet, R extends TSchema> = Omit<
  OperationDefinition<Call, P, R>,
  'name' | 'methods' | 'cache' | 'examples'
> &
  Partial<Pick<OperationDefinition<Call, P, R>, 'methods' | 'cache'>> & {
    readonly name: Parameters<typeof examplesOf>[0];
  };

/** The member that says which version of the TVM made a prediction. */
export function emulatorVersionOf({ ports: { emulatorVersion } }: Pick<V3Call, 'ports'>) {
  return emulatorVersion === undefined ? {} : { emulator_version: emulatorVersion };
}

/** Declares an operation of v3 with its examples; it is a GET about the head of the chain unless it says otherwise. */
export function defineV3Operation<P extends ParameterSet, R extends TSchema, Call extends V3Call = V3Call>(
  definition: Definition<Call, P, R>,
): Operation<Call> {
  const examples = examplesOf(definition.name);
  return defineOperation({ methods: ['GET'], cache: 'head', ...definition, examples });
}
