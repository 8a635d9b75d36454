const MAX_LIBRARIES = 16;

/** The first hashes of a list, in order and each once, as nodes take them. */
export function wantedLibraries(list: readonly Buffer[]): Buffer[] {
  const sorted = list.slice(0, MAX_LIBRARIES).sort(Buffer.compare);
  return sorted.filter((hash, i) => i === 0 || !hash.equals(sorted[i - 1]!));
}
