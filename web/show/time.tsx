import { signal } from '@preact/signals';

/** Unix seconds, once per second. */
const now = signal(Math.floor(Date.now() / 1000));
setInterval(() => {
  now.value = Math.floor(Date.now() / 1000);
}, 1000);

const UNITS = [
  [86_400 * 365, 'y'],
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** A span of time in its largest unit. */
export function formatSpan(seconds: number): string {
  const size = Math.abs(seconds);
  const [length, name] = UNITS.find(([unit]) => size >= unit) ?? [1, 's'];
  return `${Math.floor(size / length)} ${name}`;
}

export function formatTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** How long ago something was, with the exact time as title. */
export function Ago({ at }: { readonly at: number }) {
  const seconds = now.value - at;
  const text = seconds < 0 ? `in ${formatSpan(seconds)}` : `${formatSpan(seconds)} ago`;
  return (
    <time class="nowrap" dateTime={new Date(at * 1000).toISOString()} title={formatTime(at)}>
      {text}
    </time>
  );
}

/** The exact time, and how long ago it was. */
export function Time({ at }: { readonly at: number }) {
  return (
    <span>
      <span class="nowrap">{formatTime(at)}</span>{' '}
      <span class="muted">
        (<Ago at={at} />)
      </span>
    </span>
  );
}
