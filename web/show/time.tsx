import { signal } from '@preact/signals';

/** Unix seconds, once per second. */
const now = signal(Math.floor(Date.now() / 1000));
setInterval(() => {
  now.value = Math.floor(Date.now() / 1000);
}, 1000);

/** How far a local chain is ahead of this machine after its clock was moved, in seconds. */
const chainAhead = signal(0);
/** The clocks of validators, and the one of this machine, differ by less than this. */
const CLOCK_ERROR_SECONDS = 60;

/** Takes the clock of the chain from its newest block, or from its state. */
export function noteChainTime(unixSeconds: number): void {
  const ahead = unixSeconds - now.peek();
  chainAhead.value = ahead > CLOCK_ERROR_SECONDS ? ahead : 0;
}

/** The clock of the chain, as far as it was noted, in unix seconds. */
export function chainNow(): number {
  return now.value + chainAhead.value;
}

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

interface AgoProps {
  readonly at: number;
  /** What the server did itself goes by the clock of machines, not by that of the chain. */
  readonly clock?: 'chain' | 'machine';
}

/** How long ago something was, with the exact time as title. */
export function Ago({ at, clock = 'chain' }: AgoProps) {
  // The newest block may be a moment ahead of what was noted.
  const passed = (clock === 'chain' ? chainNow() : now.value) - at;
  const seconds =
    chainAhead.value > 0 && Math.abs(passed) < CLOCK_ERROR_SECONDS ? Math.max(0, passed) : passed;
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
