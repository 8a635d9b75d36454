import { readFile } from 'node:fs/promises';
import type { ParseArgsConfig } from 'node:util';
import { Failure, UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { formatAccount } from '../v3/values.ts';
import { WEBHOOK_TYPES, type WebhookState, type Webhooks } from '../webhooks/webhooks.ts';
import { readArguments, runSubcommand, type Subcommand } from './arguments.ts';
import { formatTable } from './format.ts';

export interface WebhooksPorts {
  /** Arguments after `webhooks`. */
  readonly args: readonly string[];
  /** Opens the webhooks; only called after options were validated. */
  readonly webhooks: () => Promise<Webhooks>;
  readonly out: TextOutput;
}

const COMMANDS: Readonly<Record<string, Subcommand<WebhooksPorts>>> = {
  create,
  list,
  addresses,
  pause: (args, ports) => setPaused(args, ports, true),
  resume: (args, ports) => setPaused(args, ports, false),
  delete: remove,
  secret,
  test,
  dead,
  retry,
};

const HELP = `Usage: webhooks <command>

  webhooks create --url URL --events LIST [--addresses FILE] [--action-types LIST] [--address-book] [--metadata] [--key ID]
      Creates a webhook and shows its secret once. LIST is a comma-separated choice of
      ${WEBHOOK_TYPES.join(', ')}. FILE has one address per line. --key gives it to the holder of an API key.
  webhooks list [--json]
      Lists all webhooks with what waits for them.
  webhooks addresses ID [--add FILE] [--remove FILE]
      Changes the addresses of a webhook, or lists them.
  webhooks pause ID
  webhooks resume ID
      Stops sending, or goes on with it; events are kept meanwhile.
  webhooks secret ID
      Gives it another secret and shows that once.
  webhooks test ID
      Sends a test event now.
  webhooks dead ID [--json]
      Lists the events that were given up after three days.
  webhooks retry ID [EVENT_ID...]
      Sends them again, or some of them.
  webhooks delete ID
      Removes a webhook with everything that waits for it.
`;

/** Manages webhooks; returns the exit code, throws `UsageError` for invalid arguments. */
export async function webhooksCommand(ports: WebhooksPorts): Promise<number> {
  try {
    return await runSubcommand('webhooks', COMMANDS, HELP, ports);
  } catch (error) {
    if (error instanceof Failure) throw new UsageError(`webhooks ${ports.args[0]}: ${error.message}`);
    throw error;
  }
}

async function create(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values } = parse({
    args,
    options: {
      url: text,
      events: text,
      addresses: text,
      'action-types': text,
      'address-book': flag,
      metadata: flag,
      key: text,
    },
  });
  if (values.key !== undefined && !/^\d{1,18}$/.test(values.key))
    throw new UsageError(`webhooks create: --key is "${values.key}": expected an ID from keys list`);
  const fields = {
    url: values.url,
    types: listOf(values.events),
    addresses: values.addresses === undefined ? [] : await readAddressFile(values.addresses),
    action_types: listOf(values['action-types']),
    include_address_book: values['address-book'] ?? false,
    include_metadata: values.metadata ?? false,
  };
  const created = await (await webhooks()).create(values.key ?? 'operator', fields);
  const { webhook, addresses } = created.state;
  out.write(
    `Webhook ${webhook.id}: ${webhook.types.join(', ')} of ${addresses} addresses to ${webhook.url}\n\n`,
  );
  out.write(
    `  ${created.secret}\n\nThis secret is shown only once. It signs every request (X-Tongate-Signature).\n`,
  );
}

async function list(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values } = parse({ args, options: { json: { type: 'boolean' } } });
  const states = (await (await webhooks()).list('operator')).map(toCells);
  if (values.json === true) out.write(`${JSON.stringify(states, null, 2)}\n`);
  else if (states.length === 0)
    out.write('No webhooks yet. Create one: webhooks create --url URL --events LIST\n');
  else out.write(formatTable(states));
}

function toCells({ webhook, addresses, waiting, dead }: WebhookState): Record<string, string> {
  return {
    ID: webhook.id,
    KEY: webhook.keyId ?? '',
    URL: webhook.url,
    EVENTS: webhook.types.join(','),
    ADDRESSES: String(addresses),
    STATE: webhook.pausedAt === null ? 'active' : 'paused',
    DELIVERED: String(webhook.delivered),
    WAITING: String(waiting),
    DEAD: String(dead),
    'LAST FAILURE': webhook.lastFailure ?? '',
  };
}

