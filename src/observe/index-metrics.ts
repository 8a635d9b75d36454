import { Counter, Gauge, type Registry } from 'prom-client';

/** How far the index is, as this process knows it. */
export interface IndexStats {
  readonly headSeqno: number | undefined;
  /** The newest seqno that is in the index without a gap behind it up to where following began. */
  readonly followedSeqno: number | undefined;
  readonly firstSeqno: number | undefined;
  /** Seqnos between the first one and the head that are not in the index. */
  readonly gapSeqnos: number | undefined;
  readonly missingAccounts: number | undefined;
  /** Get-methods that were run to find out what contracts are, and those whose result was known. */
  readonly getMethodRuns: number;
  readonly getMethodHits: number;
  readonly judgedAccounts: number;
  readonly detectSeconds: number;
  /** Tokens whose documents are to be fetched. */
  readonly waitingTokens: number | undefined;
  /** Traces in the queue, seqnos whose traces are not in it yet, traces that wait for accounts. */
  readonly unclassifiedTraces: number | undefined;
  readonly unclassifiedSeqnos: number | undefined;
  readonly waitingTraces: number | undefined;
  readonly actionsLagSeconds: number | undefined;
}

/** The figures of the indexer. */
export interface IndexMetrics {
  readonly count: (what: keyof typeof COUNTERS, count: number) => void;
  readonly time: (step: string, ms: number) => void;
  /** Documents of tokens. */
  readonly metadata: { readonly count: (outcome: string) => void };
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => IndexStats) => void;
}

const COUNTERS = {
  seqnos: ['seqnos', 'Masterchain blocks that were written'],
  transactions: ['transactions', 'Transactions that were written'],
  messages: ['messages', 'Messages that were written, once a side'],
  bytes: ['block_bytes', 'Bytes of blocks that were read'],
  asked: ['states_asked', 'Account states that were asked of lite servers'],
  classifiedTraces: ['classified_traces', 'Traces of which the actions were written'],
  classifiedTransactions: ['classified_transactions', 'Transactions of those traces'],
  actions: ['actions', 'Actions that were written'],
  classificationFailures: [
    'classification_failures',
    'Traces that have basic actions only, or none, because something failed',
  ],
} as const;

type Value = (figures: IndexStats) => number | undefined;

const GAUGES: readonly (readonly [name: string, help: string, value: Value])[] = [
  ['head_seqno', 'Newest masterchain block of the network', ({ headSeqno }) => headSeqno],
  ['followed_seqno', 'Newest masterchain block in the index', ({ followedSeqno }) => followedSeqno],
  ['first_seqno', 'First masterchain block of the index', ({ firstSeqno }) => firstSeqno],
  ['gap_seqnos', 'Masterchain blocks that are still to be indexed', ({ gapSeqnos }) => gapSeqnos],
  [
    'missing_accounts',
    'Accounts whose code or data must be asked for',
    ({ missingAccounts }) => missingAccounts,
  ],
  ['waiting_tokens', 'Tokens whose documents are to be fetched', ({ waitingTokens }) => waitingTokens],
  [
    'unclassified_traces',
    'Traces in the queue of those that must be classified',
    ({ unclassifiedTraces }) => unclassifiedTraces,
  ],
  [
    'unclassified_seqnos',
    'Masterchain blocks whose traces are yet to come into that queue',
    ({ unclassifiedSeqnos }) => unclassifiedSeqnos,
  ],
  [
    'waiting_traces',
    'Traces that are classified again when it is known what an account is',
    ({ waitingTraces }) => waitingTraces,
  ],
  [
    'actions_lag_seconds',
    'How old the newest trace was when its actions were written',
    ({ actionsLagSeconds }) => actionsLagSeconds,
  ],
];

/** Counted elsewhere since the start of the process. */
const SUMS: readonly (readonly [name: string, help: string, value: Value])[] = [
  [
    'get_method_runs',
    'Get-methods that were run to recognise contracts',
    ({ getMethodRuns }) => getMethodRuns,
  ],
  ['get_method_hits', 'Get-methods whose result was known already', ({ getMethodHits }) => getMethodHits],
  [
    'judged_accounts',
    'Accounts of which was found out what they are',
    ({ judgedAccounts }) => judgedAccounts,
  ],
  ['detect_seconds', 'Time that went into recognising contracts', ({ detectSeconds }) => detectSeconds],
];

/** Adds the figures of the indexer to a registry. */
export function createIndexMetrics(registry: Registry): IndexMetrics {
  let read: (() => IndexStats) | undefined;
  const registers = [registry];
  const counters = Object.fromEntries(
    Object.entries(COUNTERS).map(([what, [name, help]]) => [
      what,
      new Counter({ name: `tongate_index_${name}_total`, help, registers }),
    ]),
  );
  const steps = new Counter({
    name: 'tongate_index_step_seconds_total',
    help: 'Time that went into each step of indexing; steps run at the same time',
    labelNames: ['step'],
    registers,
  });
  for (const [name, help, value] of GAUGES)
    new Gauge({
      name: `tongate_index_${name}`,
      help,
      registers,
      collect() {
        const figure = read && value(read());
        if (figure !== undefined) this.set(figure);
      },
    });
  for (const [name, help, value] of SUMS)
    new Counter({
      name: `tongate_index_${name}_total`,
      help,
      registers,
      collect() {
        this.reset();
        this.inc((read && value(read())) ?? 0);
      },
    });
  const documents = new Counter({
    name: 'tongate_metadata_documents_total',
    help: 'Documents of tokens that were asked for, by what came of it',
    labelNames: ['outcome'],
    registers,
  });
  return {
    metadata: { count: (outcome) => documents.inc({ outcome }) },
    count: (what, count) => counters[what]!.inc(count),
    time: (step, ms) => steps.inc({ step }, ms / 1000),
    observe: (reader) => {
      read = reader;
    },
  };
}
