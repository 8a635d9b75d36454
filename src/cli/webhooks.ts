import { readFile } from 'node:fs/promises';
import { Failure, UsageError } from '../lib/errors.ts';
import type { TextOutput } from '../lib/log.ts';
import { formatAccount } from '../v3/values.ts';
import { WEBHOOK_TYPES, type WebhookState, type Webhooks, webhookState } from '../webhooks/webhooks.ts';
import { flag, type Parse, runSubcommand, type Subcommand, text } from './arguments.ts';
import { formatRows } from './format.ts';

export interface WebhooksPorts {
  readonly args: readonly string[];
  /** Opens the webhooks; only called after options were validated. */
  readonly webhooks: () => Promise<Webhooks>;
  readonly out: TextOutput;
}

const HELP = `Usage: tongate webhooks <command>

  webhooks create --url URL --events LIST [--addresses FILE] [--action-types LIST] [--address-book] [--metadata]
                  [--min-finality finalized|confirmed] [--key ID]
      Creates a webhook and shows its secret once. LIST is a comma-separated choice of
      ${WEBHOOK_TYPES.join(', ')}. FILE has one address per line.
      --key gives it to the holder of an API key.
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

async function create(parse: Parse, { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values } = parse({
    options: {
      url: text,
      events: text,
      addresses: text,
      'action-types': text,
      'address-book': flag,
      metadata: flag,
      'min-finality': text,
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
    min_finality: values['min-finality'],
  };
  const created = await (await webhooks()).create(values.key ?? 'operator', fields);
  const { webhook } = created.state;
  out.write(
    `Webhook ${webhook.id}: ${webhook.types.join(', ')} to ${webhook.url}, addresses: ${webhook.addresses}\n\n`,
  );
  out.write(
    `  ${created.secret}\n\nThis secret is shown only once. It signs every request (X-Tongate-Signature).\n`,
  );
}

async function list(parse: Parse, { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values } = parse({ options: { json: flag } });
  const cells = (await (await webhooks()).list('operator')).map(toCells);
  const none = 'No webhooks yet. Create one: webhooks create --url URL --events LIST';
  out.write(formatRows(cells, { json: values.json, none, cells }));
}

function toCells({ webhook, dead }: WebhookState): Record<string, string> {
  return {
    ID: webhook.id,
    KEY: webhook.keyId ?? '',
    URL: webhook.url,
    EVENTS: webhook.types.join(','),
    ADDRESSES: String(webhook.addresses),
    STATE: webhookState(webhook),
    DELIVERED: String(webhook.delivered),
    WAITING: String(webhook.waiting),
    DEAD: String(dead),
    'LAST FAILURE': webhook.lastFailure ?? '',
  };
}

async function addresses(parse: Parse, { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values, positionals } = parse({ options: { add: text, remove: text }, allowPositionals: true });
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
    const accounts = await webhooks.addresses('operator', id, page);
    for (const account of accounts) out.write(`${formatAccount(account)}\n`);
    if (accounts.length < ADDRESSES_PER_PAGE) return;
    after = accounts.at(-1);
  }
}

/** A command for one webhook; `run` returns the text to write. */
function forOne(
  name: string,
  run: (webhooks: Webhooks, id: string) => Promise<string>,
): Subcommand<WebhooksPorts> {
  return async (parse, { webhooks, out }) => {
    const id = oneId(name, parse({ options: {}, allowPositionals: true }).positionals);
    out.write(`${await run(await webhooks(), id)}\n`);
  };
}

const pause = forOne('pause', async (webhooks, id) => {
  const { webhook } = await webhooks.pause('operator', id, true);
  return `Webhook ${id} is paused, ${webhook.waiting} events wait.`;
});

const resume = forOne('resume', async (webhooks, id) => {
  const { webhook } = await webhooks.pause('operator', id, false);
  return `Webhook ${id} is active, ${webhook.waiting} events wait.`;
});

const remove = forOne('delete', async (webhooks, id) => {
  await webhooks.delete('operator', id);
  return `Webhook ${id} was deleted.`;
});

const secret = forOne('secret', async (webhooks, id) => {
  const renewed = await webhooks.renewSecret('operator', id);
  return `  ${renewed}\n\nThis secret is shown only once. The one before no longer signs anything.`;
});

const test = forOne('test', async (webhooks, id) => {
  const failure = await webhooks.test('operator', id);
  if (failure !== undefined) throw new UsageError(`webhooks test: ${failure}`);
  return `Webhook ${id} accepted the test event.`;
});

const DEAD_PER_PAGE = 100;

async function dead(parse: Parse, { webhooks, out }: WebhooksPorts): Promise<void> {
  const { values, positionals } = parse({ options: { json: flag }, allowPositionals: true });
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

async function retry(parse: Parse, { webhooks, out }: WebhooksPorts): Promise<void> {
  const { positionals } = parse({ options: {}, allowPositionals: true });
  const id = oneId('retry', positionals.slice(0, 1));
  const eventIds = positionals.slice(1);
  const count = await (await webhooks()).retry('operator', id, eventIds.length === 0 ? undefined : eventIds);
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

const COMMANDS: Readonly<Record<string, Subcommand<WebhooksPorts>>> = {
  create,
  list,
  addresses,
  pause,
  resume,
  delete: remove,
  secret,
  test,
  dead,
  retry,
};
