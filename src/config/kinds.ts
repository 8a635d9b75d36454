import { isIP, isIPv4 } from 'node:net';
import { resolve } from 'node:path';

/** A type of setting: how its text is parsed. */
export interface Kind<T> {
  /** The accepted texts, as a phrase: used in errors ("expected …") and in the docs. */
  readonly expected: string;
  /** The value; undefined if the text is invalid. */
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

/** A decimal integer in a range, both ends included. */
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

/** Any printable text. */
export function text(maxLength: number): Kind<string> {
  return {
    expected: `1 to ${maxLength} printable characters`,
    read: (given) => (given.length <= maxLength && !/\p{Cc}/u.test(given) ? given : undefined),
  };
}

/** Bytes in hex, at least one. */
export function hexBytes(maxBytes: number): Kind<Buffer> {
  return {
    expected: `1 to ${maxBytes} bytes in hex`,
    read: (text) =>
      /^(?:[0-9a-f]{2})+$/i.test(text) && text.length <= 2 * maxBytes ? Buffer.from(text, 'hex') : undefined,
  };
}

/** Accepts what one of two kinds accepts; the first has precedence. */
export function either<A, B>(first: Kind<A>, second: Kind<B>): Kind<A | B> {
  return {
    expected: `${first.expected}, or ${second.expected}`,
    read: (text) => first.read(text) ?? second.read(text),
  };
}

/** Values separated by commas; spaces around them and empty values are ignored. */
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

/** An absolute URL with one of the given schemes, as written. */
export function url(...schemes: readonly string[]): Kind<string> {
  const start = new RegExp(`^(${schemes.join('|')})://`, 'i');
  return {
    expected: `a URL that starts with ${schemes.map((scheme) => `\`${scheme}://\``).join(' or ')}`,
    read: (text) => (start.test(text) && URL.canParse(text) ? text : undefined),
  };
}

/** A file system path, resolved at once so that a later change of the working directory does not matter. */
export const path: Kind<string> = {
  expected: 'a path',
  // A path with a scheme is a misplaced URL.
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
    // A name whose last label is a number is a mistyped address.
    return isName && !/(^|\.)\d+$/.test(text) ? text : undefined;
  },
};

/**
 * Trusted proxies, in the form of Fastify's `trustProxy` option except for a number of hops: Fastify 5.12 trusts
 * nobody if it gets a bare number, so it must get `(_, hop) => hop < hops` instead.
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

/** Fastify rejects a prefix length of 0 (use `on`) and cannot match a zone (`%eth0`). */
function isAddressOrRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  if (rest.length > 0 || isIP(address) === 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (isIPv4(address) ? 32 : 128);
}

const source = either(url('http', 'https'), path);
const ENTRY = /^([a-z][a-z0-9-]{0,31})\s*=\s*(\S.*)$/s;

/** `name=path` and `name=URL`, separated by commas; names are unique. */
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

const DAY_SECONDS = 86_400;

/** A duration in hours, days or weeks, as seconds. */
export const duration: Kind<number> = {
  expected: 'a duration such as `36h`, `30d` or `8w`',
  read: (text) =>
    readAmount(text, { h: 3600, d: DAY_SECONDS, w: 7 * DAY_SECONDS }, 6, 100 * 365 * DAY_SECONDS),
};

/** A duration from a millisecond to an hour, as milliseconds. */
export const shortDuration: Kind<number> = {
  expected: 'a duration such as `500ms`, `5s` or `2m`, at most `60m`',
  read: (text) => readAmount(text, { ms: 1, s: 1000, m: 60_000 }, 7, 3600 * 1000),
};

/** A number of so many digits at most and its unit, as a number of the smallest unit up to `max`. */
function readAmount(text: string, units: Readonly<Record<string, number>>, digits: number, max: number) {
  const [, count, unit = ''] = /^([1-9]\d*)([a-z]+)$/.exec(text) ?? [];
  if (count === undefined || count.length > digits || !Object.hasOwn(units, unit)) return undefined;
  const amount = Number(count) * units[unit]!;
  return amount <= max ? amount : undefined;
}
