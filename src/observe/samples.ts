/** The last values of some series, in memory that does not grow. */
export function createSamples<Name extends string>(names: readonly Name[], capacity: number) {
  const times = new Float64Array(capacity);
  const columns = new Map(names.map((name) => [name, new Float64Array(capacity)]));
  let count = 0;

  return {
    /** Adds the values of a moment, in unix seconds; those left out are unknown. */
    add(at: number, values: Readonly<Partial<Record<Name, number | undefined>>>): void {
      const place = count % capacity;
      times[place] = at;
      for (const [name, column] of columns) column[place] = values[name] ?? Number.NaN;
      count += 1;
    },
    /** Times and values, oldest first; null for unknown ones. */
    read(): { readonly at: number[]; readonly series: Record<Name, (number | null)[]> } {
      const length = Math.min(count, capacity);
      const places = Array.from({ length }, (_, index) => (count - length + index) % capacity);
      const series = [...columns].map(([name, column]) => [
        name,
        places.map((place) => (Number.isNaN(column[place]) ? null : column[place]!)),
      ]);
      return { at: places.map((place) => times[place]!), series: Object.fromEntries(series) };
    },
  };
}
