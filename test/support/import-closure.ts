import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Finds what files of a checkout import, by their text: nothing is loaded. Paths are relative to the root. */
export function createImportReader(root: string) {
  const imports = new Map<string, readonly string[]>();

  /** Paths of files, and names of packages. */
  function importsOf(file: string): readonly string[] {
    const cached = imports.get(file);
    if (cached !== undefined) return cached;
    const text =
      /\.[jt]s$/.test(file) && existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    const names = text.matchAll(/(?:\bfrom |\bimport |\bimport\(|new URL\(|File\()\s*'([^']+)'/g);
    const found = [...names].map(([, name]) =>
      name!.startsWith('.') ? join(dirname(file), name!.replace(/-worker$/, '-worker.ts')) : name!,
    );
    imports.set(file, found);
    return found;
  }

  return {
    /** A file and all that it reaches, in the order in which they are found; `follow` chooses what is looked into. */
    reach(file: string, follow: (path: string) => boolean): readonly string[] {
      const reached = new Set([file]);
      for (const one of reached) if (follow(one)) for (const name of importsOf(one)) reached.add(name);
      return [...reached];
    },
  };
}
