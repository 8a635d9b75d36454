import { readFileSync, statSync } from 'node:fs';
import type { Kind } from './kinds.ts';
import type { Setting } from './setting.ts';
import { settingTable } from './setting-table.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

type Table = typeof settingTable;

/** Name of a setting: its environment variable. */
export type SettingName = keyof Table;

/** `DATABASE_POOL_SIZE` as `databasePoolSize`. */
type CamelName<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Lowercase<Head>}${Capitalize<CamelName<Tail>>}`
  : Lowercase<Name>;

type ValueOf<S> = S extends { readonly kind: Kind<infer T> }
  ? S extends { readonly default: unknown }
    ? T
    : T | undefined
  : never;

/** All settings, validated; properties and types come from the table. */
export type Settings = { readonly [Name in SettingName as CamelName<Name>]: ValueOf<Table[Name]> };

/** Names of all settings in the order of the table. */
export const settingNames = Object.keys(settingTable) as SettingName[];

/** The property of `Settings` that holds a setting. */
function settingProperty(name: SettingName): keyof Settings {
  return name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as keyof Settings;
}

const MAX_SHOWN_CHARS = 80;

const secretNames = settingNames.filter((name) => (settingTable[name] as Setting).secret);

/**
 * Reads all settings from environment variables and from the files that they name; throws one `SettingsError` that lists
 * all problems.
 */
export function readSettings(given: Environment): Settings {
  const { env, problems } = readSecretFiles(given);
  const values: Record<string, unknown> = {};
  const unread = new Set<SettingName>();
  for (const name of settingNames) {
    const text = effectiveText(env, name);
    const value = text === undefined ? undefined : settingTable[name].kind.read(text);
    values[settingProperty(name)] = value;
    if (text === undefined || value !== undefined) continue;
    unread.add(name);
    // A default that comes from another setting is invalid only if that one is, and that one is reported.
    const wrong = givenText(env, name);
    if (wrong !== undefined) problems.push(problemOf(name, wrong, givenText(given, name) === undefined));
  }
  for (const check of crossChecks) {
    if (check.names.some((name) => unread.has(name))) continue;
    const problem = check.problem(values as Settings);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) throw new SettingsError(problems);
  return withDatabasePassword(values as Settings);
}

/** A longer file is not a secret: a log, a disk image, `/dev/zero`. */
const MAX_BYTES = 65_536;

/**
 * Reads secrets from files, as Docker, Kubernetes and systemd provide them: `DATABASE_URL_FILE` names the file of
 * `DATABASE_URL`. Other users and child processes cannot see a file as they can see an environment variable.
 */
function readSecretFiles(env: Environment) {
  const read: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const name of secretNames) {
    const variable = `${name}_FILE`;
    const path = env[variable]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) {
      problems.push(`${name} and ${variable} are both set: expected one of them`);
      continue;
    }
    const result = readSecret(path);
    if ('text' in result) read[name] = result.text;
    else
      problems.push(
        `${variable} is ${JSON.stringify(path)}: expected a file with the secret, ${result.problem}`,
      );
  }
  return { env: read, problems };
}

function readSecret(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return { problem: 'this is not a file' };
    if (stat.size > MAX_BYTES) return { problem: `this one has ${stat.size} bytes, more than ${MAX_BYTES}` };
    const text = readFileSync(path, 'utf8').trim();
    return text === '' ? { problem: 'this one is empty' } : { text };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: REASONS[code ?? ''] ?? `this one cannot be read (${message})` };
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  ENOTDIR: 'there is none',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};

/** Puts the password into the database URLs that have none. */
function withDatabasePassword(settings: Settings): Settings {
  const { databaseUrl, databaseReplicaUrls, databasePassword } = settings;
  if (databasePassword === undefined) return settings;
  const complete = (text: string) => {
    const url = new URL(text);
    if (url.password === '') url.password = encodeURIComponent(databasePassword);
    return url.href;
  };
  return {
    ...settings,
    databaseUrl: databaseUrl === undefined ? undefined : complete(databaseUrl),
    databaseReplicaUrls: databaseReplicaUrls.map(complete),
  };
}

/** The text of a variable; empty counts as unset, because Compose files cannot unset a variable. */
function givenText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

function effectiveText(env: Environment, name: SettingName): string | undefined {
  const fallback = (settingTable[name] as Setting).default;
  const given = givenText(env, name);
  if (given !== undefined || fallback === undefined) return given;
  return typeof fallback === 'string'
    ? fallback
    : fallback.from((other) => effectiveText(env, other as SettingName));
}

function problemOf(name: SettingName, given: string, isInFile: boolean): string {
  const setting: Setting = settingTable[name];
  const expected = setting.kind.expected.replaceAll('`', '');
  const source = isInFile ? `${name} in the file of ${name}_FILE` : name;
  if (setting.secret) return `${source} is invalid (value hidden): expected ${expected}`;
  // Redacted before it is truncated: a truncated URL may not look like one. A secret may be in the wrong variable.
  const safe = redactCredentials(given);
  const shown = safe.length > MAX_SHOWN_CHARS ? `${safe.slice(0, MAX_SHOWN_CHARS)}…` : safe;
  return `${name} is ${JSON.stringify(shown)}: expected ${expected}`;
}

