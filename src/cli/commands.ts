import { readSettings } from '../config/read-settings.ts';
import { SettingsError } from '../config/settings-error.ts';
import { StartError } from '../lib/start-error.ts';
import { UsageError } from '../lib/usage-error.ts';
import { createLogger } from '../observe/logger.ts';
import { generatedFiles, writeGenerated } from './generated-files.ts';
import { keysCommand } from './keys.ts';
import { migrate } from './migrate.ts';
import { openForKeys } from './open-for-keys.ts';
import { packageVersion } from './package-version.ts';
import { serve } from './serve.ts';

type Command = (args: readonly string[]) => Promise<number | undefined>;

const settings = () => readSettings(process.env);

const COMMANDS: Readonly<Record<string, { readonly summary: string; readonly run: Command }>> = {
  start: {
    summary: 'Everything in one process: database, local chain, both interfaces',
    run: async () => void (await serve({ settings: settings(), everything: true })),
  },
  serve: {
    summary: 'Only the HTTP interfaces, for several processes on one database',
    run: async () => void (await serve({ settings: settings(), everything: false })),
  },
  migrate: {
    summary: 'Bring the database schema up to date',
    run: async () => void (await migrate(settings())),
  },
  keys: {
    summary: 'Make, list and revoke API keys (keys --help)',
    run: (args) => openForKeys(settings, (ports) => keysCommand({ args, ...ports, out: process.stdout })),
  },
  localnet: {
    summary: 'Run the local chain alone, or give it a command (localnet --help)',
    run: async (args) => {
      // Loaded when it is wanted: other commands need not wait for the code of a whole chain.
      const { localnetCommand } = await import('./localnet.ts');
      const log = createLogger({ level: 'warn', destination: process.stderr });
      return localnetCommand({
        ...{ args, settings, log, out: process.stdout },
        run: async (...call) => (await import('./localnet-run.ts')).runLocalnet(...call),
        replay: async (...call) => (await import('./localnet-run.ts')).replayRecording(...call),
      });
    },
  },
  openapi: {
    summary: 'Write openapi/*.json; with --check say whether they are current',
    run: (args) => writeGenerated(generatedFiles.openapi(), { check: args.includes('--check') }),
  },
  settings: {
    summary: 'Write docs/operate/settings.md; with --check say whether it is current',
    run: (args) => writeGenerated(generatedFiles.settings(), { check: args.includes('--check') }),
  },
};

/** Runs the command that the arguments name; returns the exit code, or undefined while it goes on running. */
export async function runCommand([name, ...args]: readonly string[]): Promise<number | undefined> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(help());
    return name === undefined ? 2 : 0;
  }
  if (name === '--version' || name === 'version') {
    process.stdout.write(`${packageVersion()}\n`);
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`unknown command ${name}: see tongate --help`);
    return await command.run(args);
  } catch (error) {
    return complain(error);
  }
}

/** What the operator can mend is one message without a stack; anything else is ours and shows where. */
function complain(error: unknown): number {
  const known = error instanceof UsageError || error instanceof SettingsError || error instanceof StartError;
  process.stderr.write(`tongate: ${known ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  return error instanceof UsageError ? 2 : 1;
}

function help(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: tongate <command>\n\n${rows.join('\n')}\n\nSettings are environment variables: docs/operate/settings.md\n`;
}
