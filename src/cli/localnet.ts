import { readFileSync } from 'node:fs';
import type { Settings } from '../config/settings.ts';
import { Failure, StartError, UsageError } from '../lib/errors.ts';
import type { Log, TextOutput } from '../lib/log.ts';
import { chainFolder, chainPaths, lockOwner } from '../localnet/chain/chain-folder.ts';
import { restoreStopped, snapshotStopped, stoppedStatus } from '../localnet/chain/snapshots.ts';
import { readArguments } from './arguments.ts';
import { exportCommand } from './localnet-export.ts';

export interface LocalnetPorts {
  readonly args: readonly string[];
  readonly settings: () => Settings;
  readonly log: Log;
  readonly out: TextOutput;
  /** Runs the chain until a signal arrives; resolves when it is up. */
  readonly run: (settings: Settings, options: { readonly reset: boolean }) => Promise<void>;
  /** Serves a recorded network until a signal arrives; resolves when it is up. */
  readonly replay: (settings: Settings, recording: string) => Promise<void>;
}

export interface Call {
  readonly values: readonly string[];
  readonly folder: string;
  readonly client: LocalnetClient | undefined;
  readonly log: Log;
}

export interface Command {
  readonly takes: readonly string[];
  readonly run: (call: Call) => Promise<string>;
}

export const HELP = `Usage: tongate localnet [--reset]
       tongate localnet <command>

  localnet                       Runs the local chain and its lite server until it is stopped.
  localnet --reset               The same with a new chain; snapshots stay.
  localnet status                Shows where the chain stands, its lite server and the faucet.
  localnet fund ADDRESS AMOUNT   Sends TON from the faucet.
  localnet advance SECONDS       Moves the chain's clock forward.
  localnet mine [COUNT]          Makes blocks at once.
  localnet rotate                Puts a new validator in the place of the present one.
  localnet snapshot NAME         Keeps the chain as it is now.
  localnet restore NAME          Puts the chain back to a snapshot.
  localnet export --packs DIR    Writes the blocks of the stopped chain into pack files as nodes do.
  localnet export --states DIR [--split-depth N] [--snapshot NAME]
                                 Writes the states of the stopped chain, or of a snapshot, into files as nodes do.
  localnet replay FOLDER         Serves a recorded network at its last block.
`;

export const COMMANDS: Readonly<Record<string, Command>> = {
  status: {
    takes: [],
    run: async ({ client, folder, log }) =>
      JSON.stringify(
        client === undefined
          ? await stoppedStatus(folder, log)
          : { running: true, ...(await client.call('status')) },
        null,
        2,
      ),
  },
  fund: {
    takes: ['ADDRESS', 'AMOUNT'],
    run: async ({ client, values: [address, amount] }) => {
      const { seqno } = await running(client).call('fund', { address, amount });
      return `${amount} TON sent to ${address} (masterchain block ${seqno})`;
    },
  },
  advance: {
    takes: ['SECONDS'],
    run: async ({ client, values: [seconds] }) => {
      const { time, hint } = await running(client).call('advance', { seconds: Number(seconds) });
      return `Clock of the chain: ${new Date(Number(time) * 1000).toISOString()}\n${hint}`;
    },
  },
  mine: {
    takes: ['[COUNT]'],
    run: async ({ client, values: [count = '1'] }) => {
      const { seqno } = await running(client).call('mine', { count: Number(count) });
      return `Masterchain block ${seqno}`;
    },
  },
  rotate: {
    takes: [],
    run: async ({ client }) => {
      const { seqno, validator_set } = await running(client).call('rotate', {});
      return `Validator set ${validator_set} active since key block ${seqno}`;
    },
  },
  snapshot: {
    takes: ['NAME'],
    run: async ({ client, folder, values: [name] }) => {
      if (client === undefined) await snapshotStopped(folder, name!);
      else await client.call('snapshot', { name });
      return `Snapshot ${name} created`;
    },
  },
  restore: {
    takes: ['NAME'],
    run: async ({ client, folder, values: [name] }) => {
      if (client === undefined) await restoreStopped(folder, name!);
      const { index } = (await client?.call('restore', { name })) ?? {};
      const { reason } = (index ?? {}) as { readonly reason?: string };
      return [`Snapshot ${name} restored`, ...(reason === undefined ? [] : [reason])].join('\n');
    },
  },
};

/** Runs a local chain, or sends a command to one; returns the exit code, or undefined if it keeps running. */
export async function localnetCommand(ports: LocalnetPorts): Promise<number | undefined> {
  if (ports.args[0] === 'export' && !ports.args.some((arg) => arg === '--help' || arg === '-h'))
    return exportCommand({ ...ports, args: ports.args.slice(1) });
  const options = { reset: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { positionals, values } = readArguments(
    { args: ports.args, options, allowPositionals: true },
    (text) => `localnet: ${text}`,
  );
  const [name, ...rest] = positionals;
  if (values.help) {
    ports.out.write(HELP);
    return 0;
  }
  if (values.reset && name !== undefined) throw new UsageError('localnet: --reset takes no command');
  if (name === undefined) {
    await ports.run(ports.settings(), { reset: values.reset === true });
    return undefined;
  }
  if (name === 'replay') {
    if (rest.length !== 1) throw new UsageError('localnet replay: expected FOLDER');
    await ports.replay(ports.settings(), rest[0]!);
    return undefined;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(`localnet ${name}: see localnet --help`);
  const least = command.takes.filter((what) => !what.startsWith('[')).length;
  if (rest.length < least || rest.length > command.takes.length)
    throw new UsageError(`localnet ${name}: expected ${command.takes.join(' ') || 'nothing'} after it`);
  const folder = chainFolder(ports.settings().dataDir);
  const client = findRunningLocalnet(folder);
  try {
    ports.out.write(`${await command.run({ values: rest, folder, client, log: ports.log })}\n`);
    return 0;
  } catch (error) {
    throw error instanceof Failure ? new UsageError(`localnet ${name}: ${error.message}`) : error;
  }
}

export function running(client: LocalnetClient | undefined): LocalnetClient {
  if (client === undefined)
    throw new UsageError('the local chain is not running: start it with tongate localnet or tongate start');
  return client;
}

interface LocalnetClient {
  call(command: string, body?: object): Promise<Record<string, unknown>>;
}

/** Finds the running local chain of a directory; undefined if there is none. */
function findRunningLocalnet(folder: string): LocalnetClient | undefined {
  const owner = lockOwner(folder);
  if (owner === undefined) return undefined;
  return {
    async call(command, body) {
      const { url, key } = controlPort(folder, owner);
      const response = await fetch(`${url}/localnet/${command}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { 'content-type': 'application/json', 'x-api-key': key },
      }).catch((error: unknown) => {
        throw new StartError(`Process ${owner}, which runs the local chain, does not respond`, {
          cause: error,
        });
      });
      const { ok, result, error } = (await response.json()) as ControlResponse;
      if (ok) return result;
      throw response.status < 500 ? new UsageError(`localnet ${command}: ${error}`) : new StartError(error);
    },
  };
}

type ControlResponse =
  | { ok: true; result: Record<string, unknown>; error: never }
  | { ok: false; result: never; error: string };

interface ControlPort {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
}

function controlPort(folder: string, owner: number): ControlPort {
  try {
    const port: ControlPort = JSON.parse(readFileSync(chainPaths(folder).control, 'utf8'));
    if (port.pid === owner) return port;
  } catch {
    // Not written yet.
  }
  throw new StartError(`Process ${owner} is starting or stopping the local chain; try again in a moment`);
}
