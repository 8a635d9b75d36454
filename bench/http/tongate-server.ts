import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MeasuredProcess, startMeasured } from './measured-process.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export interface KeyedServer {
  readonly server: MeasuredProcess;
  readonly apiKey: string;
}

/** How tongate is started where it is not as `npm start` does it. */
export interface StartWishes {
  readonly command?: 'start' | 'serve';
  readonly settings?: NodeJS.ProcessEnv;
  readonly nodeOptions?: readonly string[];
}

/** Starts tongate in a data folder of its own, and makes a key that no round can exhaust. */
export async function startTongate(folder: string, wishes: StartWishes = {}): Promise<KeyedServer> {
  const { command = 'start', settings, nodeOptions = [] } = wishes;
  const env = {
    ...settings,
    NETWORK: 'localnet',
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'info',
    RATE_LIMIT: 'on',
  };
  const server = await startMeasured({
    args: [...nodeOptions, main, command],
    env,
    outputFile: join(folder, 'tongate.log'),
    timeoutMs: 60_000,
  });
  try {
    await provesLimits(server.url);
    return { server, apiKey: createKey(env) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

function createKey(env: NodeJS.ProcessEnv): string {
  const args = [main, 'keys', 'create', '--name', 'bench', '--rps', '100000', '--networks', 'localnet'];
  const run = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  const key = /\btg_[A-Za-z0-9_-]{43}/.exec(run.stdout)?.[0];
  if (run.status !== 0 || !key) throw new Error(`keys create said: ${run.stdout}${run.stderr}`);
  return key;
}

/** A server without access checks would make the comparison worthless, so it has to refuse someone first. */
async function provesLimits(url: string): Promise<void> {
  const call = `${url}/api/v2/detectHash?hash=${'00'.repeat(32)}`;
  const answers = await Promise.all([fetch(call), fetch(call), fetch(call)]);
  const statuses = answers.map((answer) => answer.status);
  if (!statuses.includes(200) || !statuses.includes(429))
    throw new Error(`three anonymous requests at once got ${statuses.join(', ')}: 200 and 429 were expected`);
}
