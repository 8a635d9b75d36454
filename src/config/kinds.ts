import { isIP, isIPv4 } from 'node:net';
import { resolve } from 'node:path';

/** How the text of one setting becomes a value. */
export interface Kind<T> {
  /** What is accepted, as a phrase: it ends a fault ("expected …") and fills the values column of the docs. */
  readonly expected: string;
  /** The value, or undefined when the text is not acceptable. */
  readonly read: (text: string) => T | undefined;
}

/** One of a few words. */
export function choice<const T extends string>(...words: readonly T[]): Kind<T> {
  const quoted = words.map((word) => `\`${word}\``);
  const last = quoted.pop() ?? '';
  return {
    expected: quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`,
    read: (text) => words.find((word) => word === text),
  };
}

/** `on` or `off`, as a boolean. */
export const onOff: Kind<boolean> = {
  expected: choice('on', 'off').expected,
  read: (text) => (text === 'on' ? true : text === 'off' ? false : undefined),
};

/** A whole number in decimal digits within a range, both ends included. */
export function integer(min: number, max: number): Kind<number> {
  return {
    expected: min === max ? `\`${min}\`` : `an integer from ${min} to ${max}`,
    read: (text) => {
      if (!/^\d{1,15}$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
  };
}

/** Bytes in hex, at least one. */
export function hexBytes(most: number): Kind<Buffer> {
  return {
    expected: `1 to ${most} bytes in hex`,
    read: (text) =>
      /^(?:[0-9a-f]{2})+$/i.test(text) && text.length <= 2 * most ? Buffer.from(text, 'hex') : undefined,
  };
}

/** What either of two kinds accepts; the first one is asked first. */
export function either<A, B>(first: Kind<A>, second: Kind<B>): Kind<A | B> {
  return {
    expected: `${first.expected}, or ${second.expected}`,
    read: (text) => first.read(text) ?? second.read(text),
  };
}

/** Values separated by commas; spaces around them and empty ones do not count. */
export function list<T>(kind: Kind<T>, expected: string): Kind<readonly T[]> {
  return {
    expected,
    read: (text) => {
      const entries = text.split(',').map((entry) => entry.trim());
      const values = entries.filter((entry) => entry !== '').map((entry) => kind.read(entry));
      return values.every((value) => value !== undefined) ? (values as T[]) : undefined;
    },
  };
}

/** An absolute URL with one of the given schemes, kept as it was written. */
export function url(...schemes: readonly string[]): Kind<string> {
  const start = new RegExp(`^(${schemes.join('|')})://`, 'i');
  return {
    expected: `a URL that starts with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
    read: (text) => (start.test(text) && URL.canParse(text) ? text : undefined),
  };
}

/** A file system path, made absolute at once so that a later change of directory does not move it. */
export const path: Kind<string> = {
  expected: 'a path',
  // A path with a scheme is a URL that was put in the wrong place.
  read: (text) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /\p{Cc}/u.test(text) ? undefined : resolve(text)),
};

/** Empty, or one or more path segments that start with a slash and do not end with one. */
export const pathPrefix: Kind<string> = {
  expected: 'empty, or a URL path that starts with `/` and does not end with `/`, for example `/ton`',
  read: (text) => (/^(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._~-]+)*$/.test(text) ? text : undefined),
};

const MAX_HOPS = 32;

/** An address to listen on. */
export const host: Kind<string> = {
  expected: 'an IP address or a host name',
  read: (text) => {
    if (isIP(text) !== 0) return text;
    const isName =
      /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i.test(text);
    // A name whose last label is a number is an address with a typing error.
    return isName && !/(^|\.)\d+$/.test(text) ? text : undefined;
  },
};

/**
 * Which proxies may say where a request came from, as Fastify's `trustProxy` option takes it, but for a number of
 * hops: Fastify 5.12 trusts nobody when it gets a bare number, so it must get `(_, hop) => hop < hops` instead.
 */
export const trustProxy: Kind<boolean | number | string[]> = {
  expected:
    '`off`, `on`, a number of hops from 1 to 32, or a list of IP addresses and ranges such as `10.0.0.0/8,::1`',
  read: (text) => {
    if (text === 'off') return false;
    if (text === 'on') return true;
    if (/^\d+$/.test(text)) {
      const hops = Number(text);
      return hops >= 1 && hops <= MAX_HOPS ? hops : undefined;
    }
    const ranges = text.split(',').map((range) => range.trim());
    return ranges.every(isAddressOrRange) ? ranges : undefined;
  },
};

/** Fastify refuses a prefix length of 0 ("everybody" is `on`) and cannot match a zone (`%eth0`). */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

const source = either(url('http', 'https'), path);
const ENTRY = /^([a-z][a-z0-9-]{0,31})\s*=\s*(\S.*)$/s;

/** `name=path` and `name=URL`, separated by commas; a name may stand there once. */
export const namedSources: Kind<Readonly<Record<string, string>>> = {
  expected: '`name=` and a path or a URL that starts with `http://` or `https://`, separated by commas',
  read: (text) => {
    const sources: Record<string, string> = {};
    for (const entry of text.split(',').map((one) => one.trim())) {
      if (entry === '') continue;
      const [, name, given] = ENTRY.exec(entry) ?? [];
      const value = given === undefined ? undefined : source.read(given);
      if (name === undefined || value === undefined || Object.hasOwn(sources, name)) return undefined;
      sources[name] = value;
    }
    return sources;
  },
};

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
