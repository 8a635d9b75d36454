import { existsSync, readdirSync, readFileSync } from 'node:fs';

const DATA = new URL('../../../../shared/data/', import.meta.url);

/** Why tests of recorded data are skipped; empty if they are not. */
export const recordedMissing = existsSync(DATA) ? '' : ' (skipped: no recorded data beside this checkout)';

/** Every bag of cells in base64 inside the JSON files of a folder, each once, by the file it was first seen in. */
export function bocsInJson(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const base = new URL(`${folder}/`, DATA);
  for (const name of readdirSync(base)) {
    const text = readFileSync(new URL(name, base), 'utf8').replaceAll('\\/', '/');
    for (const [boc] of text.matchAll(/(?<=")te6cc[\w+/]+=*(?=")/g))
      if (!found.has(boc)) found.set(boc, name);
  }
  return found;
}

/** Files of a folder by name. */
export function filesOf(folder: string): Map<string, Buffer> {
  const base = new URL(`${folder}/`, DATA);
  return new Map(readdirSync(base).map((name) => [name, readFileSync(new URL(name, base))]));
}

/** One file. */
export function recordedFile(path: string): Buffer {
  return readFileSync(new URL(path, DATA));
}
