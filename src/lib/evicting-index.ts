/** What an entry is found by besides its key, and what it weighs. */
export interface IndexedEntry {
  readonly groups: Iterable<string>;
  /** Another name of the entry. */
  readonly alias: string;
  readonly bytes: number;
}

/** Bounds of all entries together: the oldest ones are evicted. */
export interface EvictingLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Entries by their keys, groups and aliases, the oldest first; a replaced one keeps its place. */
export function createEvictingIndex<T extends IndexedEntry>({ maxEntries, maxBytes }: EvictingLimits) {
  const entries = new Map<string, T>();
  const byGroup = new Map<string, Set<string>>();
  const byAlias = new Map<string, string>();
  let bytes = 0;

  function unlink(key: string, entry: T): void {
    bytes -= entry.bytes;
    if (byAlias.get(entry.alias) === key) byAlias.delete(entry.alias);
    for (const group of entry.groups) {
      const keys = byGroup.get(group);
      keys?.delete(key);
      if (keys?.size === 0) byGroup.delete(group);
    }
  }

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    unlink(key, entry);
  }

  function evict(): string[] {
    const evicted: string[] = [];
    for (const key of entries.keys()) {
      if (entries.size <= maxEntries && bytes <= maxBytes) break;
      remove(key);
      evicted.push(key);
    }
    return evicted;
  }

  return {
    /** Adds or replaces an entry; returns the keys of those that it evicted. */
    put(key: string, entry: T): string[] {
      const older = entries.get(key);
      if (older !== undefined) unlink(key, older);
      entries.set(key, entry);
      bytes += entry.bytes;
      byAlias.set(entry.alias, key);
      for (const group of entry.groups) {
        const keys = byGroup.get(group);
        if (keys === undefined) byGroup.set(group, new Set([key]));
        else keys.add(key);
      }
      return evict();
    },
    remove,
    get: (key: string) => entries.get(key),
    all: () => entries.entries(),
    /** Keys of the entries of a group, the oldest first. */
    inGroup: (group: string): Iterable<string> => byGroup.get(group) ?? [],
    /** The key of the entry with an alias, or the alias, which may be a key. */
    keyOf: (alias: string): string => byAlias.get(alias) ?? alias,
    size: () => ({ entries: entries.size, bytes }),
    clear(): void {
      entries.clear();
      byGroup.clear();
      byAlias.clear();
      bytes = 0;
    },
  };
}
