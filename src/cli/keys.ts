import { type ParseArgsConfig, parseArgs } from 'node:util';
import { createApiKey } from '../access/keys.ts';
import { DEFAULT_PLAN, KEY_NETWORKS, PLANS, readKeySettings } from '../access/plans.ts';
import type { Database } from '../db/connection.ts';
import { type ApiKey, listApiKeys, revokeApiKey } from '../db/queries/api-keys.ts';
import { UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { formatTable } from './format.ts';

export interface KeysPorts {
  /** Arguments after `keys`. */
  readonly args: readonly string[];
  /** Opens the database; only called by commands that need it, after their options were validated. */
  readonly database: () => Promise<Database>;
  /** The network of this installation. */
  readonly network?: string;
  readonly out: TextOutput;
}

type Command = (args: string[], ports: KeysPorts) => Promise<void>;

const COMMANDS: Readonly<Record<string, Command>> = { create, list, revoke, plans };

const HELP = `Usage: keys <command>

  keys create --name NAME [--plan PLAN] [--rps N] [--networks LIST]
      Creates a key and shows it once. The plan sets the rate (default: ${DEFAULT_PLAN}), --rps overrides it.
      LIST is a comma-separated choice of ${KEY_NETWORKS.join(', ')}; without it the key is valid for all.
  keys list [--json]
      Lists all keys without their secrets: only hashes are stored.
  keys revoke ID
      Stops a key for good, within five seconds in every process.
  keys plans
      Shows the plans and their rates.
`;

/** Creates, lists and revokes API keys; returns the exit code, throws `UsageError` for invalid arguments. */
export async function keysCommand(ports: KeysPorts): Promise<number> {
  const [name, ...args] = ports.args;
  if (name === undefined || name === 'help' || ports.args.some((arg) => arg === '--help' || arg === '-h')) {
    ports.out.write(HELP);
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    throw new UsageError(`keys ${name}: expected one of ${Object.keys(COMMANDS).join(', ')} after keys`);
  }
  await command(args, ports);
  return 0;
}

async function create(args: string[], { database, network, out }: KeysPorts): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parse({ args, options: { name: text, plan: text, rps: text, networks: text } });
  const settings = readKeySettings(values);
  const { key, row } = await createApiKey(await database(), settings);
  const where = row.networks.length === 0 ? 'all networks' : row.networks.join(', ');
  out.write(`Key ${row.id} "${row.name}": plan ${row.plan}, ${row.rps} requests per second, ${where}.\n\n`);
  out.write(`  ${key}\n\nThis key is shown only once. Clients send it in the header X-API-Key.\n`);
  if (network !== undefined && row.networks.length > 0 && !row.networks.includes(network)) {
    out.write(`Note: this installation serves ${network}, where this key is not valid.\n`);
  }
}

async function list(args: string[], { database, out }: KeysPorts): Promise<void> {
  const { values } = parse({ args, options: { json: { type: 'boolean' } } });
  const keys = (await (await database()).write((db) => listApiKeys(db))).map(withoutHash);
  if (values.json === true) {
    out.write(`${JSON.stringify(keys, null, 2)}\n`);
  } else if (keys.length === 0) {
    out.write('No keys yet. Create one: keys create --name NAME\n');
  } else {
    out.write(formatTable(keys.map(toCells)));
  }
}

async function revoke(args: string[], { database, out }: KeysPorts): Promise<void> {
  const { positionals } = parse({ args, options: {}, allowPositionals: true });
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    throw new UsageError('keys revoke: expected one ID from keys list');
  const row = await (await database()).write((db) => revokeApiKey(db, { id }));
  if (row === undefined) throw new UsageError(`keys revoke: no key has the ID "${id}"; keys list shows all`);
  out.write(`Key ${row.id} "${row.name}" is revoked and stops working within five seconds.\n`);
}

async function plans(args: string[], { out }: KeysPorts): Promise<void> {
  parse({ args, options: {} });
  out.write(
    formatTable(PLANS.map(({ name, rps, description }) => ({ PLAN: name, RPS: `${rps}`, FOR: description }))),
  );
}

function parse<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(`keys: ${(error as Error).message}`);
  }
}

function withoutHash({ hash, createdAt, lastUsedAt, revokedAt, ...key }: ApiKey) {
  return {
    ...key,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    revoked_at: isoTime(revokedAt),
  };
}

function toCells(key: ReturnType<typeof withoutHash>): Record<string, string> {
  return {
    ID: key.id,
    NAME: key.name,
    PLAN: key.plan,
    RPS: `${key.rps}`,
    NETWORKS: key.networks.join(',') || 'all',
    CREATED: key.created_at ?? '',
    'LAST USE': key.last_used_at ?? 'never',
    REVOKED: key.revoked_at ?? 'no',
  };
}

function isoTime(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : new Date(unixSeconds * 1000).toISOString().replace('.000', '');
}
