import type { Cells } from '../boc/cells.ts';
import { walkDictionary } from './dictionary.ts';

/** A library that an account carries. */
export interface AccountLibrary {
  readonly hash: Buffer;
  /** Whether the account offers it to all; in effect in the masterchain only. */
  readonly isPublic: boolean;
  readonly cell: number;
}

/** The account's own libraries; `root` is `StateInit.library`. */
export function readAccountLibraries(cells: Cells, root: number): AccountLibrary[] {
  const libraries: AccountLibrary[] = [];
  if (root >= 0)
    walkDictionary(cells, root, 256, (hash, value) => {
      libraries.push({ hash: Buffer.from(hash), isPublic: value.boolean(), cell: value.ref() });
    });
  return libraries;
}
