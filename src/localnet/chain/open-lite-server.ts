import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { createPrivateAdnlKey } from '../../chain/adnl/keys.ts';
import { MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { readIfThere } from '../../lib/read-if-there.ts';
import { StartError } from '../../lib/start-error.ts';
import { globalConfigJson } from '../genesis/global-config-json.ts';
import {
  createLiteServer,
  type LiteServer,
  type LiteServerOptions,
} from '../lite-server/create-lite-server.ts';
import { chainPaths } from './chain-paths.ts';
import { writeDurably } from './durable-file.ts';

const KEY_TEXT = /^[0-9a-f]{64}$/;
const LOOPBACK = '127.0.0.1';

/**
 * Opens a lite server with the key that a folder keeps, and writes the global config for its clients there. Port 0
 * stands for the port of the time before, or any if that is taken.
 */
export async function openLiteServer(
  folder: string,
  options: Omit<LiteServerOptions, 'key'>,
): Promise<LiteServer & { readonly globalConfigPath: string }> {
  const { globalConfig, liteKey } = chainPaths(folder);
  const key = createPrivateAdnlKey(await readKey(liteKey));
  const wanted = options.port === 0 ? portBefore(globalConfig) : options.port;
  const server = await createLiteServer({ ...options, key, port: wanted }).catch((error: unknown) => {
    if (options.port === 0 && wanted !== 0) return createLiteServer({ ...options, key, port: 0 });
    throw new StartError(
      `The lite server cannot listen on ${options.host}:${wanted}, ${(error as Error).message}; set LOCALNET_LITE_PORT to another port`,
      { cause: error },
    );
  });
  const zeroStateId = { ...options.store.zeroState, workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 };
  // Clients on this machine reach a server that listens everywhere under this address too.
  const host = isIPv4(server.host) && server.host !== '0.0.0.0' ? server.host : LOOPBACK;
  const place = { host, port: server.port, publicKey: server.publicKey };
  await writeDurably(globalConfig, globalConfigJson({ zeroStateId }, place), 0o644);
  return Object.assign(server, { globalConfigPath: globalConfig });
}

async function readKey(path: string): Promise<Buffer> {
  const kept = readIfThere(path)?.trim() ?? '';
  if (KEY_TEXT.test(kept)) return Buffer.from(kept, 'hex');
  const seed = randomBytes(32);
  await writeDurably(path, `${seed.toString('hex')}\n`);
  return seed;
}

function portBefore(path: string): number {
  return Number(/"port": (\d{1,5}),/.exec(readIfThere(path) ?? '')?.[1] ?? 0);
}
