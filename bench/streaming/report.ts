import { goalLines, type RunInfo, row, runInfoLines } from '../support/report.ts';

export interface Quantiles {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Report extends RunInfo {
  readonly connections: number;
  readonly addresses: number;
  readonly seconds: number;
  readonly transactionsPerSecond: number;
  readonly eventsPerSecond: number;
  /** Of one core, of the serving process, with the requests of the benchmark. */
  readonly cpuPercent: number;
  readonly lost: number;
  /** Milliseconds from a written block to the receipt of its events, by lane. */
  readonly blocks: Quantiles;
  readonly traces: Quantiles;
  /** Milliseconds from a written block to the delivery to a webhook. */
  readonly webhook: {
    readonly addresses: number;
    readonly blocks: Quantiles;
    readonly traces: Quantiles;
  };
  /** Megabytes of the server process: before, with idle connections, at its peak. */
  readonly memory: { readonly before: number; readonly idle: number; readonly peak: number };
  /** Milliseconds of requests, without and with streams. */
  readonly requests: readonly {
    readonly name: string;
    readonly without: Quantiles;
    readonly with: Quantiles;
  }[];
}

export function quantiles(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10;
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
}

const MAX_P99_MS = 250;
const MAX_MEMORY_MB = 1000;

export function missedGoals({ blocks, memory, requests, lost }: Report): string[] {
  return [
    ...(blocks.p99 >= MAX_P99_MS
      ? [`p99 from block written to event received: ${blocks.p99} ms, goal ${MAX_P99_MS}`]
      : []),
    ...(memory.peak >= MAX_MEMORY_MB ? [`memory: ${memory.peak} MB, goal ${MAX_MEMORY_MB}`] : []),
    ...(lost > 0 ? [`${lost} connections were closed by the server`] : []),
    ...requests
      .filter((one) => one.with.p99 > 2 * one.without.p99)
      .map((one) => `p99 of ${one.name}: ${one.with.p99} ms, ${one.without.p99} without streams`),
  ];
}

export function toMarkdown(report: Report): string {
  const { connections, addresses, seconds, blocks, traces, webhook, memory, requests } = report;
  const cells = (name: string, { count, p50, p99, max }: Quantiles) => row([name, count, p50, p99, max]);
  return `${[
    '# Streaming',
    '',
    'Written by `npm run bench:streaming`. One process runs the local chain and the indexer, another one serves; the clients are in the',
    'process of the benchmark, on the same machine. The time begins when the indexer ends the transaction that writes the block.',
    '',
    ...runInfoLines(report),
    `- ${connections} connections, half SSE and half WebSocket, with ${addresses} addresses each, ${seconds} s`,
    `- ${report.transactionsPerSecond} transactions and ${report.eventsPerSecond} events per second`,
    `- CPU of the serving process: ${report.cpuPercent} % of one core`,
    `- memory of the serving process: ${memory.before} MB before, ${memory.idle} MB with all connections idle, ${memory.peak} MB at its peak`,
    '',
    row(['ms from block written to event received', 'events', 'p50', 'p99', 'max']),
    row(['---', '--:', '--:', '--:', '--:']),
    cells('`account_state_change`, `transactions`', blocks),
    cells('`actions` (classified later)', traces),
    '',
    row([
      `ms from block written to delivery to a webhook of ${webhook.addresses} addresses`,
      'events',
      'p50',
      'p99',
      'max',
    ]),
    row(['---', '--:', '--:', '--:', '--:']),
    cells('`transactions`', webhook.blocks),
    cells('`actions` (classified later)', webhook.traces),
    '',
    row(['ms of requests', 'requests', 'p50', 'p99', 'max']),
    row(['---', '--:', '--:', '--:', '--:']),
    ...requests.flatMap((one) => [
      cells(`${one.name}, no streams`, one.without),
      cells(`${one.name}, with streams`, one.with),
    ]),
    '',
    ...goalLines(missedGoals(report)),
  ].join('\n')}\n`;
}
