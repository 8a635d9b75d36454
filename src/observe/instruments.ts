import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Creates metrics in a registry, and gauges that read a state when the metrics are read. */
export function createInstruments<Stats>(registry: Registry) {
  const registers = [registry];
  let read: (() => Stats) | undefined;
  return {
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, buckets: readonly number[], labelNames: string[] = []) =>
      new Histogram({ name, help, buckets: [...buckets], labelNames, registers }),
    /** A gauge of the present state; it stays as it is while its value is unknown. */
    gauge: (name: string, help: string, value: (stats: Stats) => number | undefined) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const figure = read && value(read());
          if (figure !== undefined) this.set(figure);
        },
      }),
    /** A gauge with labels, for the parts of the present state. */
    gauges: <T>(
      name: string,
      help: string,
      labelNames: string[],
      parts: (stats: Stats) => readonly T[],
      labelsOf: (part: T) => Record<string, string | number>,
      value: (part: T) => number | undefined,
    ) =>
      new Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const part of read === undefined ? [] : parts(read())) {
            const figure = value(part);
            if (figure !== undefined) this.set(labelsOf(part), figure);
          }
        },
      }),
    /** A counter that is kept elsewhere since the start of the process. */
    sum: (name: string, help: string, value: (stats: Stats) => number) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(read === undefined ? 0 : value(read()));
        },
      }),
    /** Sets where gauges read the present state. */
    observe: (reader: () => Stats) => {
      read = reader;
    },
  };
}
