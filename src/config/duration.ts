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
