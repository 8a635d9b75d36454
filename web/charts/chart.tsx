import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './chart.css';

export interface ChartLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface ChartProps {
  /** Unix seconds. */
  readonly at: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly format: (value: number) => string;
  /** Whether times are days. */
  readonly isDaily?: boolean;
}

const HEIGHT = 150;
/** Half of the longest label of a time, which may be at the end. */
const LABEL_ROOM = 26;
/** Names of custom properties, in the order of the lines. */
const COLOURS = ['--chart-1', '--chart-2', '--chart-3', '--chart-4'];

/** Grows when colours change; a canvas does not follow them by itself. */
const theme = signal(0);
const onTheme = () => {
  theme.value += 1;
};
new MutationObserver(onTheme).observe(document.documentElement, { attributeFilter: ['data-theme'] });
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', onTheme);

/** Lines over time. The legend has the values at the pointer, else the last ones, for eyes and screen readers. */
export function Chart({ at, lines, format, isDaily = false }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [pointed, setPointed] = useState<number | null>(null);
  const labels = lines.map(({ label }) => label).join('\n');
  const colours = theme.value;

  useEffect(() => {
    const parent = frame.current!;
    const look = lookOf(parent, labels.split('\n'), isDaily, format);
    const hooks = { setCursor: [({ cursor }: uPlot) => setPointed(cursor.idx ?? null)] };
    const made = new uPlot({ ...look, hooks }, dataOf(at, lines), parent);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: parent.clientWidth, height: HEIGHT }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
    // New values are put into the same picture below.
  }, [labels, colours, isDaily]);

  useEffect(() => plot.current?.setData(dataOf(at, lines)), [at, lines]);

  const shownAt = pointed ?? at.length - 1;
  const text = (values: ChartLine['values']) => {
    const value = values[shownAt];
    return value === null || value === undefined ? '–' : format(value);
  };
  return (
    <figure class="chart">
      <figcaption>
        {lines.map(({ label, values }, index) => (
          <span key={label}>
            <i class="swatch" style={{ background: `var(${COLOURS[index]})` }} aria-hidden="true" />
            {label} <b>{text(values)}</b>
          </span>
        ))}
      </figcaption>
      <div ref={frame} class="plot" aria-hidden="true" />
    </figure>
  );
}

function dataOf(at: readonly number[], lines: readonly ChartLine[]): uPlot.AlignedData {
  return [[...at], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
}

/** A canvas does not understand `light-dark()`, which the properties are made of. */
function resolveColour(parent: HTMLElement, value: string): string {
  const probe = document.createElement('span');
  probe.style.color = value;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function lookOf(
  parent: HTMLElement,
  labels: readonly string[],
  isDaily: boolean,
  format: (value: number) => string,
): uPlot.Options {
  const colour = (name: string) => resolveColour(parent, `var(${name})`);
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(parent).fontFamily}`,
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    padding: [null, LABEL_ROOM, null, null],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_plot, min, max) => rangeOf(min, max) } },
    axes: [
      {
        ...axis,
        space: 70,
        values: (_plot, splits, _axis, _space, step) => splits.map((at) => timeLabel(at, isDaily, step)),
        size: 26,
      },
      { ...axis, space: 36, size: 58, values: (_plot, splits) => splits.map((value) => format(value)) },
    ],
    series: [
      {},
      ...labels.map((label, index) => ({
        label,
        stroke: colour(COLOURS[index]!),
        width: 1.5,
        ...(labels.length === 1 && { fill: colour('--chart-fill') }),
        points: { show: isDaily, size: 5 },
      })),
    ],
  };
}

/** From zero, with room above. */
function rangeOf(min: number | null, max: number | null): [number, number] {
  const top = max === null || max <= 0 ? 1 : max * 1.15;
  return [Math.min(0, min ?? 0), top];
}

/** `step` is the time between two labels. */
function timeLabel(at: number, isDaily: boolean, step: number): string {
  const text = new Date(at * 1000).toISOString();
  return isDaily ? text.slice(5, 10) : text.slice(11, step < 60 ? 19 : 16);
}
