import { readFileSync } from 'node:fs';

/** The version in package.json, seen from `src/` or `dist/src/`. */
export function packageVersion(): string {
  for (const candidate of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8'));
      if (name === 'tongate') return version;
    } catch {
      // Try the next one.
    }
  }
  return 'unknown';
}
