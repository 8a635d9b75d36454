import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** When and where a benchmark ran; part of every report. */
export interface RunInfo {
  readonly date: string;
  readonly machine: string;
  readonly node: string;
}

/** Describes this run; the figures mean nothing without the machine. */
export function runInfo(): RunInfo {
  const model = cpus()[0]?.model.trim() || 'unknown processor';
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${availableParallelism()} × ${model} (${process.arch}), ${memoryGb} GB, ${platform()} ${release()}`,
    node: process.version,
  };
}

/** The first bullet points of a report page. */
export function runInfoLines({ date, machine, node }: RunInfo): string[] {
  return [`- ${date}, Node ${node}`, `- ${machine}`];
}

/** The last lines of a report page: which goals were missed. */
export function goalLines(missed: readonly string[]): string[] {
  return missed.length === 0
    ? ['All goals are met.']
    : ['Goals missed:', '', ...missed.map((line) => `- ${line}`)];
}

/** A row of a Markdown table. */
export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Writes `results/<name>.json` and `results/<name>.md`. */
export function writeResults(name: string, report: object, page: string): void {
  const file = (extension: string) =>
    fileURLToPath(new URL(`../results/${name}.${extension}`, import.meta.url));
  writeFileSync(file('json'), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(file('md'), page);
}
