import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { createPrivateAdnlKey } from '../../chain/adnl/keys.ts';
import type { ZeroStateId } from '../../chain/block-id.ts';
import { MASTERCHAIN, WHOLE_SHARD } from '../../chain/block-id.ts';
import { StartError } from '../../lib/errors.ts';
import { readFileIfExists } from '../../lib/files.ts';
import { createLiteServer, type LiteServer, type LiteServerOptions } from '../lite-server/server.ts';
import { chainPaths, writeDurably } from './chain-folder.ts';

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
  const wanted = options.port === 0 ? lastPort(globalConfig) : options.port;
  const server = await createLiteServer({ ...options, key, port: wanted }).catch((error: unknown) => {
    if (options.port === 0 && wanted !== 0) return createLiteServer({ ...options, key, port: 0 });
    throw new StartError(
      `The lite server cannot listen on ${options.host}:${wanted}, ${(error as Error).message}; set LOCALNET_LITE_PORT to another port`,
      { cause: error },
    );
  });
  const zeroStateId = { ...options.store.zeroState, workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: 0 };
  // Clients on this machine also reach a server that listens on all addresses here.
  const host = isIPv4(server.host) && server.host !== '0.0.0.0' ? server.host : LOOPBACK;
  const place = { host, port: server.port, publicKey: server.publicKey };
  await writeDurably(globalConfig, globalConfigJson({ zeroStateId }, place), 0o644);
  return Object.assign(server, { globalConfigPath: globalConfig });
}

async function readKey(path: string): Promise<Buffer> {
  const stored = readFileIfExists(path)?.trim() ?? '';
  if (KEY_TEXT.test(stored)) return Buffer.from(stored, 'hex');
  const seed = randomBytes(32);
  await writeDurably(path, `${seed.toString('hex')}\n`);
  return seed;
}

function lastPort(path: string): number {
  return Number(/"port": (\d{1,5}),/.exec(readFileIfExists(path) ?? '')?.[1] ?? 0);
}

interface LiteServerEndpoint {
  /** An IPv4 address: global configs support no other. */
  readonly host: string;
  readonly port: number;
  /** Ed25519 public key of the server, 32 bytes. */
  readonly publicKey: Buffer;
}

/**
 * The text of `global.config.json`, by which lite clients find the lite server and trust the chain. `zeroStateId` names
 * the masterchain's zero state.
 */
export function globalConfigJson(
  { zeroStateId }: { readonly zeroStateId: ZeroStateId },
  place: LiteServerEndpoint,
): string {
  const { workchain, rootHash, fileHash } = zeroStateId;
  // The id of the whole shard exceeds the integers of JSON.stringify.
  const zeroState = `{
      "@type": "tonNode.blockIdExt",
      "workchain": ${workchain},
      "shard": ${WHOLE_SHARD},
      "seqno": 0,
      "root_hash": "${rootHash.toString('base64')}",
      "file_hash": "${fileHash.toString('base64')}"
    }`;
  return `{
  "@type": "config.global",
  "liteservers": [
    {
      "ip": ${addressNumber(place.host)},
      "port": ${place.port},
      "id": {
        "@type": "pub.ed25519",
        "key": "${place.publicKey.toString('base64')}"
      }
    }
  ],
  "validator": {
    "@type": "validator.config.global",
    "zero_state": ${zeroState},
    "init_block": ${zeroState},
    "hardforks": []
  }
}
`;
}

/** An IPv4 address as a signed 32-bit integer. */
function addressNumber(host: string): number {
  if (!isIPv4(host)) throw new Error(`a global config takes an IPv4 address, not ${host}`);
  return Buffer.from(host.split('.').map(Number)).readInt32BE(0);
}
