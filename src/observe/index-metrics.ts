import { Counter, Gauge, type Registry } from 'prom-client';

/** How far the index is, as this process knows it. */
export interface IndexFigures {
  readonly headSeqno: number | undefined;
  /** The newest seqno that is in the index without a gap behind it up to where following began. */
  readonly followedSeqno: number | undefined;
  readonly firstSeqno: number | undefined;
  /** Seqnos between the first one and the head that are not in the index. */
  readonly gapSeqnos: number | undefined;
  readonly missingAccounts: number | undefined;
}

/** The figures of the indexer. */
export interface IndexMetrics {
  readonly count: (what: keyof typeof COUNTERS, count: number) => void;
  readonly time: (step: string, ms: number) => void;
  /** Says where the present state is read whenever the figures are. */
  readonly observe: (read: () => IndexFigures) => void;
}

const COUNTERS = {
  seqnos: ['seqnos', 'Masterchain blocks that were written'],
  transactions: ['transactions', 'Transactions that were written'],
  messages: ['messages', 'Messages that were written, once a side'],
  bytes: ['block_bytes', 'Bytes of blocks that were read'],
  asked: ['states_asked', 'Account states that were asked of lite servers'],
} as const;

type Value = (figures: IndexFigures) => number | undefined;

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
];

/** Adds the figures of the indexer to a registry. */
export function createIndexMetrics(registry: Registry): IndexMetrics {
  let read: (() => IndexFigures) | undefined;
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
      ...{ name: `tongate_index_${name}`, help, registers },
      collect() {
        const figure = read && value(read());
        if (figure !== undefined) this.set(figure);
      },
    });
  return {
    count: (what, count) => counters[what]!.inc(count),
    time: (step, ms) => steps.inc({ step }, ms / 1000),
    observe: (reader) => {
      read = reader;
    },
  };
}