async function addresses(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const options = { add: { type: 'string' }, remove: { type: 'string' } } as const;
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  const id = oneId('addresses', positionals);
  if (values.add === undefined && values.remove === undefined) {
    await writeAddresses(await webhooks(), id, out);
    return;
  }
  const add = values.add === undefined ? [] : await readAddressFile(values.add);
  const remove = values.remove === undefined ? [] : await readAddressFile(values.remove);
  const count = await (await webhooks()).changeAddresses('operator', id, { add, remove });
  out.write(`Webhook ${id} has ${count} addresses.\n`);
}

const ADDRESSES_PER_PAGE = 1000;

async function writeAddresses(webhooks: Webhooks, id: string, out: TextOutput): Promise<void> {
  let after: Buffer | undefined;
  for (;;) {
    const page = { limit: ADDRESSES_PER_PAGE, ...(after !== undefined && { after }) };
    const found = await webhooks.addresses('operator', id, page);
    for (const account of found) out.write(`${formatAccount(account)}\n`);
    if (found.length < ADDRESSES_PER_PAGE) return;
    after = found.at(-1);
  }
}

async function setPaused(args: string[], { webhooks, out }: WebhooksPorts, isPaused: boolean): Promise<void> {
  const id = oneId(isPaused ? 'pause' : 'resume', positionalsOf(args));
  const { waiting } = await (await webhooks()).pause('operator', id, isPaused);
  out.write(`Webhook ${id} is ${isPaused ? 'paused' : 'active'}, ${waiting} events wait.\n`);
}

async function remove(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const id = oneId('delete', positionalsOf(args));
  await (await webhooks()).delete('operator', id);
  out.write(`Webhook ${id} was deleted.\n`);
}

async function secret(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const id = oneId('secret', positionalsOf(args));
  const text = await (await webhooks()).renewSecret('operator', id);
  out.write(`  ${text}\n\nThis secret is shown only once. The one before no longer signs anything.\n`);
}

async function test(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const id = oneId('test', positionalsOf(args));
  const failure = await (await webhooks()).test('operator', id);
  if (failure !== undefined) throw new UsageError(`webhooks test: ${failure}`);
  out.write(`Webhook ${id} accepted the test event.\n`);
}

const DEAD_PER_PAGE = 100;

async function dead(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values, positionals } = parse({
    args,
    options: { json: { type: 'boolean' } },
    allowPositionals: true,
  });
  const id = oneId('dead', positionals);
  const opened = await webhooks();
  let after: string | undefined;
  for (;;) {
    const page = { limit: DEAD_PER_PAGE, ...(after !== undefined && { after }) };
    const events = await opened.dead('operator', id, page);
    for (const { eventId, account, tries, error, body } of events)
      out.write(
        values.json === true
          ? `${body}\n`
          : `${eventId}  ${account.length === 0 ? '-' : formatAccount(account)}  ${tries} attempts  ${error}\n`,
      );
    if (events.length < DEAD_PER_PAGE) return;
    after = events.at(-1)!.number;
  }
}

async function retry(args: string[], { webhooks, out }: WebhooksPorts): Promise<void> {
  const [id, ...eventIds] = positionalsOf(args);
  const named = eventIds.length === 0 ? undefined : eventIds;
  const count = await (await webhooks()).retry(
    'operator',
    oneId('retry', id === undefined ? [] : [id]),
    named,
  );
  out.write(`${count} events are sent again.\n`);
}

function oneId(command: string, positionals: readonly string[]): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0)
    throw new UsageError(`webhooks ${command}: expected one ID from webhooks list`);
  return id;
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((one) => one.trim());
}

/** One address per line; empty lines and those that begin with # are skipped. */
async function readAddressFile(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new UsageError(`webhooks: cannot read ${path}: ${error.message}`);
  });
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function parse<const T extends ParseArgsConfig>(config: T) {
  return readArguments(config, (message) => `webhooks: ${message}`);
}

function positionalsOf(args: string[]): string[] {
  return parse({ args, options: {}, allowPositionals: true }).positionals;
}