/** A rule between settings; checked only if all of them are valid. */
interface CrossCheck {
  readonly names: readonly SettingName[];
  readonly problem: (settings: Settings) => string | undefined;
}

const crossChecks: readonly CrossCheck[] = [
  {
    names: ['NETWORK', 'TON_CONFIG'],
    problem: ({ network, tonConfig }) =>
      network === 'custom' && tonConfig === undefined
        ? 'TON_CONFIG is not set: expected the path or URL of a global config, because NETWORK is custom'
        : undefined,
  },
  {
    names: ['PORT', 'METRICS_PORT'],
    problem: ({ port, metricsPort }) =>
      metricsPort !== 0 && metricsPort === port
        ? `METRICS_PORT is "${metricsPort}": expected a port other than PORT`
        : undefined,
  },
  {
    names: ['DEFAULT_LIMIT', 'MAX_LIMIT'],
    problem: ({ defaultLimit, maxLimit }) =>
      defaultLimit > maxLimit
        ? `DEFAULT_LIMIT is "${defaultLimit}": expected at most MAX_LIMIT, which is ${maxLimit}`
        : undefined,
  },
  {
    names: ['IMGPROXY_KEY', 'IMGPROXY_SALT'],
    problem: ({ imgproxyKey, imgproxySalt }) =>
      (imgproxyKey === undefined) !== (imgproxySalt === undefined)
        ? `${imgproxyKey === undefined ? 'IMGPROXY_KEY' : 'IMGPROXY_SALT'} is not set: expected both or none of IMGPROXY_KEY and IMGPROXY_SALT`
        : undefined,
  },
  {
    names: ['DATABASE_URL', 'DATABASE_PASSWORD'],
    problem: ({ databaseUrl, databasePassword }) =>
      databasePassword === undefined
        ? undefined
        : databaseUrl === undefined
          ? 'DATABASE_URL is not set: expected the database to which DATABASE_PASSWORD belongs'
          : new URL(databaseUrl).username === ''
            ? 'DATABASE_URL has no user: expected the user to whom DATABASE_PASSWORD belongs'
            : undefined,
  },
  {
    names: ['DATABASE_URL', 'DATABASE_REPLICA_URLS'],
    // The embedded database has no replicas; another database would have other data.
    problem: ({ databaseUrl, databaseReplicaUrls }) =>
      databaseReplicaUrls.length > 0 && databaseUrl === undefined
        ? 'DATABASE_URL is not set: expected the database of which DATABASE_REPLICA_URLS are replicas'
        : undefined,
  },
];

/** All problems of the settings in one message for the operator. */
export class SettingsError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const head = problems.length === 1 ? 'Invalid setting:' : `${problems.length} invalid settings:`;
    super([head, ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'SettingsError';
    this.problems = problems;
  }
}

/** The settings by environment variable, without credentials, for a log line. */
export function describeSettings(settings: Settings): Partial<Record<SettingName, unknown>> {
  const described: Partial<Record<SettingName, unknown>> = {};
  for (const name of settingNames) {
    const value = settings[settingProperty(name)];
    if (value === undefined) continue;
    const setting: Setting = settingTable[name];
    described[name] = setting.secret === 'whole' ? '***' : describeValue(value);
  }
  return described;
}

function describeValue(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string') return redactCredentials(value);
  if (Array.isArray(value)) return value.map(describeValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, describeValue(one)]));
}

const SECRET_PARAMETER = /([?&][^=&#]*(?:pass|secret|token|key|auth|sig|cred)[^=&#]*=)[^&#]*/gi;

/**
 * Replaces credentials in a URL by `***`: the password, a user without a password (it may be a token), and query
 * parameters with a secret name. Works on text, so that an invalid URL is safe too.
 */
function redactCredentials(text: string): string {
  return text
    .replace(/:\/\/(.*)@/s, (_, credentials: string) => {
      const colon = credentials.indexOf(':');
      return colon > 0 ? `://${credentials.slice(0, colon)}:***@` : '://***@';
    })
    .replace(SECRET_PARAMETER, '$1***');
}
