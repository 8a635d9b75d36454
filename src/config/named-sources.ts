import { either, type Kind, path, url } from './kinds.ts';

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
