import type { ClassificationProgress } from '../indexer/classify/classifier.ts';
import type { IndexProgress } from '../indexer/progress.ts';
import type { ServerReport } from '../lite/server-report.ts';
import type { PendingFigures } from '../observe/pending-metrics.ts';
import { isBehind } from '../vm/tvm-version.ts';
import type { ChainAccess } from './chain-access.ts';

interface StatusOptions {
  readonly version: string;
  readonly network: string;
  readonly chain: ChainAccess;
  /** Of the indexer in this process, if there is one. */
  readonly progress: IndexProgress | undefined;
  readonly classification: ClassificationProgress | undefined;
  /** Undefined where pending messages are switched off. */
  readonly pending: PendingFigures | undefined;
}

/** What `/status` tells the public: how the process and its lite servers are, without the addresses of the latter. */
export function processStatus(options: StatusOptions): object {
  const { version, network, chain, progress, classification, pending } = options;
  const { networkVersion, tvmVersion, threads, busy, queued } = chain.vmFigures();
  return {
    version,
    network,
    uptime_seconds: Math.floor(process.uptime()),
    lite: {
      verify: chain.ports.check.verify,
      groups: chain.liteFigures().map(({ group, headSeqno, headAgeSeconds }) => {
        const servers = chain.lite.pools.get(group)!.servers();
        return {
          name: group,
          head_seqno: headSeqno,
          head_age_seconds: headAgeSeconds === undefined ? undefined : Math.round(headAgeSeconds),
          live: servers.filter(({ state }) => state === 'live').length,
          servers: servers.map(describeServer),
        };
      }),
    },
    vm: {
      get_methods: chain.ports.getMethods,
      tvm_version: tvmVersion,
      network_version: networkVersion,
      behind: networkVersion === undefined ? undefined : isBehind(networkVersion),
      ...{ threads, busy, queued },
    },
    index: progress && { ...describeProgress(progress), ...describeClassification(classification) },
    pending: pending && {
      ...{ messages: pending.traces, waiting: pending.waiting, feed_connected: pending.feedConnected },
    },
  };
}

function describeProgress(progress: IndexProgress): object {
  const { state, head, followed, from, lag, gaps, asked, missing, etaSeconds, lastError } = progress;
  const tenths = (value: number) => Math.round(value * 10) / 10;
  return {
    state,
    first_seqno: from,
    last_seqno: followed,
    head_seqno: head,
    lag_seqnos: lag,
    indexed_seqnos: progress.indexedSeqnos,
    percent: tenths(progress.percent),
    gaps,
    seqnos_per_second: tenths(progress.seqnosPerSecond),
    transactions_per_second: tenths(progress.transactionsPerSecond),
    eta_seconds: etaSeconds === undefined ? undefined : Math.ceil(etaSeconds),
    states_asked: asked,
    missing_accounts: missing,
    // Its text may name hosts, which are not for the public.
    in_trouble: lastError !== undefined,
  };
}

function describeClassification(classification: ClassificationProgress | undefined): object {
  const { queue, lagSeconds } = classification ?? {};
  return {
    unclassified_traces: queue?.traces,
    unclassified_seqnos: queue?.seqnos,
    actions_lag_seconds: lagSeconds === undefined ? undefined : Math.round(lagSeconds),
  };
}

function describeServer(server: ServerReport): object {
  const { index, state, seqno, lagBlocks, latencyMs, isArchival, oldestSeqno, wrongAnswers } = server;
  return {
    ...{ index, state, seqno },
    lag_blocks: lagBlocks,
    latency_ms: Math.round(latencyMs * 10) / 10,
    archival: isArchival,
    oldest_seqno: oldestSeqno,
    wrong_answers: wrongAnswers,
  };
}
