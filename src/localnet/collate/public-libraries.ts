import type { BuildingArena } from '../../chain/state/building-arena.ts';
import { readAccount } from '../../chain/tlb/account.ts';
import { libraryPublishers } from '../../chain/tlb/libraries.ts';
import { readAccountLibraries } from '../../chain/tlb/libraries-of-account.ts';
import { Dictionary } from '../../chain/tlb-write/dictionary.ts';
import { buildPublishers, LIBRARIES } from '../../chain/tlb-write/libraries.ts';
import type { OpenAccount } from './account-book.ts';

/** The public libraries of the masterchain after its accounts changed; both are roots of `LIBRARIES`. */
export function updateLibraries(
  arena: BuildingArena,
  root: number,
  accounts: readonly OpenAccount[],
): number {
  const dictionary = new Dictionary(arena, LIBRARIES);
  let libraries = root;
  for (const { id, original, current } of accounts) {
    const old = publicOf(arena, original?.account ?? -1);
    const now = publicOf(arena, current.account);
    for (const [name, cell] of old) if (!now.has(name)) libraries = unpublish(name, cell, id);
    for (const [name, cell] of now) if (!old.has(name)) libraries = publish(name, cell, id);
  }
  return libraries;

  function publish(name: string, library: number, id: Buffer): number {
    const hash = Buffer.from(name, 'hex');
    const publishers = buildPublishers(arena, [...libraryPublishers(arena, libraries, hash), id]);
    return dictionary.set(libraries, hash, { library, publishers });
  }

  function unpublish(name: string, library: number, id: Buffer): number {
    const hash = Buffer.from(name, 'hex');
    const left = libraryPublishers(arena, libraries, hash).filter((other) => !other.equals(id));
    if (left.length === 0) return dictionary.delete(libraries, hash);
    return dictionary.set(libraries, hash, { library, publishers: buildPublishers(arena, left) });
  }
}

/** The cells of the libraries that an account offers to all, by hash. */
function publicOf(arena: BuildingArena, cell: number): Map<string, number> {
  const account = cell < 0 ? undefined : readAccount(arena, cell);
  if (account?.state.kind !== 'active') return new Map();
  const libraries = readAccountLibraries(arena, account.state.init.library);
  return new Map(
    libraries
      .filter(({ hash, isPublic, cell: library }) => isPublic && arena.hash(library).equals(hash))
      .map(({ hash, cell: library }) => [hash.toString('hex'), library]),
  );
}
