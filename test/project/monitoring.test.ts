import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as chainMetrics from '../../src/observe/chain-metrics.ts';
import * as indexMetrics from '../../src/observe/index-metrics.ts';
import { createMetrics } from '../../src/observe/metrics.ts';
import * as pendingMetrics from '../../src/observe/pending-metrics.ts';
import * as streamMetrics from '../../src/observe/stream-metrics.ts';
import * as sumMetrics from '../../src/observe/sum-metrics.ts';
import * as webhookMetrics from '../../src/observe/webhook-metrics.ts';

/** Metrics that are on no board, and why. */
const NOT_SHOWN: readonly (readonly [RegExp, string])[] = [
  [/^process_cpu_(?:user|system)_seconds_total$/, 'their sum is shown'],
  [/^process_(?:start_time_seconds|virtual_memory_bytes|heap_bytes)$/, 'resident memory and heap are shown'],
  [/^nodejs_eventloop_lag_(?:seconds|min|max|mean|stddev|p50|p90)/, 'the 99th percentile is shown'],
  [/^nodejs_active_/, 'for debugging Node'],
  [/^nodejs_heap_space_/, 'for debugging Node'],
  [/^nodejs_(?:heap_size_total|external_memory)_bytes$/, 'the used heap and the whole process are shown'],
  [/^nodejs_version_info$/, 'the version of tongate is shown'],
];

const DEPLOY = new URL('../../deploy/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, DEPLOY), 'utf8');
const boards = readdirSync(new URL('grafana/', DEPLOY)).map(
  (file) => [file, JSON.parse(read(`grafana/${file}`))] as const,
);
const { groups } = parse(read('prometheus/alerts.yml'));
// biome-ignore lint/suspicious/noExplicitAny: a parsed document
const rules: any[] = groups.flatMap((group: any) => group.rules);

/** Metrics that an expression names; parts of a histogram count as the histogram. */
function metricsIn(expression: string): string[] {
  const names = expression.match(/\b(?:tongate|process|nodejs)_\w+/g) ?? [];
  return names.map((name) => (exported.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')));
}

// biome-ignore lint/suspicious/noExplicitAny: a parsed document
const expressionsOf = (board: any): string[] =>
  // biome-ignore lint/suspicious/noExplicitAny: see above
  board.panels.flatMap((panel: any) => (panel.targets ?? []).map((target: any) => target.expr));

let exported: ReadonlySet<string>;
beforeAll(async () => {
  const { registry } = createMetrics({ build: { version: '0', network: 'localnet' } });
  for (const part of [chainMetrics, indexMetrics, pendingMetrics, streamMetrics, sumMetrics, webhookMetrics])
    for (const [name, create] of Object.entries(part))
      if (/^create\w*Metrics$/.test(name)) (create as (target: typeof registry) => unknown)(registry);
  exported = new Set((await registry.getMetricsAsJSON()).map(({ name }) => name));
});

describe('Grafana boards and Prometheus alerts', () => {
  it('name only metrics that exist', () => {
    const expressions = [
      ...boards.flatMap(([, board]) => expressionsOf(board)),
      ...rules.map(({ expr }) => expr),
      ...rules.flatMap(({ annotations }) => Object.values<string>(annotations)),
    ];
    expect(expressions.length).toBeGreaterThan(80);
    expect(expressions.flatMap(metricsIn).filter((name) => !exported.has(name))).toEqual([]);
  });

  it('show every exported metric, or there is a reason', () => {
    const shown = new Set(boards.flatMap(([, board]) => expressionsOf(board)).flatMap(metricsIn));
    const missing = [...exported].filter(
      (name) => !shown.has(name) && !NOT_SHOWN.some(([pattern]) => pattern.test(name)),
    );
    expect(missing).toEqual([]);
    const useless = NOT_SHOWN.filter(([pattern]) => ![...exported].some((name) => pattern.test(name)));
    expect(useless).toEqual([]);
  });

  it.each(boards)('%s has panels with units that do not overlap', (_file, board) => {
    const taken = new Set<string>();
    for (const { gridPos, type, title, targets } of board.panels) {
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
          expect(taken.has(`${x} ${y}`), `${title} overlaps`).toBe(false);
          taken.add(`${x} ${y}`);
        }
      if (type !== 'row') expect(targets.length, title).toBeGreaterThan(0);
    }
    expect(new Set(board.panels.map(({ id }: { id: number }) => id)).size).toBe(board.panels.length);
  });

  it('alerts have a severity and a summary', () => {
    expect(rules.length).toBeGreaterThan(10);
    for (const { alert, labels, annotations } of rules) {
      expect(['info', 'warning', 'critical'], alert).toContain(labels?.severity);
      expect(annotations?.summary, alert).toBeTypeOf('string');
    }
  });
});
