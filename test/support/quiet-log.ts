import type { Log } from '../../src/lib/log.ts';

/** A log line. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly details: Record<string, unknown>;
  readonly text: string;
}

/** A logger that collects lines instead of printing them. */
export function createQuietLog(): Log & { readonly lines: LogLine[]; texts(): string[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine['level']) => (details: object, text: string) => {
    lines.push({ level, details: details as Record<string, unknown>, text });
  };
  return {
    lines,
    texts: () => lines.map((line) => line.text),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  };
}
