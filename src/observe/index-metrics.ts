import type { Registry } from 'prom-client';
import { createInstruments } from './instruments.ts';

export interface IndexStats {
  readonly headSeqno: number | undefined;
  /** Newest indexed seqno without a gap since following began. */
  readonly followedSeqno: number | undefined;
  readonly firstSeqno: number | undefined;
  /** Seqnos between the first one and the head that are not indexed. */
  readonly gapSeqnos: number | undefined;
  readonly missingAccounts: number | undefined;
  /** Pools, once per masterchain block, whose events need old states. */
  readonly waitingPools: number | undefined;
  /** Masterchain blocks whose state of the elector must be fetched. */
  readonly missingElectorStates: number | undefined;
  /** Get-methods run for interface detection, and those answered from the cache. */
  readonly getMethodRuns: number;
  readonly getMethodHits: number;
  readonly judgedAccounts: number;
  readonly detectSeconds: number;
  readonly waitingTokens: number | undefined;
  /** Traces in the queue, seqnos whose traces are not queued yet, traces that wait for accounts. */
  readonly unclassifiedTraces: number | undefined;
  readonly unclassifiedSeqnos: number | undefined;
  readonly waitingTraces: number | undefined;
  readonly actionsLagSeconds: number | undefined;
}

const COUNTERS = {
  seqnos: ['seqnos', 'Masterchain blocks written'],
  transactions: ['transactions', 'Transactions written'],
  messages: ['messages', 'Messages written, one row per side'],
  bytes: ['block_bytes', 'Bytes of blocks fetched'],
  requested: ['states_asked', 'Account states fetched from lite servers'],
  classifiedTraces: ['classified_traces', 'Traces classified'],
  classifiedTransactions: ['classified_transactions', 'Transactions of classified traces'],
  actions: ['actions', 'Actions written'],
  classificationFailures: [
    'classification_failures',
    'Traces with basic actions only, or none, because classification failed',
  ],
} as const;

type Figure = readonly [name: string, help: string, figure: keyof IndexStats];

const GAUGES: readonly Figure[] = [
  ['head_seqno', 'Seqno of the network head', 'headSeqno'],
  ['followed_seqno', 'Newest indexed masterchain seqno', 'followedSeqno'],
  ['first_seqno', 'First masterchain seqno of the index', 'firstSeqno'],
  ['gap_seqnos', 'Masterchain blocks not indexed yet', 'gapSeqnos'],
  ['missing_accounts', 'Accounts whose code or data must be fetched', 'missingAccounts'],
  [
    'waiting_pools',
    'Nominator pools, once per masterchain block, whose events need states from lite servers',
    'waitingPools',
  ],
  [
    'missing_elector_states',
    'Masterchain blocks whose state of the elector must be fetched',
    'missingElectorStates',
  ],
  ['waiting_tokens', 'Tokens whose metadata is to be fetched', 'waitingTokens'],
  ['unclassified_traces', 'Traces waiting for classification', 'unclassifiedTraces'],
  [
    'unclassified_seqnos',
    'Masterchain blocks whose traces are not queued for classification yet',
    'unclassifiedSeqnos',
  ],
  ['waiting_traces', 'Traces to classify again once the interfaces of an account are known', 'waitingTraces'],
  ['actions_lag_seconds', 'How long the oldest trace has waited for classification', 'actionsLagSeconds'],
];

/** Counters that are kept elsewhere since the start of the process. */
const SUMS: readonly Figure[] = [
  ['get_method_runs', 'Get-methods run for interface detection', 'getMethodRuns'],
  ['get_method_hits', 'Get-methods of interface detection answered from the cache', 'getMethodHits'],
  ['judged_accounts', 'Accounts with completed interface detection', 'judgedAccounts'],
  ['detect_seconds', 'Time spent on interface detection', 'detectSeconds'],
];

export function createIndexMetrics(registry: Registry) {
  const { count, countBy, gauge, sum, observe } = createInstruments<IndexStats>(registry);
  const counters = Object.fromEntries(
    Object.entries(COUNTERS).map(([what, [name, help]]) => [
      what,
      count(`tongate_index_${name}_total`, help),
    ]),
  );
  const spend = countBy(
    'tongate_index_step_seconds_total',
    'Time spent in each indexing step; steps overlap',
    'step',
  );
  for (const [name, help, figure] of GAUGES) gauge(`tongate_index_${name}`, help, figure);
  for (const [name, help, figure] of SUMS) sum(`tongate_index_${name}_total`, help, figure);
  return {
    metadata: {
      count: countBy('tongate_metadata_documents_total', 'Metadata fetches by outcome', 'outcome'),
    },
    mintlessDump: countBy(
      'tongate_mintless_dumps_total',
      'Fetches of airdrops of mintless jettons by outcome',
      'outcome',
    ),
    count: (what: keyof typeof COUNTERS, by: number) => counters[what]!(by),
    time: (step: string, ms: number) => spend(step, ms / 1000),
    observe,
  };
}
