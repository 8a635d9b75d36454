import { createApiKey } from '../access/keys.ts';
import { DEFAULT_PLAN, KEY_NETWORKS, PLANS, readKeySettings, readName, readPlan } from '../access/plans.ts';
import {
  type ApiKey,
  ensureOwner,
  findOwner,
  type KeyOwner,
  listApiKeys,
  listOwners,
  revokeApiKey,
  revokeKeysOfOwner,
  shareOwnerPlan,
} from '../access/stored-keys.ts';
import type { Database } from '../db/connection.ts';
import { UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { flag, type Parse, runSubcommand, type Subcommand, text } from './arguments.ts';
import { formatRows, formatTable } from './format.ts';

export interface KeysPorts {
  readonly args: readonly string[];
  /** Opens the database; only called by commands that need it, after their options were validated. */
  readonly database: () => Promise<Database>;
  readonly network?: string;
  readonly out: TextOutput;
}

const COMMANDS: Readonly<Record<string, Subcommand<KeysPorts>>> = {
  create,
  list,
  revoke,
  owners,
  share,
  plans,
};

const HELP = `Usage: tongate keys <command>

  keys create --name NAME [--owner OWNER] [--plan PLAN] [--rps N] [--networks LIST]
      Creates a key and shows it once. The plan sets the rate (default: ${DEFAULT_PLAN}), --rps overrides it.
      LIST is a comma-separated choice of ${KEY_NETWORKS.join(', ')}; without it the key is valid for all.
      OWNER is who the key is for; it is created if there is none of that name.
  keys list [--owner OWNER] [--json]
      Lists all keys, or those of an owner, without their secrets: only hashes are stored.
  keys revoke ID
  keys revoke --owner OWNER
      Stops a key, or all keys of an owner, for good, within five seconds in every process.
  keys owners [--json]
      Lists the owners of keys.
  keys share OWNER [--plan PLAN] [--rps N]
  keys share OWNER --off
      Gives all keys of an owner one plan, whose rate they share; --off gives each key its own again.
  keys plans
      Shows the plans and their rates.
`;

/** Creates, lists and revokes API keys; returns the exit code, throws `UsageError` for invalid arguments. */
export function keysCommand(ports: KeysPorts): Promise<number> {
  return runSubcommand('keys', COMMANDS, HELP, ports);
}

async function create(parse: Parse, { database, network, out }: KeysPorts): Promise<void> {
  const { values } = parse({ options: { name: text, owner: text, plan: text, rps: text, networks: text } });
  const settings = readKeySettings(values);
  const { key, row } = await createApiKey(await database(), settings);
  const where = row.networks.length === 0 ? 'all networks' : row.networks.join(', ');
  const whose = row.owner === null ? '' : ` of ${row.owner.name}`;
  out.write(
    `Key ${row.id} "${row.name}"${whose}: plan ${row.plan}, ${row.rps} requests per second, ${where}.\n\n`,
  );
  out.write(`  ${key}\n\nThis key is shown only once. Clients send it in the header X-API-Key.\n`);
  const shared = row.owner?.shared;
  if (shared) {
    out.write(
      `Note: all keys of ${row.owner!.name} share the plan ${shared.plan}, ${shared.rps} requests per second, which counts instead of the plan of this key.\n`,
    );
  }
  if (network !== undefined && row.networks.length > 0 && !row.networks.includes(network)) {
    out.write(`Note: this installation serves ${network}, where this key is not valid.\n`);
  }
}

async function list(parse: Parse, { database, out }: KeysPorts): Promise<void> {
  const { values } = parse({ options: { json: flag, owner: text } });
  const opened = await database();
  const owner = values.owner === undefined ? undefined : await ownerCalled(opened, values.owner);
  const rows = await opened.write((db) => listApiKeys(db, { ownerId: owner?.id }));
  const keys = rows.map(withoutHash);
  const none = 'No keys yet. Create one: keys create --name NAME';
  out.write(formatRows(keys, { json: values.json, none, cells: keys.map(toCells) }));
}

async function revoke(parse: Parse, { database, out }: KeysPorts): Promise<void> {
  const { positionals, values } = parse({ options: { owner: text }, allowPositionals: true });
  const [id, ...more] = positionals;
  if (values.owner !== undefined && id === undefined) {
    const opened = await database();
    const owner = await ownerCalled(opened, values.owner);
    const count = await opened.write((db) => revokeKeysOfOwner(db, { ownerId: owner.id }));
    out.write(`Keys of ${owner.name} revoked: ${count}. They stop working within five seconds.\n`);
    return;
  }
  if (id === undefined || more.length > 0 || values.owner !== undefined)
    throw new UsageError('keys revoke: expected one ID from keys list, or --owner OWNER');
  const row = await (await database()).write((db) => revokeApiKey(db, { id }));
  if (row === undefined) throw new UsageError(`keys revoke: no key has the ID "${id}"; keys list shows all`);
  out.write(`Key ${row.id} "${row.name}" is revoked and stops working within five seconds.\n`);
}

async function owners(parse: Parse, { database, out }: KeysPorts): Promise<void> {
  const { values } = parse({ options: { json: flag } });
  const rows = await (await database()).write((db) => listOwners(db));
  const shown = rows.map(({ createdAt, ...owner }) => ({ ...owner, created_at: isoTime(createdAt) }));
  const none = 'No owners yet. Create a key for one: keys create --name NAME --owner OWNER';
  out.write(formatRows(shown, { json: values.json, none, cells: rows.map(ownerCells) }));
}

async function share(parse: Parse, { database, out }: KeysPorts): Promise<void> {
  const options = { plan: text, rps: text, off: flag };
  const { positionals, values } = parse({ options, allowPositionals: true });
  const [name, ...more] = positionals;
  if (name === undefined || more.length > 0) throw new UsageError('keys share: expected one OWNER');
  if (values.off === true && (values.plan ?? values.rps) !== undefined)
    throw new UsageError('keys share: expected --off or a plan, not both');
  const shared = values.off === true ? null : readPlan(values);
  const owner = readName('owner', name);
  const opened = await database();
  // A plan may be agreed on before there is a key.
  const { id } =
    shared === null
      ? await ownerCalled(opened, owner)
      : await opened.write((db) => ensureOwner(db, { name: owner }));
  await opened.write((db) => shareOwnerPlan(db, { id, shared }));
  out.write(
    shared === null
      ? `Each key of ${owner} has its own rate.\n`
      : `All keys of ${owner} share the plan ${shared.plan}, ${shared.rps} requests per second.\n`,
  );
}

async function plans(parse: Parse, { out }: KeysPorts): Promise<void> {
  parse({ options: {} });
  out.write(
    formatTable(PLANS.map(({ name, rps, description }) => ({ PLAN: name, RPS: `${rps}`, FOR: description }))),
  );
}

async function ownerCalled(database: Database, name: string): Promise<KeyOwner> {
  const owner = await database.write((db) => findOwner(db, { name }));
  if (owner === undefined) throw new UsageError(`keys: there is no owner "${name}"; keys owners shows all`);
  return owner;
}

function withoutHash({ hash, createdAt, lastUsedAt, revokedAt, owner, ...key }: ApiKey) {
  return {
    ...key,
    owner: owner?.name ?? null,
    created_at: isoTime(createdAt),
    last_used_at: isoTime(lastUsedAt),
    revoked_at: isoTime(revokedAt),
  };
}

function toCells(key: ReturnType<typeof withoutHash>): Record<string, string> {
  return {
    ID: key.id,
    NAME: key.name,
    OWNER: key.owner ?? '',
    PLAN: key.plan,
    RPS: `${key.rps}`,
    NETWORKS: key.networks.join(',') || 'all',
    CREATED: key.created_at ?? '',
    'LAST USE': key.last_used_at ?? 'never',
    REVOKED: key.revoked_at ?? 'no',
  };
}

function ownerCells({ name, keys, shared, createdAt }: KeyOwner): Record<string, string> {
  return {
    OWNER: name,
    KEYS: `${keys}`,
    SHARED: shared === null ? 'no' : `${shared.plan}, ${shared.rps} rps`,
    CREATED: isoTime(createdAt) ?? '',
  };
}

function isoTime(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : new Date(unixSeconds * 1000).toISOString().replace('.000', '');
}
