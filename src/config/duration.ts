import type { Kind } from './kinds.ts';

const UNITS = { h: 3600, d: 86_400, w: 7 * 86_400 } as const;
const MAX_SECONDS = 100 * 365 * UNITS.d;

/** A length of time in hours, days or weeks, as seconds. */
export const duration: Kind<number> = {
  expected: 'a length of time such as `36h`, `30d` or `8w`',
  read: (text) => {
    const parts = /^([1-9]\d{0,5})([hdw])$/.exec(text);
    if (parts === null) return undefined;
    const seconds = Number(parts[1]) * UNITS[parts[2] as keyof typeof UNITS];
    return seconds <= MAX_SECONDS ? seconds : undefined;
  },
};

const SHORT_UNITS = { ms: 1, s: 1000, m: 60_000 } as const;
const MAX_SHORT_MS = 3600 * 1000;

/** A length of time from a millisecond to an hour, as milliseconds. */
export const shortDuration: Kind<number> = {
  expected: 'a length of time such as `500ms`, `5s` or `2m`, at most `60m`',
  read: (text) => {
    const parts = /^([1-9]\d{0,6})(ms|s|m)$/.exec(text);
    if (parts === null) return undefined;
    const ms = Number(parts[1]) * SHORT_UNITS[parts[2] as keyof typeof SHORT_UNITS];
    return ms <= MAX_SHORT_MS ? ms : undefined;
  },
};
