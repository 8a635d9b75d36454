import { readFileSync } from 'node:fs';

/** The version in package.json, found from the source tree and from `dist/` alike. */
export function packageVersion(): string {
  for (const candidate of ['../../package.json', '../../../package.json']) {
    try {
      const { name, version } = JSON.parse(readFileSync(new URL(candidate, import.meta.url), 'utf8'));
      if (name === 'tongate') return version;
    } catch {
      // Not here: try the next place.
    }
  }
  return 'unknown';
}
