import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import { chainFolder } from '../localnet/chain/chain-paths.ts';
import { openLiteServer } from '../localnet/chain/open-lite-server.ts';
import { createRunGetMethod } from '../localnet/chain/run-get-method.ts';
import { openRecording } from '../localnet/replay/open-recording.ts';
import { createLogger, flushLog, type Logger } from '../observe/logger.ts';
import { createShutdown, type Shutdown } from '../observe/shutdown.ts';
import { createVm } from '../vm/create-vm.ts';
import { startLocalnetParts } from './localnet-parts.ts';

/** Runs the local chain and nothing else until a signal comes; resolves when it is up. */
export function runLocalnet(settings: Settings, options: { readonly reset: boolean }): Promise<void> {
  return untilStopped(settings, async (log, shutdown) => {
    const starting = startLocalnetParts(settings, log, options);
    shutdown.add('local chain', async () => (await starting.catch(() => undefined))?.close());
    return ['tongate localnet runs', ...(await starting).description];
  });
}

/** Serves a recorded network to lite clients until a signal comes; resolves when it is up. */
export function replayRecording(settings: Settings, recording: string): Promise<void> {
  return untilStopped(settings, async (log, shutdown) => {
    const store = openRecording(recording);
    const vm = createVm({ log });
    shutdown.add('virtual machine', () => vm.close());
    const folder = join(chainFolder(settings.dataDir), 'replay');
    await mkdir(folder, { recursive: true });
    const { localnetLiteHost: host, localnetLitePort: port } = settings;
    const server = await openLiteServer(folder, {
      store,
      host,
      port,
      log,
      runGetMethod: createRunGetMethod(store, vm),
    });
    shutdown.add('lite server', () => server.close());
    return [
      `tongate replays ${recording} at masterchain block ${store.head.seqno}`,
      `  lite      ${server.host}:${server.port}, config in ${server.globalConfigPath}`,
    ];
  });
}

async function untilStopped(
  settings: Settings,
  start: (log: Logger, shutdown: Shutdown) => Promise<string[]>,
): Promise<void> {
  const log = createLogger({ level: settings.logLevel, pretty: process.stdout.isTTY === true });
  const shutdown = createShutdown({ log, timeoutMs: settings.stopTimeoutMs });
  try {
    const lines = await start(log, shutdown);
    await flushLog(log);
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    await shutdown.close();
    await flushLog(log);
    throw error;
  }
}
