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
