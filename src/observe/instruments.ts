import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** The figures of a state that may be shown as they are. */
type FigureOf<Stats> = {
  [Name in keyof Stats]: Stats[Name] extends number | boolean | undefined ? Name : never;
}[keyof Stats];

/** Creates metrics in a registry, and gauges that read a state when the metrics are read. */
export function createInstruments<Stats>(registry: Registry) {
  const registers = [registry];
  let read: (() => Stats) | undefined;
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: readonly number[], labelNames: string[] = []) =>
    new Histogram({ name, help, buckets: [...buckets], labelNames, registers });
  return {
    counter,
    histogram,
    /** Registers a counter without labels, or with one; returns the function that counts. */
    count(name: string, help: string) {
      const metric = counter(name, help);
      return (by = 1) => metric.inc(by);
    },
    countBy<Value extends string>(name: string, help: string, label: string) {
      const metric = counter(name, help, [label]);
      return (value: Value, by = 1) => metric.inc({ [label]: value }, by);
    },
    /** A gauge of a figure of the present state; it stays as it is while the figure is unknown. */
    gauge: (name: string, help: string, figure: FigureOf<Stats>) =>
      new Gauge({
        name,
        help,
        registers,
        collect() {
          const value = read?.()[figure];
          if (value !== undefined) this.set(Number(value));
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
    sum: (name: string, help: string, figure: FigureOf<Stats>) =>
      new Counter({
        name,
        help,
        registers,
        collect() {
          this.reset();
          this.inc(Number(read?.()[figure] ?? 0));
        },
      }),
    /** Sets where gauges read the present state. */
    observe: (reader: () => Stats) => {
      read = reader;
    },
  };
}
